// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Counting.
#include "preview/histogram.hpp"

#include <cmath>
#include <vector>

#include "image/parallel_rows.hpp"
#include "preview/tone.hpp"

namespace sfumato::gui {
namespace {

constexpr double coding_error = 1e-6;  // relative to white: rounding error of decoding and encoding

class Counter {
 public:
  Counter(const PictureFormat& format, double exposure)
      : format_(format),
        tone_(format.coding, Coding::srgb(), exposure),
        white_(static_cast<float>(tone_.white() * (1 + coding_error))) {
    out.channels = format.color_channels() < 3 ? 1 : 3;
  }

  void count_row(const float* row, int width) {
    if (format_.has_alpha() || !all_inside(row, width * format_.channels)) {
      for (int x = 0; x < width; ++x)
        count(row + static_cast<std::ptrdiff_t>(x) * format_.channels);
    } else if (out.channels == 1) {
      count_inside<1>(row, width);
    } else {
      count_inside<3>(row, width);
    }
  }

  Histogram out;

 private:
  static std::size_t bin(int sample) { return static_cast<std::size_t>(sample) >> 8; }

  // Whether all values are between black and white, and none is a NaN.
  bool all_inside(const float* values, int count) const {
    int outside = 0;
    for (int i = 0; i < count; ++i) outside += values[i] >= 0 && values[i] <= white_ ? 0 : 1;
    return outside == 0;
  }

  template <int channels>
  void count_inside(const float* pixel, int width) {
    for (int x = 0; x < width; ++x, pixel += format_.channels) {
      std::array<int, channels> samples;
      for (std::size_t c = 0; c < channels; ++c) {
        samples[c] = tone_(pixel[c]);
        ++out.channel[c][bin(samples[c])];
      }
      ++out.luminance[bin(luminance(samples))];
    }
    out.pixels += static_cast<std::uint32_t>(width);
  }

  template <std::size_t channels>
  static int luminance(const std::array<int, channels>& samples) {
    if constexpr (channels == 1) {
      return samples[0];
    } else {
      return static_cast<int>(0.2126 * samples[0] + 0.7152 * samples[1] + 0.0722 * samples[2] +
                              0.5);
    }
  }

  void count(const float* pixel) {
    const float alpha = format_.has_alpha() ? pixel[format_.channels - 1] : 1.0f;
    if (!(alpha > 0)) return;
    const float scale = format_.alpha == AlphaKind::premultiplied ? 1 / alpha : 1.0f;
    std::array<int, 3> samples{};
    bool numbers = true;
    for (int c = 0; c < out.channels; ++c) numbers &= count(pixel[c] * scale, c, samples);
    ++out.pixels;
    if (!numbers) return;
    ++out.luminance[bin(out.channels == 1 ? samples[0] : luminance(samples))];
  }

  bool count(float value, int c, std::array<int, 3>& samples) {
    const auto i = static_cast<std::size_t>(c);
    if (std::isnan(value)) {
      ++out.no_number[i];
      return false;
    }
    out.below[i] += value < 0 ? 1 : 0;
    out.above[i] += value > white_ ? 1 : 0;
    samples[i] = tone_(value);
    ++out.channel[i][bin(samples[i])];
    return true;
  }

  PictureFormat format_;
  Tone tone_;
  float white_;
};

template <std::size_t N>
void add(const std::array<std::uint32_t, N>& part, std::array<std::uint32_t, N>& sum) {
  for (std::size_t i = 0; i < N; ++i) sum[i] += part[i];
}

void add(const Histogram& part, Histogram& sum) {
  for (std::size_t c = 0; c < 3; ++c) add(part.channel[c], sum.channel[c]);
  add(part.luminance, sum.luminance);
  add(part.below, sum.below);
  add(part.above, sum.above);
  add(part.no_number, sum.no_number);
  sum.pixels += part.pixels;
}

}  // namespace

Histogram histogram_of(const HeldPicture& values, double exposure) {
  const PictureFormat& f = values.format;
  constexpr int bands = 8;
  std::vector<Counter> counters(bands, Counter(f, exposure));
  const HostView view = values.view();
  ParallelRows().run(0, bands, [&](int band) {
    Counter& counter = counters[static_cast<std::size_t>(band)];
    for (int y = f.height * band / bands; y < f.height * (band + 1) / bands; ++y) {
      counter.count_row(static_cast<const float*>(view.row(y)), f.width);
    }
  });
  Histogram sum = counters.front().out;
  for (std::size_t band = 1; band < bands; ++band) add(counters[band].out, sum);
  return sum;
}

}  // namespace sfumato::gui
