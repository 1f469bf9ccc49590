// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The cost of recipes, learned from earlier previews.
#pragma once

#include <map>
#include <string>

#include "params/recipe.hpp"

namespace sfumato::gui {

/// Decides how coarse a first preview must be to appear soon. One thread.
class PreviewPace {
 public:
  /// Target time of a first preview in seconds; painting comes on top.
  static constexpr double soon = 0.034;

  /// The factor (1, 2, 4, ... `coarsest`) by which a first preview must be coarser than
  /// `reduction`, at which it has `pixels` pixels.
  int coarser(const Recipe& recipe, int reduction, double pixels, int coarsest) const;

  /// Records a finished render of that many pixels.
  void add_measurement(const Recipe& recipe, int reduction, double pixels, double seconds);
  /// Records an aborted render that would have taken at least this long.
  void add_lower_bound(const Recipe& recipe, int reduction, double pixels, double seconds);
  /// The device has changed.
  void forget() { known_.clear(); }

 private:
  using Known = std::map<int, double>;  // seconds per pixel, by reduction

  std::map<std::string, Known> known_;
};

/// Whether no step of the recipe has an effect.
bool does_nothing(const Recipe& recipe);

}  // namespace sfumato::gui
