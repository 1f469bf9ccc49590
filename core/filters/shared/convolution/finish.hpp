// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How convolution's kernels finish a weighted sum. Private to the planners.
#pragma once

#include "filters/shared/convolution/convolution.hpp"

namespace sfumato {

/// The twin of the kernels' struct.
struct Finish {
  float scale, offset;
  float whole;             ///< the sum of all weights
  float red, green, blue;  ///< weights that turn the result gray; all 0 to leave it
  int has_alpha;
  int columns, rows;
};

Finish finish_of(const Convolution& convolution);

/// The samples of a pixel that have to be summed: its gray, and its alpha if it has one, where the
/// result is gray; 0 where all channels are.
int gray_samples(const Convolution& convolution);

}  // namespace sfumato
