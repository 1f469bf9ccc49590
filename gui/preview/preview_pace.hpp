// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How long recipes take, learned from the previews that were made of them.
#pragma once

#include <map>
#include <string>

#include "params/recipe.hpp"

namespace sfumato::gui {

/// Chooses how coarse a first answer has to be to come soon. One thread.
class PreviewPace {
 public:
  /// What a first answer should take, s: it has to be painted too.
  static constexpr double soon = 0.045;

  /// How many times coarser than `reduction` (1, 2, 4, ... `coarsest`) `pixels` of a preview at
  /// that reduction are to be rendered first.
  int coarser(const Recipe& recipe, int reduction, double pixels, int coarsest) const;

  /// A render of that many pixels was finished.
  void learn(const Recipe& recipe, int reduction, double pixels, double seconds);
  /// A render was given up that would have taken at least so long.
  void learn_least(const Recipe& recipe, int reduction, double pixels, double seconds);
  /// Another device.
  void forget() { known_.clear(); }

 private:
  using Known = std::map<int, double>;  // seconds per pixel, by reduction

  std::map<std::string, Known> known_;
};

/// Whether no step of the recipe does anything.
bool does_nothing(const Recipe& recipe);

}  // namespace sfumato::gui
