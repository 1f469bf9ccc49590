// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The scalar definition of a separable symmetric convolution, and its transfer function.
#pragma once

#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// Convolves rows, then columns, in float64 with symmetric taps (`half[0]` is the centre). Samples
/// outside follow the border rule; with `renormalise` the sum is divided by the weights that
/// remain.
void separable_reference(const ReferenceJob& job, const std::vector<double>& half);

/// The discrete Fourier transform of the taps over `n` samples: n real numbers, since the taps are
/// even.
std::vector<double> transfer_function(const std::vector<double>& half, int n);

/// For each coordinate in lo..hi-1, the sum of the taps that fall inside [lo, hi).
std::vector<double> weight_inside(const std::vector<double>& half, int lo, int hi);

}  // namespace sfumato
