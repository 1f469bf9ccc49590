// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Small pictures in memory, and recipes of one step, for tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/session.hpp"
#include "image/difference.hpp"
#include "image/transfer.hpp"
#include "params/recipe.hpp"
#include "params/text.hpp"

namespace sfumato::testing {

/// A picture that owns its stored pixels.
struct Image {
  PictureFormat format;
  std::vector<char> bytes;

  explicit Image(const PictureFormat& f)
      : format(f),
        bytes(static_cast<std::size_t>(f.width) * static_cast<std::size_t>(f.height) *
              f.pixel_bytes()) {}

  HostView view() {
    return {
        bytes.data(),
        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(format.width) * format.pixel_bytes()),
        format.rect()};
  }
  char* sample(int x, int y, int c) {
    return static_cast<char*>(view().row(y)) +
           (x * format.channels + c) * sample_bytes(format.type);
  }
  float get(int x, int y, int c) { return read_sample(sample(x, y, c), format.type); }
  void set(int x, int y, int c, float v) { write_sample(sample(x, y, c), format.type, v, 0.5f); }
};

/// Floats in linear light; four channels include straight alpha.
inline PictureFormat linear_format(int w, int h, int channels) {
  const AlphaKind alpha = channels == 4 ? AlphaKind::straight : AlphaKind::none;
  return {w, h, channels, SampleType::f32, alpha, Coding::linear()};
}

inline float noise_at(std::uint32_t& seed) {
  seed = seed * 1664525u + 1013904223u;
  return static_cast<float>(seed >> 8) / 16777216.0f;
}

/// Smooth ramps, a hard edge, and noise; alpha runs from transparent to opaque.
inline Image scene(const PictureFormat& format, std::uint32_t seed = 1) {
  Image image(format);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      for (int c = 0; c < format.channels; ++c) {
        float v = 0.35f + 0.25f * std::sin(0.21f * static_cast<float>(x) + static_cast<float>(c)) +
                  0.2f * noise_at(seed);
        if (x + y > (format.width + format.height) / 2) v = 1.0f - 0.7f * v;
        if (format.has_alpha() && c == format.channels - 1) {
          v = std::min(1.0f, static_cast<float>(x) / 9.0f);
        }
        image.set(x, y, c, v);
      }
    }
  }
  return image;
}

/// A larger picture with `inner` at (x, y), surrounded by 0.5, equally wide on the other sides.
inline Image framed(Image& inner, int x, int y) {
  PictureFormat format = inner.format;
  format.width += 2 * x;
  format.height += 2 * y;
  Image out(format);
  for (int v = 0; v < format.height; ++v) {
    for (int u = 0; u < format.width; ++u) {
      const bool inside = inner.format.rect().contains({u - x, v - y, u - x + 1, v - y + 1});
      for (int c = 0; c < format.channels; ++c) {
        out.set(u, v, c, inside ? inner.get(u - x, v - y, c) : 0.5f);
      }
    }
  }
  return out;
}

inline Recipe one_step(const std::string& filter, const Values& values) {
  return recipe_of(Registry::get().at(filter).filter->info(), values);
}

/// A recipe of one step, its values as on the command line.
inline Recipe one_step(const std::string& filter,
                       const std::vector<std::pair<std::string, std::string>>& texts) {
  Values values;
  const ParameterSet& set = Registry::get().at(filter).filter->info().parameters;
  for (const auto& [name, text] : texts) set_text(values, set, name, text);
  return one_step(filter, values);
}

inline Image run(Session& session, const Recipe& recipe, Image& input, const PictureFormat& output,
                 const RenderOptions& options = {}) {
  Image result(output);
  MemorySource source(input.format, input.view());
  MemorySink sink(output, result.view());
  session.render(recipe, source, sink, options);
  return result;
}

/// The largest difference of two pictures of one format; infinite where only one has a NaN.
inline double largest_difference(Image& a, Image& b) {
  return difference_between(a.view(), b.view(), a.format).largest;
}

}  // namespace sfumato::testing
