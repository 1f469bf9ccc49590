// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a linear filter does along one axis, measured on the filter itself.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato::gui {

/// The one-dimensional equivalent of a linear filter: its answer to a line one pixel wide.
struct Response {
  /// Pixels of the picture from one value of the kernel to the next: more than 1 where the filter
  /// reaches so far that it is measured on a smaller picture.
  int pixels = 1;
  /// What becomes of the line, at -n..n times `pixels` from it: the sums of the columns of the
  /// two-dimensional kernel. Trimmed where nothing is left that counts.
  std::vector<float> kernel;
  /// |H|, evenly spaced from frequency 0 to 0.5 / `pixels` cycles per pixel.
  std::vector<float> magnitude;
  /// Down the columns: along the rows nothing happens (a filter of horizontal edges).
  bool vertical = false;
  /// The kernel never ends: what is held of it is one period of a picture that repeats.
  bool endless = false;

  /// n.
  int reach() const { return static_cast<int>(kernel.size()) / 2; }
  /// The kernel's value `offset` values, -n..n, from its middle.
  float at(int offset) const { return kernel[static_cast<std::size_t>(offset + reach())]; }
  double sum() const;
};

/// Whether steps of the filter may have a response: decided without running it.
bool may_have_response(const FilterInfo& info);

/// The response of a step, by running its filter in the scalar reference on lines and on noise;
/// nullopt where it is not linear or differs from place to place. Masks are left out, and what is
/// added to every pixel (an offset) is taken away. Takes some 0.05 s, a second where a wide kernel
/// must be summed in two dimensions at full scale; any thread but the GUI's. `wanted` is asked many
/// times a second; throws Cancelled where it returns false.
std::optional<Response> response_of(const Step& step, const std::function<bool()>& wanted = {});

}  // namespace sfumato::gui
