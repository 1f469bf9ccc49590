// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Scalar conversion of pixels at both ends of the engine.
#include "image/transfer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sfumato {
namespace {

// The dither pattern of cl/engine/transfer.cl.
float dither_at(int x, int y, int channel) {
  const float f = 0.06711056f * static_cast<float>(x + 37 * channel) +
                  0.00583715f * static_cast<float>(y + 17 * channel);
  const float g = 52.9829189f * (f - std::floor(f));
  return g - std::floor(g);
}

// Spreads stored channels to 1 or 4 channels.
void spread(const char* stored, const PictureFormat& format, float* pixel, int channels) {
  float v[4] = {};
  for (int c = 0; c < format.channels; ++c) {
    v[c] = read_sample(stored + c * sample_bytes(format.type), format.type);
  }
  if (channels == 1) {
    pixel[0] = v[0];
    return;
  }
  const bool gray = format.channels <= 2;
  for (int c = 0; c < 3; ++c) pixel[c] = gray ? v[0] : v[c];
  const bool has_fourth = format.channels == 4 || format.has_alpha();
  pixel[3] = has_fourth ? v[format.channels - 1] : 1.0f;
}

}  // namespace

float read_sample(const void* sample, SampleType type) {
  switch (type) {
    case SampleType::u8:
      return static_cast<float>(*static_cast<const std::uint8_t*>(sample)) / 255.0f;
    case SampleType::u16: {
      std::uint16_t v = 0;
      std::memcpy(&v, sample, sizeof v);
      return static_cast<float>(v) / 65535.0f;
    }
    case SampleType::f16: {
      std::uint16_t v = 0;
      std::memcpy(&v, sample, sizeof v);
      return half_to_float(v);
    }
    case SampleType::f32:
      break;
  }
  float v = 0;
  std::memcpy(&v, sample, sizeof v);
  return v;
}

void write_sample(void* sample, SampleType type, float value, float rounding) {
  if (type == SampleType::f32) {
    std::memcpy(sample, &value, sizeof value);
    return;
  }
  std::uint16_t wide = 0;
  if (type == SampleType::f16) {
    wide = float_to_half(value);
  } else {
    const float top = type == SampleType::u8 ? 255.0f : 65535.0f;
    const float positive = value > 0.0f ? value : 0.0f;  // turns NaN into 0 as well
    wide = static_cast<std::uint16_t>(std::min(positive * top + rounding, top));
  }
  if (type == SampleType::u8) {
    *static_cast<std::uint8_t*>(sample) = static_cast<std::uint8_t>(wide);
  } else {
    std::memcpy(sample, &wide, sizeof wide);
  }
}

void convert_pixel(float* pixel, int channels, const PixelState& from, const PixelState& to) {
  const bool same_curve = from.coding == to.coding;
  const int colors = channels == 1 ? 1 : 3;
  const float a = channels == 1 || from.alpha == AlphaKind::none ? 1.0f : pixel[3];
  const bool divide = from.alpha == AlphaKind::premultiplied && a != 0.0f &&
                      (to.alpha == AlphaKind::straight || !same_curve);
  const bool multiply = to.alpha == AlphaKind::premultiplied &&
                        (from.alpha == AlphaKind::straight || (divide && !same_curve));
  for (int c = 0; c < colors; ++c) {
    if (divide) pixel[c] /= a;
    if (!same_curve) {
      pixel[c] =
          static_cast<float>(encode(to.coding, decode(from.coding, static_cast<double>(pixel[c]))));
    }
    if (multiply) pixel[c] *= a;
  }
}

void load_pixels(const HostView& from, const PictureFormat& format, const FloatView& to,
                 const PixelState& state, const ParallelRows& rows) {
  const PixelState stored{format.coding, format.alpha};
  rows.run(to.plane.y, to.plane.y + to.plane.height, [&](int y) {
    const char* in = static_cast<const char*>(from.row(y)) +
                     static_cast<std::size_t>(to.plane.x - from.region.x0) * format.pixel_bytes();
    for (int x = to.plane.x; x < to.plane.x + to.plane.width; ++x) {
      float* pixel = to.at(x, y);
      spread(in, format, pixel, to.channels);
      convert_pixel(pixel, to.channels, stored, state);
      in += format.pixel_bytes();
    }
  });
}

namespace {

// Restores the original colours of pixels that were and stay transparent.
void keep_hidden(const HostView& original, const PictureFormat& format, int x, int y,
                 float* pixel) {
  const char* kept = static_cast<const char*>(original.row(y)) +
                     static_cast<std::size_t>(x - original.region.x0) * format.pixel_bytes();
  float before[4];
  spread(kept, format, before, 4);
  if (before[3] == 0.0f) std::copy_n(before, 3, pixel);
}

// Dither values of one pixel; all equal for a gray one.
std::array<float, 4> dithers_at(int x, int y, bool gray) {
  std::array<float, 4> all{};
  for (int c = 0; c < 4; ++c) all[static_cast<std::size_t>(c)] = dither_at(x, y, gray ? 0 : c);
  return all;
}

void write_pixel(const float* pixel, const std::array<float, 4>& roundings,
                 const PictureFormat& format, char* out) {
  for (int c = 0; c < format.channels; ++c) {
    const bool is_alpha = format.has_alpha() && c == format.channels - 1;
    const int lane = is_alpha ? 3 : c;
    write_sample(out + c * sample_bytes(format.type), format.type, pixel[lane],
                 roundings[static_cast<std::size_t>(lane)]);
  }
}

}  // namespace

void store_pixels(const FloatView& from, const PixelState& state, const HostView& to,
                  const PictureFormat& format, const HostView* original,
                  const PictureFormat* original_format, bool dither, const ParallelRows& rows) {
  const PixelState stored{format.coding, format.alpha};
  rows.run(to.region.y0, to.region.y1, [&](int y) {
    char* out = static_cast<char*>(to.row(y));
    for (int x = to.region.x0; x < to.region.x1; ++x) {
      float pixel[4] = {0, 0, 0, 1};
      std::copy_n(from.at(x, y), from.channels, pixel);
      convert_pixel(pixel, from.channels, state, stored);
      if (from.channels == 1) pixel[1] = pixel[2] = pixel[0];
      if (original != nullptr && format.has_alpha() && pixel[3] == 0.0f) {
        keep_hidden(*original, *original_format, x, y, pixel);
      }
      std::array<float, 4> rounding{0.5f, 0.5f, 0.5f, 0.5f};
      if (dither) rounding = dithers_at(x, y, from.channels == 1);
      write_pixel(pixel, rounding, format, out);
      out += format.pixel_bytes();
    }
  });
}

}  // namespace sfumato
