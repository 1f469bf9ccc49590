// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A matrix of weights over a picture, the cheapest way: for filters whose kernels include
// convolution/convolution.clh.
//
// The matrix is applied as drawn (correlation), its middle over the pixel. Pictures come
// premultiplied; alpha is kept, and what is transparent, or outside a picture that has alpha,
// counts as the pixel itself. With borders that renormalise the sum is divided by the share of the
// weights that fell inside, unless less than an eighth is left.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "filters/filter.hpp"
#include "filters/shared/convolution/factor.hpp"

namespace sfumato {

/// What is computed: scale * sum, turned gray if asked, + offset.
struct ConvolutionRequest {
  Matrix matrix;
  double scale = 1;
  double offset = 0;
  bool gray = false;
  std::array<float, 4> gray_weights{};  ///< red, green, blue, unused
  std::string method = "auto";          ///< auto, direct, factored, fft
  Factors factors = {};                 ///< of the matrix, where they are known beforehand
};

enum class ConvolutionMethod { direct, factored, fft };

/// What was decided, once for the picture and the device.
struct Convolution {
  ConvolutionRequest request;
  Picture picture;
  Target target;
  ConvolutionMethod method = ConvolutionMethod::direct;
  Factors factors;  ///< of the way `factored`

  int reach_x() const { return request.matrix.columns / 2; }
  int reach_y() const { return request.matrix.rows / 2; }
};

/// The cheapest way that keeps the written tolerance on this device, unless one is asked for.
/// Factoring a large matrix takes milliseconds.
Convolution choose_convolution(ConvolutionRequest request, const Picture& picture,
                               const Target& target);

/// The words `method` of a filter that convolves.
Parameter convolution_method_word();

/// The sizes of the method `direct`, for `convolve` and whatever else convolves.
const std::vector<Tunable>& convolution_tunables();

/// The sum of all weights.
double weight_sum(const Matrix& matrix);

/// The written tolerance for a filter of these weights; `renormalises` multiplies it by what a
/// border may.
double convolution_tolerance(const ConvolutionRequest& request, bool renormalises);

Needs convolution_needs(const Convolution& convolution);

/// Launches the passes.
void run_convolution(const Convolution& convolution, const TileJob& job, Passes& passes);

/// The definition.
void convolution_reference(const Convolution& convolution, const ReferenceJob& job);

/// "3 x 3 weights, direct" and the like; "every product, in float64" for the reference.
std::string explain_convolution(const Convolution& convolution);

}  // namespace sfumato
