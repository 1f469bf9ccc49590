// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The response of a linear filter along one axis, measured on the filter itself.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato::gui {

/// The one-dimensional equivalent of a linear filter: its response to a line one pixel wide.
struct Response {
  /// Picture pixels per value of the kernel: more than 1 if the filter's reach is so large that it
  /// is measured on a smaller picture.
  int pixels = 1;
  /// The response at -n..n times `pixels` from the line: the column sums of the two-dimensional
  /// kernel. Negligible ends are trimmed.
  std::vector<float> kernel;
  /// |H|, evenly spaced from frequency 0 to 0.5 / `pixels` cycles per pixel.
  std::vector<float> magnitude;
  /// Along columns, because the filter has no effect along rows (a filter of horizontal edges).
  bool vertical = false;
  /// The kernel is infinite: it is stored as one period of a repeating picture.
  bool endless = false;

  /// n.
  int reach() const { return static_cast<int>(kernel.size()) / 2; }
  /// The kernel's value at `offset`, -n..n, from its centre.
  float at(int offset) const { return kernel[static_cast<std::size_t>(offset + reach())]; }
  double sum() const;
};

/// The response of a step, measured by running the scalar reference on lines and on noise; nullopt
/// if it is not linear or varies with position, or the filter plots nothing. Masks are ignored, and
/// a constant added to every pixel (an offset) is subtracted. Takes about 0.05 s, or a second if a
/// wide kernel must be summed in two dimensions at full scale; not for the GUI thread. `wanted` is
/// polled many times a second; throws Cancelled if it returns false.
std::optional<Response> response_of(const Step& step, const std::function<bool()>& wanted = {});

}  // namespace sfumato::gui
