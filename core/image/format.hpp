// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the numbers of a picture mean: sample type, channels, alpha kind and tone curve.
#pragma once

#include <cstddef>
#include <cstdint>

#include "image/plane.hpp"

namespace sfumato {

/// How one sample is stored. Integers span 0..1.
enum class SampleType : int { u8, u16, f16, f32 };

/// Bytes of one sample.
constexpr int sample_bytes(SampleType type) {
  return type == SampleType::u8 ? 1 : type == SampleType::f32 ? 4 : 2;
}
constexpr bool is_integer(SampleType type) {
  return type == SampleType::u8 || type == SampleType::u16;
}

/// Whether the last channel is opacity, and whether colour is premultiplied by it.
enum class AlphaKind : int { none, straight, premultiplied };

/// The tone curve of the stored numbers: linear, sRGB or a plain power. Every curve is extended
/// below zero as an odd function, f(-x) = -f(x), and continues above one.
struct Coding {
  enum class Curve : int { linear, srgb, gamma };
  Curve curve = Curve::srgb;
  float gamma = 1.0f;  ///< decoding exponent of Curve::gamma

  static Coding linear() { return {Curve::linear, 1.0f}; }
  static Coding srgb() { return {Curve::srgb, 1.0f}; }
  static Coding power(float g) { return {Curve::gamma, g}; }
  bool operator==(const Coding&) const = default;
};

/// Decodes one stored number to light, and encodes it again (IEC 61966-2-1 for sRGB).
double decode(Coding coding, double value);
double encode(Coding coding, double value);

/// The light in which a filter works (parameter `light`).
enum class Light : int { linear, display, stored };

/// Everything about a picture except its pixels.
struct PictureFormat {
  int width = 0, height = 0;
  int channels = 4;  ///< 1 gray, 2 gray + alpha, 3 RGB, 4 RGBA, interleaved
  SampleType type = SampleType::u8;
  AlphaKind alpha = AlphaKind::none;  ///< required for 2 and 4 channels that end in opacity
  Coding coding = Coding::srgb();

  bool has_alpha() const { return alpha != AlphaKind::none; }
  int color_channels() const { return channels - (has_alpha() ? 1 : 0); }
  std::size_t pixel_bytes() const {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(sample_bytes(type));
  }
  /// Bytes of one row and of all pixels, packed.
  std::size_t row_bytes() const { return static_cast<std::size_t>(width) * pixel_bytes(); }
  std::size_t bytes() const { return static_cast<std::size_t>(height) * row_bytes(); }
  Rect rect() const { return {0, 0, width, height}; }

  bool operator==(const PictureFormat&) const = default;
};

/// Pixels in host memory. The row stride, in bytes, is signed: rows may run upwards.
struct HostView {
  void* data = nullptr;
  std::ptrdiff_t row_stride = 0;
  Rect region;  ///< the part of the picture that this memory holds

  void* row(int y) const {
    return static_cast<char*>(data) + static_cast<std::ptrdiff_t>(y - region.y0) * row_stride;
  }
};

/// Float pixels in host memory, one or four channels: the data of the scalar references.
struct FloatView {
  float* data = nullptr;
  Plane plane;
  int channels = 4;

  float* at(int x, int y) const { return data + plane.index(x, y) * channels; }
};

/// IEEE half precision to float and back, rounded to nearest even, without hardware support.
float half_to_float(std::uint16_t half);
std::uint16_t float_to_half(float value);

}  // namespace sfumato
