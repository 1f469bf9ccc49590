// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Counting.
#include "preview/histogram.hpp"

#include <cmath>

#include "preview/tone.hpp"

namespace sfumato::gui {
namespace {

constexpr double rounding = 1e-6;  // of white: what decoding and encoding may be off by

class Counter {
 public:
  Counter(const PictureFormat& format, double exposure)
      : format_(format),
        tone_(format.coding, Coding::srgb(), exposure),
        white_(static_cast<float>(tone_.white() * (1 + rounding))) {
    out.channels = format.color_channels() < 3 ? 1 : 3;
  }

  void count(const float* pixel) {
    const float alpha = format_.has_alpha() ? pixel[format_.channels - 1] : 1.0f;
    if (!(alpha > 0)) return;
    const float scale = format_.alpha == AlphaKind::premultiplied ? 1 / alpha : 1.0f;
    std::array<int, 3> codes{};
    bool numbers = true;
    for (int c = 0; c < out.channels; ++c) numbers &= count(pixel[c] * scale, c, codes);
    ++out.pixels;
    if (!numbers) return;
    const double luminance =
        out.channels == 1 ? codes[0] : 0.2126 * codes[0] + 0.7152 * codes[1] + 0.0722 * codes[2];
    ++out.luminance[bin(static_cast<int>(luminance + 0.5))];
  }

  Histogram out;

 private:
  static std::size_t bin(int code) { return static_cast<std::size_t>(code) >> 8; }

  bool count(float value, int c, std::array<int, 3>& codes) {
    const auto i = static_cast<std::size_t>(c);
    if (std::isnan(value)) {
      ++out.no_number[i];
      return false;
    }
    out.below[i] += value < 0 ? 1 : 0;
    out.above[i] += value > white_ ? 1 : 0;
    codes[i] = tone_(value);
    ++out.channel[i][bin(codes[i])];
    return true;
  }

  PictureFormat format_;
  Tone tone_;
  float white_;
};

}  // namespace

Histogram histogram_of(const HeldPicture& values, double exposure) {
  const PictureFormat& f = values.format;
  Counter counter(f, exposure);
  const HostView view = values.view();
  for (int y = 0; y < f.height; ++y) {
    const auto* pixel = static_cast<const float*>(view.row(y));
    for (int x = 0; x < f.width; ++x, pixel += f.channels) counter.count(pixel);
  }
  return counter.out;
}

}  // namespace sfumato::gui
