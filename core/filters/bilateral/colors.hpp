// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The colours of a surveyed picture, and the centres that represent them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "filters/bilateral/plan.hpp"

namespace sfumato::colors {

using Sample = std::array<float, 3>;

inline double squared_distance(const Sample& a, const Sample& b) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double d = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sum += d * d;
  }
  return sum;
}

inline constexpr double farthest = 18;  // exp(-18) is 1.5e-8

/// The kernel's value between two colours. Most pairs are so far apart that it is negligible.
inline double similarity(const Sample& a, const Sample& b, double falloff) {
  const double x = squared_distance(a, b) * falloff;
  return x > farthest ? 0 : std::exp(-x);
}

/// A surveyed pixel; weight 0 if it is transparent or not a number.
struct WeightedColor {
  Sample color{};
  Sample place{};  ///< what the distance compares: the colour, or one number and zeros
  float weight = 0;
};

/// The pixels of a survey; of channels that are filtered apart, only channel `one`.
std::vector<WeightedColor> seen(const std::vector<float>& pixels, const BilateralRequest& request,
                                bool has_alpha, std::size_t one = 0);

/// Merges samples of nearly the same place into their mean with their total weight.
std::vector<WeightedColor> binned(const std::vector<WeightedColor>& samples, double range_sigma);

/// Orders the colours by how much each adds to what the earlier ones represent: an incremental
/// Cholesky factorisation, with pivoting, of the kernel over the bins. Rare colours count for more
/// than their number; otherwise a few red leaves in the grass would share one centre.
class Pivots {
 public:
  Pivots(const std::vector<WeightedColor>& bins, double falloff)
      : bins_(bins), falloff_(falloff), left_(bins.size(), 1.0), factor_(bins.size()) {
    for (const WeightedColor& s : bins)
      preference_.push_back(std::pow(static_cast<double>(s.weight), 0.25));
  }

  /// The first `count` colours.
  std::vector<Sample> first(std::size_t count) {
    while (order_.size() < count) add();
    return {order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count)};
  }

 private:
  void add();

  const std::vector<WeightedColor>& bins_;
  double falloff_;
  std::vector<double> left_, preference_;
  std::vector<std::vector<double>> factor_;  // by bin
  std::vector<Sample> order_;
};

/// Moves the centres towards the means of their nearest bins.
void settle(std::vector<Sample>& centres, const std::vector<WeightedColor>& bins);

}  // namespace sfumato::colors
