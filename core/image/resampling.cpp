// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "image/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "image/wide.hpp"

namespace sfumato {
namespace {

double sinc(double x) {
  const double at = std::numbers::pi * x;
  return std::abs(at) < 1e-9 ? 1 : std::sin(at) / at;
}

double mitchell(double x) {
  if (x < 1) return (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6;
  return (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6;
}

double radius_of(ResizeFilter filter) {
  return filter == ResizeFilter::lanczos3 ? 3 : filter == ResizeFilter::mitchell ? 2 : 0.5;
}

// The weight of the old sample [x, x + 1) for the new one whose centre is `centre`; `scale` new
// samples lie on an old one.
double weight(ResizeFilter filter, double x, double centre, double scale) {
  if (filter == ResizeFilter::box) {
    const double half = 0.5 / scale;
    return std::max(0.0, std::min(x + 1, centre + half) - std::max(x, centre - half));
  }
  const double distance = std::abs(x + 0.5 - centre) * std::min(1.0, scale);
  if (distance >= radius_of(filter)) return 0;
  return filter == ResizeFilter::mitchell ? mitchell(distance)
                                          : sinc(distance) * sinc(distance / radius_of(filter));
}

template <int Channels>
SFUMATO_PART void sum_across(const float* row, int first, int count, const float* weights,
                             float* to) {
  float sums[Channels] = {};
  const float* from = row + static_cast<std::ptrdiff_t>(first) * Channels;
  for (int i = 0; i < count; ++i, from += Channels) {
    for (int c = 0; c < Channels; ++c) sums[c] += weights[i] * from[c];
  }
  for (int c = 0; c < Channels; ++c) to[c] = sums[c];
}

SFUMATO_WIDE void sum_across(const float* row, int channels, const int* first, const int* count,
                             const float* weights, std::size_t most, int width, float* to) {
  for (int x = 0; x < width; ++x, weights += most, to += channels) {
    if (channels == 4) {
      sum_across<4>(row, first[x], count[x], weights, to);
    } else if (channels == 3) {
      sum_across<3>(row, first[x], count[x], weights, to);
    } else if (channels == 2) {
      sum_across<2>(row, first[x], count[x], weights, to);
    } else {
      sum_across<1>(row, first[x], count[x], weights, to);
    }
  }
}

// The weighted sum of `count` rows of `row` floats; sums of a block stay in the cache.
SFUMATO_WIDE void sum_down(const float* rows, std::size_t row, int count, const float* weights,
                           float* to) {
  constexpr std::size_t block = 256;
  for (std::size_t begin = 0; begin < row; begin += block) {
    const std::size_t size = std::min(block, row - begin);
    float sums[block] = {};
    const float* from = rows + begin;
    for (int i = 0; i < count; ++i, from += row) {
      for (std::size_t x = 0; x < size; ++x) sums[x] += weights[i] * from[x];
    }
    std::copy_n(sums, size, to + begin);
  }
}

}  // namespace

double Resizing::factor(const PictureSize& size) const {
  double out = scale > 0 ? scale : 1;
  if (most.width > 0) out = std::min(out, 1.0 * most.width / size.width);
  if (most.height > 0) out = std::min(out, 1.0 * most.height / size.height);
  return out;
}

PictureSize Resizing::of(const PictureSize& size) const {
  const double times = factor(size);
  const auto side = [times](int old) {
    constexpr double largest = 1 << 30;
    return std::max(1, static_cast<int>(std::min(largest, std::round(times * old))));
  };
  return {side(size.width), side(size.height)};
}

Resampler::Taps::Taps(int from, int to, ResizeFilter filter) {
  const double scale = 1.0 * to / from;
  const double reach = radius_of(filter) / std::min(1.0, scale) + 1;
  most = static_cast<std::size_t>(std::min<double>(from, std::ceil(2 * reach) + 1));
  weights.resize(most * static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) / scale;
    int begin = std::max(0, static_cast<int>(std::floor(centre - reach)));
    const int end = std::min(from, static_cast<int>(std::ceil(centre + reach)));
    while (begin < end - 1 && weight(filter, begin, centre, scale) == 0) ++begin;
    double sum = 0;
    int used = 0;
    float* to_weights = &weights[static_cast<std::size_t>(i) * most];
    for (int x = begin; x < end && used < static_cast<int>(most); ++x, ++used) {
      const double w = weight(filter, x, centre, scale);
      to_weights[used] = static_cast<float>(w);
      sum += w;
    }
    while (used > 1 && to_weights[used - 1] == 0) --used;
    for (int t = 0; t < used; ++t) to_weights[t] = static_cast<float>(to_weights[t] / sum);
    first.push_back(begin);
    count.push_back(used);
  }
}

Resampler::Resampler(const PictureSize& from, const PictureSize& to, int channels,
                     ResizeFilter filter)
    : channels_(channels),
      height_(to.height),
      row_(static_cast<std::size_t>(to.width) * static_cast<std::size_t>(channels)),
      across_(from.width, to.width, filter),
      down_(from.height, to.height, filter) {}

// Enough to be worth starting threads, few enough to be held.
int Resampler::rows_at_once() const {
  constexpr std::size_t floats = std::size_t{4} << 20, least = 16, most = 1024;
  return static_cast<int>(std::clamp(floats / row_, least, most));
}

// One thread for what is done sooner than others would be started.
const ParallelRows& Resampler::threads_for(int rows, std::size_t taps,
                                           const ParallelRows& parallel) const {
  constexpr std::size_t little = std::size_t{1} << 20;  // products
  static const ParallelRows alone({}, 1);
  return static_cast<std::size_t>(rows) * row_ * taps < little ? alone : parallel;
}

void Resampler::add(const float* rows, std::ptrdiff_t stride, int count, const Put& put,
                    const ParallelRows& parallel) {
  const int most = rows_at_once();
  for (int y = 0; y < count; y += most) {
    const int some = std::min(most, count - y);
    const int begin = held_y1_;
    held_y1_ += some;
    held_.resize(static_cast<std::size_t>(held_y1_ - held_y0_) * row_);
    threads_for(some, across_.most, parallel).run(0, some, [&](int i) {
      sum_across(rows + (y + i) * stride, channels_, across_.first.data(), across_.count.data(),
                 across_.weights.data(), across_.most, static_cast<int>(across_.first.size()),
                 held(begin + i));
    });
    put_ready(put, parallel);
  }
}

void Resampler::put_ready(const Put& put, const ParallelRows& parallel) {
  const int most = rows_at_once();
  while (next_ < height_ && down_.last(next_) <= held_y1_) {
    int end = next_ + 1;
    while (end < height_ && end - next_ < most && down_.last(end) <= held_y1_) ++end;
    made_.resize(static_cast<std::size_t>(end - next_) * row_);
    threads_for(end - next_, down_.most, parallel).run(next_, end, [&](int y) {
      const auto at = static_cast<std::size_t>(y);
      sum_down(held(down_.first[at]), row_, down_.count[at], down_.of(y),
               &made_[static_cast<std::size_t>(y - next_) * row_]);
    });
    put(next_, end, made_.data());
    next_ = end;
  }
  forget_rows();
}

// No later row of the new picture is made of them.
void Resampler::forget_rows() {
  const int needed =
      next_ < height_ ? std::min(held_y1_, down_.first[static_cast<std::size_t>(next_)]) : held_y1_;
  const auto floats = static_cast<std::size_t>(needed - held_y0_) * row_;
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(floats));
  held_y0_ = needed;
}

}  // namespace sfumato
