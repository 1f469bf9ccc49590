// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How far two pictures are apart.
#pragma once

#include <cstdint>

#include "image/format.hpp"

namespace sfumato {

/// Differences of samples as numbers (integers: 0..1), over all channels.
struct Difference {
  double largest = 0;      ///< infinite where one picture has a NaN and the other has not
  int x = 0, y = 0;        ///< where the largest one is
  double mean_square = 0;  ///< infinite likewise
  /// Samples that are a finite number in one picture and none, or another infinity, in the other.
  std::int64_t incomparable = 0;

  /// Peak signal-to-noise ratio in dB, infinite for equal pictures; `peak` is what white is.
  double psnr(double peak = 1) const;
};

/// Compares two pictures of one format: the same region of both. Throws std::invalid_argument if
/// the regions differ in size.
Difference difference_between(const HostView& a, const HostView& b, const PictureFormat& format);

}  // namespace sfumato
