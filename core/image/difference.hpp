// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much two pictures differ.
#pragma once

#include <cstdint>

#include "image/format.hpp"

namespace sfumato {

/// Sample differences over all channels; integer samples count as 0..1.
struct Difference {
  double largest = 0;      ///< infinite where only one picture has a NaN
  int x = 0, y = 0;        ///< position of the largest difference
  double mean_square = 0;  ///< infinite in the same case
  /// Samples that are finite in only one picture, or infinities that differ.
  std::int64_t incomparable = 0;

  /// Peak signal-to-noise ratio in dB for a white level of `peak`; infinite for equal pictures.
  double psnr(double peak = 1) const;
};

/// Compares the same region of two pictures of one format. Throws std::invalid_argument if the
/// regions differ in size.
Difference difference_between(const HostView& a, const HostView& b, const PictureFormat& format);

}  // namespace sfumato
