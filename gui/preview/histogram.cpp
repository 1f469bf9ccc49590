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
  static std::size_t bin(unsigned sample) { return static_cast<std::size_t>(sample) >> 8; }

  // Whether all values are between black and white, and none is a NaN.
  bool all_inside(const float* values, int count) const {
    const float white = white_;
    int inside = 1;
    for (int i = 0; i < count; ++i) {
      inside &= static_cast<int>(values[i] >= 0) & static_cast<int>(values[i] <= white);
    }
    return inside != 0;
  }

  template <int channels>
  void count_inside(const float* row, int width) {
    const auto count = static_cast<std::size_t>(width) * channels;
    samples_.resize(count);
    tone_.convert(row, static_cast<int>(count), samples_.data());
    const quint16* pixel = samples_.data();
    for (int x = 0; x < width; ++x, pixel += channels) {
      for (int c = 0; c < channels; ++c) {
        ++out.channel[static_cast<std::size_t>(c)][bin(pixel[c])];
      }
      ++out.luminance[bin(channels == 1 ? pixel[0] : luminance(pixel))];
    }
    out.pixels += static_cast<std::uint32_t>(width);
  }

  // Rec. 709, rounded.
  template <typename Sample>
  static unsigned luminance(const Sample* rgb) {
    return (2126U * rgb[0] + 7152U * rgb[1] + 722U * rgb[2] + 5000U) / 10000U;
  }

  void count(const float* pixel) {
    const float alpha = format_.has_alpha() ? pixel[format_.channels - 1] : 1.0f;
    if (!(alpha > 0)) return;
    const float scale = format_.alpha == AlphaKind::premultiplied ? 1 / alpha : 1.0f;
    std::array<quint16, 3> samples{};
    bool numbers = true;
    for (int c = 0; c < out.channels; ++c) numbers &= count(pixel[c] * scale, c, samples);
    ++out.pixels;
    if (!numbers) return;
    ++out.luminance[bin(out.channels == 1 ? samples[0] : luminance(samples.data()))];
  }

  bool count(float value, int c, std::array<quint16, 3>& samples) {
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
  std::vector<quint16> samples_;  // of a row
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
