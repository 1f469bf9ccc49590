// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Convolution of a picture with a matrix by the cheapest method, for filters whose kernels include
// convolution/convolution.clh.
//
// The matrix is applied as drawn (correlation), centred on the pixel. Pictures are premultiplied;
// alpha is kept, and pixels that are transparent, or outside a picture with alpha, count as the
// centre pixel. With a border that renormalises, the sum is divided by the share of the weights
// that fell inside, unless less than an eighth is left.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "filters/filter.hpp"
#include "filters/shared/convolution/factor.hpp"

namespace sfumato {

/// The computation: scale * sum, optionally turned gray, + offset.
struct ConvolutionRequest {
  Matrix matrix;
  double scale = 1;
  double offset = 0;
  bool gray = false;
  std::array<float, 4> gray_weights{};  ///< red, green, blue, unused
  std::string method = "auto";          ///< auto, direct, factored, fft
  Factors factors = {};                 ///< of the matrix, if known beforehand
};

enum class ConvolutionMethod { direct, factored, fft };

/// The choices made once for the picture and the device.
struct Convolution {
  ConvolutionRequest request;
  Picture picture;
  Target target;
  ConvolutionMethod method = ConvolutionMethod::direct;
  Factors factors;  ///< for the method `factored`

  int reach_x() const { return request.matrix.columns / 2; }
  int reach_y() const { return request.matrix.rows / 2; }
};

/// Chooses the cheapest method that keeps the tolerance on this device, unless the request names
/// one. Factoring a large matrix takes milliseconds.
Convolution choose_convolution(ConvolutionRequest request, const Picture& picture,
                               const Target& target);

/// The parameter `method` of a convolving filter.
Parameter convolution_method_word();

/// The sizes of the method `direct`, for `convolve` and other convolving filters.
const std::vector<Tunable>& convolution_tunables();

/// The sum of all weights.
double weight_sum(const Matrix& matrix);

/// The tolerance of a filter with these weights; `renormalises` multiplies it by the largest factor
/// a border may apply.
double convolution_tolerance(const ConvolutionRequest& request, bool renormalises);

Needs convolution_needs(const Convolution& convolution);

/// Launches the passes.
void run_convolution(const Convolution& convolution, const TileJob& job, Passes& passes);

/// The definition.
void convolution_reference(const Convolution& convolution, const ReferenceJob& job);

/// "3 x 3 weights, direct" and the like; "every product, in float64" for the reference.
Message explain_convolution(const Convolution& convolution);

}  // namespace sfumato
