// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny's gray picture and gradient, pixel by pixel.
#include "filters/canny/gray.hpp"

#include <algorithm>
#include <cmath>

namespace sfumato {
namespace {

constexpr float most_units = 44739240;  // of one colour; see canny/gray.clh
constexpr std::int32_t no_gray = INT32_MIN;
constexpr int weight_scale = 65535;  // of alpha

// The sum of a pixel's colours, or the marker of a missing pixel, and its weight, alpha.
std::int32_t gray_of(const float* pixel, int channels, bool has_alpha, bool missing, int& weight) {
  weight = weight_scale;
  if (pixel == nullptr) {
    if (missing) weight = 0;
    return missing ? no_gray : 0;
  }
  if (has_alpha) {
    const float alpha = pixel[3] > 0 ? std::fmin(pixel[3], 1.0f) : 0.0f;
    weight = static_cast<int>(std::rint(alpha * static_cast<float>(weight_scale)));
    if (weight == 0) return no_gray;
  }
  std::int32_t sum = 0;
  for (int c = 0; c < std::min(channels, 3); ++c) {
    if (!std::isfinite(pixel[c])) continue;
    const float scaled = pixel[c] * static_cast<float>(canny_units);
    sum += static_cast<std::int32_t>(std::rint(std::clamp(scaled, -most_units, most_units)));
  }
  return sum;
}

// Symmetric taps around sample i, over samples `step` apart.
float sum_around(const std::vector<float>& taps, const std::vector<float>& from, std::size_t i,
                 std::size_t step) {
  float sum = from[i] * taps[0];
  for (std::size_t k = 1; k < taps.size(); ++k) {
    sum = std::fma(taps[k], from[i - k * step] + from[i + k * step], sum);
  }
  return sum;
}

}  // namespace

CannySector CannyGradient::sector() const {
  // tan(pi / 8) and tan(3 pi / 8) in 32768ths, as OpenCV has them.
  const std::int64_t ax = std::abs(std::int64_t{x}), ay = std::abs(std::int64_t{y});
  if (ay * 32768 < ax * 13573) return CannySector::horizontal;
  if (ay * 32768 > ax * (13573 + 65536)) return CannySector::vertical;
  return (x < 0) == (y < 0) ? CannySector::falling : CannySector::rising;
}

// The gray picture before blurring; multiplied by weights if samples may be missing.
struct CannyGray::Weighed {
  std::vector<std::int32_t> gray;
  std::vector<float> values, weights;
};

CannyGray::Weighed CannyGray::weigh(const CannySettings& settings, const ReferenceJob& job,
                                    const Rect& rect) {
  const Sampler source(job.input, job.edge);
  const bool has_alpha = settings.picture.has_alpha && job.input.channels == 4;
  const auto across = static_cast<std::size_t>(rect.width());
  const auto count = static_cast<std::size_t>(rect.area());
  Weighed to{std::vector<std::int32_t>(count), std::vector<float>(count),
             std::vector<float>(count)};
  job.rows.run(rect.y0, rect.y1, [&](int y) {
    const std::size_t row = static_cast<std::size_t>(y - rect.y0) * across;
    for (std::size_t i = 0; i < across; ++i) {
      int weight = weight_scale;
      const std::int32_t v = gray_of(source.at(rect.x0 + static_cast<int>(i), y),
                                     job.input.channels, has_alpha, settings.missing, weight);
      to.gray[row + i] = v;
      to.weights[row + i] = static_cast<float>(weight);
      to.values[row + i] = v == no_gray ? 0.0f : static_cast<float>(v);
      if (settings.missing) to.values[row + i] *= to.weights[row + i];
    }
  });
  return to;
}

CannyGray::CannyGray(const CannySettings& settings, const ReferenceJob& job, const Rect& rect)
    : rect_(rect.grown(1, 1)) {
  const int r = static_cast<int>(settings.taps.size()) - 1;
  const Rect wide = rect_.grown(r, r);
  Weighed weighed = weigh(settings, job, wide);
  if (r == 0) {
    pixels_ = std::move(weighed.gray);
    return;
  }
  blur(settings, job.rows, weighed, wide);
}

void CannyGray::blur(const CannySettings& settings, const ParallelRows& rows,
                     const Weighed& weighed, const Rect& wide) {
  const std::vector<float>& taps = settings.taps;
  const bool missing = settings.missing;
  const std::size_t reach = taps.size() - 1;
  const auto across = static_cast<std::size_t>(wide.width());
  const auto inner = static_cast<std::size_t>(rect_.width());
  std::vector<float> sums(inner * static_cast<std::size_t>(wide.height())), weight_sums;
  if (missing) weight_sums.resize(sums.size());
  rows.run(wide.y0, wide.y1, [&](int y) {
    const auto row = static_cast<std::size_t>(y - wide.y0);
    for (std::size_t i = 0; i < inner; ++i) {
      const std::size_t from = row * across + i + reach;
      sums[row * inner + i] = sum_around(taps, weighed.values, from, 1);
      if (missing) weight_sums[row * inner + i] = sum_around(taps, weighed.weights, from, 1);
    }
  });
  pixels_.resize(static_cast<std::size_t>(rect_.area()));
  rows.run(rect_.y0, rect_.y1, [&](int y) {
    const auto row = static_cast<std::size_t>(y - rect_.y0);
    for (std::size_t i = 0; i < inner; ++i) {
      std::int32_t& to = pixels_[row * inner + i];
      const std::size_t from = (row + reach) * inner + i;
      const float sum = sum_around(taps, sums, from, inner);
      if (!missing) {
        to = static_cast<std::int32_t>(std::rint(sum));
      } else if (weighed.gray[(row + reach) * across + i + reach] == no_gray) {
        to = no_gray;
      } else {
        const float weight = sum_around(taps, weight_sums, from, inner);
        to = static_cast<std::int32_t>(std::rint(sum / (weight > 0 ? weight : 1.0f)));
      }
    }
  });
}

CannyGradient CannyGray::gradient(int x, int y, CannyOperator kind) const {
  const std::int32_t c = at(x, y);
  if (c == no_gray) return {};
  const auto seen = [&](int dx, int dy) {
    const std::int32_t v = at(x + dx, y + dy);
    return v == no_gray ? c : v;
  };
  const std::int32_t e = seen(1, 0), s = seen(0, 1), se = seen(1, 1);
  if (kind == CannyOperator::two_by_two) return {4 * (e - c + se - s), 4 * (s - c + se - e)};
  const std::int32_t nw = seen(-1, -1), n = seen(0, -1), ne = seen(1, -1);
  const std::int32_t w = seen(-1, 0), sw = seen(-1, 1);
  return {ne - nw + 2 * (e - w) + se - sw, sw - nw + 2 * (s - n) + se - ne};
}

}  // namespace sfumato
