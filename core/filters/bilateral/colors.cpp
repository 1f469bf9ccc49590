// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colours of a picture: bins of similar ones, and centres chosen among them.
#include "filters/bilateral/colors.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace sfumato::colors {

std::vector<WeightedColor> seen(const std::vector<float>& pixels, const BilateralRequest& request,
                                bool has_alpha, std::size_t one) {
  const auto channels = static_cast<std::size_t>(request.channels);
  const bool whole = channels == 4 && !filters_channels_apart(request);
  const std::size_t channel = channels == 4 ? one : 0;
  std::vector<WeightedColor> out(pixels.size() / channels);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float* p = pixels.data() + i * channels;
    const float v = p[channel];
    const Sample color = whole ? Sample{p[0], p[1], p[2]} : Sample{v, v, v};
    Sample place{v, 0, 0};
    if (request.distance == BilateralDistance::color) {
      place = color;  // gray counts as three equal channels
    } else if (whole) {
      place[0] = 0.2126f * p[0] + 0.7152f * p[1] + 0.0722f * p[2];
    }
    const float weight = channels == 4 && has_alpha ? p[3] : 1.0f;
    const bool good = std::isfinite(color[0] + color[1] + color[2]) && std::isfinite(weight);
    if (good && weight > 0) out[i] = {color, place, weight};
  }
  return out;
}

std::vector<WeightedColor> binned(const std::vector<WeightedColor>& samples, double range_sigma) {
  std::map<std::array<double, 3>, std::array<double, 4>> bins;
  for (const WeightedColor& s : samples) {
    if (s.weight == 0) continue;
    std::array<double, 3> cell{};
    for (std::size_t c = 0; c < 3; ++c) {
      cell[c] = std::floor(static_cast<double>(s.place[c]) / (0.4 * range_sigma));
    }
    std::array<double, 4>& sum = bins[cell];
    const double weight = static_cast<double>(s.weight);
    for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * static_cast<double>(s.place[c]);
    sum[3] += weight;
  }
  std::vector<WeightedColor> out;
  for (const auto& [cell, sum] : bins) {
    WeightedColor& bin = out.emplace_back();
    for (std::size_t c = 0; c < 3; ++c) bin.place[c] = static_cast<float>(sum[c] / sum[3]);
    bin.weight = static_cast<float>(sum[3]);
  }
  return out;
}

void Pivots::add() {
  std::size_t best = 0;
  for (std::size_t i = 1; i < bins_.size(); ++i) {
    if (left_[i] * preference_[i] > left_[best] * preference_[best]) best = i;
  }
  const std::vector<double> row = factor_[best];
  const double root = std::sqrt(std::max(left_[best], 1e-9));
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    double value = similarity(bins_[i].place, bins_[best].place, falloff_);
    for (std::size_t j = 0; j < row.size(); ++j) value -= factor_[i][j] * row[j];
    value /= root;
    factor_[i].push_back(value);
    left_[i] = std::max(0.0, left_[i] - value * value);
  }
  order_.push_back(bins_[best].place);
}

namespace {

std::size_t nearest_centre(const std::vector<Sample>& centres, const Sample& color) {
  std::size_t best = 0;
  double nearest = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const double d = squared_distance(color, centres[k]);
    if (d < nearest) {
      nearest = d;
      best = k;
    }
  }
  return best;
}

}  // namespace

void settle(std::vector<Sample>& centres, const std::vector<WeightedColor>& bins) {
  for (int round = 0; round < 4; ++round) {
    std::vector<std::array<double, 4>> sums(centres.size());
    for (const WeightedColor& s : bins) {
      std::array<double, 4>& sum = sums[nearest_centre(centres, s.place)];
      const double weight = std::sqrt(static_cast<double>(s.weight));
      for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * static_cast<double>(s.place[c]);
      sum[3] += weight;
    }
    for (std::size_t k = 0; k < centres.size(); ++k) {
      for (std::size_t c = 0; c < 3 && sums[k][3] > 0; ++c) {
        centres[k][c] = static_cast<float>(sums[k][c] / sums[k][3]);
      }
    }
  }
}

}  // namespace sfumato::colors
