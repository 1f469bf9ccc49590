// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "image/orientation.hpp"
#include "io/resizing_sink.hpp"

namespace sfumato {
namespace {

constexpr std::uint8_t check_dark = 178, check_light = 208;

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::lround(255.0f * std::clamp(value, 0.0f, 1.0f)));
}

const float* pixel_of(HeldPicture& picture, int x, int y) {
  return static_cast<const float*>(picture.view().row(y)) + x * picture.format.channels;
}

// One pixel as displayed, over a checkerboard of 8 pixels.
void show(const float* pixel, const PictureFormat& format, int x, int y, std::uint8_t* to) {
  const int colors = format.color_channels();
  const float alpha = format.has_alpha() ? pixel[format.channels - 1] : 1.0f;
  const float behind = ((x / 8 + y / 8) % 2 == 0 ? check_light : check_dark) / 255.0f;
  for (int c = 0; c < 3; ++c) {
    const float value = pixel[colors >= 3 ? c : 0];
    to[c] = to_byte((std::isfinite(value) ? value : 1.0f) + (1.0f - alpha) * behind);
  }
}

}  // namespace

double gain_for(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  const double power = std::pow(10, std::floor(std::log10(1 / largest)));
  for (const double step : {5.0, 2.0}) {
    if (step * power * largest <= 1) return std::max(1.0, step * power);
  }
  return std::max(1.0, power);
}

Rect detail_around(const PictureFormat& format, int x, int y, int width, int height) {
  width = std::min(width, format.width);
  height = std::min(height, format.height);
  const int x0 = std::clamp(x - width / 2, 0, format.width - width);
  const int y0 = std::clamp(y - height / 2, 0, format.height - height);
  return {x0, y0, x0 + width, y0 + height};
}

HeldPicture detail_cell(HeldPicture& picture, int width, int height) {
  const PictureFormat& f = picture.format;
  const int times = std::max(1, std::min(width / f.width, height / f.height));
  HeldPicture cell = blank_picture(
      {f.width * times, f.height * times, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
  for (int y = 0; y < cell.format.height; ++y) {
    auto* to = static_cast<std::uint8_t*>(cell.view().row(y));
    for (int x = 0; x < cell.format.width; ++x) {
      show(pixel_of(picture, x / times, y / times), f, x, y, to + x * 3);
    }
  }
  return cell;
}

void convert(HeldPicture& picture, const ShowColors& colors) {
  if (!colors) return;
  const PictureFormat& f = picture.format;
  const auto width = static_cast<std::size_t>(f.width);
  std::vector<float> row(4 * width);
  const int last = f.color_channels() >= 3 ? 2 : 0;
  for (int y = 0; y < f.height; ++y) {
    auto* pixels = static_cast<float*>(picture.view().row(y));
    const auto alpha_of = [&](std::size_t x) {
      const float alpha = pixels[(x + 1) * static_cast<std::size_t>(f.channels) - 1];
      return f.has_alpha() && alpha > 0 ? alpha : 1.0f;
    };
    for (std::size_t x = 0; x < width; ++x) {
      const float* pixel = pixels + x * static_cast<std::size_t>(f.channels);
      for (std::size_t c = 0; c < 3; ++c) {
        row[4 * x + c] =
            pixel[std::min<std::size_t>(c, static_cast<std::size_t>(last))] / alpha_of(x);
      }
      row[4 * x + 3] = 1;
    }
    colors(row.data(), width);
    for (std::size_t x = 0; x < width; ++x) {
      const float alpha = alpha_of(x);
      float* pixel = pixels + x * static_cast<std::size_t>(f.channels);
      for (int c = 0; c <= last; ++c) pixel[c] = row[4 * x + static_cast<std::size_t>(c)] * alpha;
    }
  }
}

PictureSize size_in_cell(const PictureFormat& format, int width, int height) {
  return Resizing{{width, height}, 0, {}}.of({format.width, format.height});
}

HeldPicture whole_cell(HeldPicture& picture, int width, int height, const ShowColors& colors) {
  const PictureSize size = size_in_cell(picture.format, width, height);
  const bool fits = size == PictureSize{picture.format.width, picture.format.height};
  HeldPicture small = fits ? picture : resized(picture, size, cell_filter);
  convert(small, colors);
  return detail_cell(small, width, height);
}

HeldPicture upright_cell(HeldPicture cell, int orientation) {
  if (orientation == 1 || cell.bytes.empty()) return cell;
  const PictureFormat& f = cell.format;
  const bool swapped = swaps_sides(orientation);
  PictureFormat turned = f;
  if (swapped) std::swap(turned.width, turned.height);
  HeldPicture out = blank_picture(turned);
  const std::size_t bytes = f.pixel_bytes();
  for (int y = 0; y < turned.height; ++y) {
    auto* to = static_cast<char*>(out.view().row(y));
    for (int x = 0; x < turned.width; ++x, to += bytes) {
      const Rect from = stored_region({x, y, x + 1, y + 1}, f.width, f.height, orientation);
      const char* pixel = static_cast<const char*>(cell.view().row(from.y0)) +
                          static_cast<std::size_t>(from.x0) * bytes;
      std::copy_n(pixel, bytes, to);
    }
  }
  return out;
}

HeldPicture difference_picture(HeldPicture a, HeldPicture& b, float gain) {
  const PictureFormat& f = a.format;
  const int colors = f.color_channels();
  HeldPicture out{{f.width, f.height, 3, SampleType::f32, AlphaKind::none, Coding::srgb()}, {}};
  out.bytes.resize(static_cast<std::size_t>(f.width) * static_cast<std::size_t>(f.height) *
                   out.format.pixel_bytes());
  for (int y = 0; y < f.height; ++y) {
    auto* to = static_cast<float*>(out.view().row(y));
    for (int x = 0; x < f.width; ++x) {
      const float *pa = pixel_of(a, x, y), *pb = pixel_of(b, x, y);
      const auto difference = [pa, pb](int c) { return std::abs(pa[c] - pb[c]); };
      const float alpha = f.has_alpha() ? difference(f.channels - 1) : 0.0f;
      for (int c = 0; c < 3; ++c) {
        to[x * 3 + c] = gain * std::max(alpha, difference(colors >= 3 ? c : 0));
      }
    }
  }
  return out;
}

}  // namespace sfumato
