// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Convolution by its definition: every product, in float64.
#include <algorithm>
#include <cmath>

#include "filters/shared/convolution/convolution.hpp"

namespace sfumato {
namespace {

class ConvolutionDefinition {
 public:
  ConvolutionDefinition(const Convolution& convolution, const ReferenceJob& job)
      : request_(convolution.request),
        has_alpha_(convolution.picture.has_alpha),
        channels_(job.input.channels),
        whole_(weight_sum(request_.matrix)),
        source_(job.input, job.edge) {}

  // The result at (x, y), where `own` is the picture's pixel.
  void pixel(int x, int y, const float* own, float* to) const {
    Sums sums = window_sums(x, y);
    const double alpha = channels_ == 4 ? static_cast<double>(own[3]) : 1;
    finish(sums, own, alpha);
    for (int c = 0; c < channels_; ++c) {
      to[c] = static_cast<float>(sums.of[c] + request_.offset * alpha);
    }
    if (channels_ == 4) to[3] = own[3];
  }

 private:
  struct Sums {
    double of[4] = {};  // the channels
    double inside = 0;  // the weights that met a sample
  };

  Sums window_sums(int x, int y) const {
    const Matrix& m = request_.matrix;
    Sums sums;
    for (int j = 0; j < m.rows; ++j) {
      for (int i = 0; i < m.columns; ++i) {
        const float* sample = source_.at(x + i - m.columns / 2, y + j - m.rows / 2);
        if (sample == nullptr) continue;
        sums.inside += m.at(j, i);
        for (int c = 0; c < channels_; ++c)
          sums.of[c] += m.at(j, i) * static_cast<double>(sample[c]);
      }
    }
    return sums;
  }

  // Compensates for weights that met no sample, weights colours by the opacity of their pixels,
  // scales, and mixes gray.
  void finish(Sums& sums, const float* own, double alpha) const {
    const bool enough = sums.inside * whole_ > 0 && std::abs(sums.inside) * 8 >= std::abs(whole_);
    const double left = source_.renormalises() && enough ? whole_ / sums.inside : 1;
    for (int c = 0; c < channels_; ++c) {
      double& v = sums.of[c];
      v *= left;
      if (has_alpha_ && c < 3) {
        v = alpha * v + static_cast<double>(own[c]) * (whole_ - sums.of[3] * left);
      }
      v *= request_.scale;
    }
    if (!request_.gray || channels_ != 4) return;
    double gray = 0;
    for (std::size_t c = 0; c < 3; ++c)
      gray += static_cast<double>(request_.gray_weights[c]) * sums.of[c];
    std::fill_n(sums.of, 3, gray);
  }

  const ConvolutionRequest& request_;
  const bool has_alpha_;
  const int channels_;
  const double whole_;  // the sum of all weights
  const Sampler source_;
};

}  // namespace

void convolution_reference(const Convolution& convolution, const ReferenceJob& job) {
  const ConvolutionDefinition definition(convolution, job);
  const Rect out = job.output.plane.rect();
  job.rows.run(out.y0, out.y1, [&](int y) {
    for (int x = out.x0; x < out.x1; ++x) {
      definition.pixel(x, y, job.input.at(x, y), job.output.at(x, y));
    }
  });
}

}  // namespace sfumato
