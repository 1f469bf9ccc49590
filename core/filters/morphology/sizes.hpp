// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Bytes, lanes and local memory of morphology's passes. Private to the planner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "filters/morphology/plan.hpp"
#include "filters/shared/integer_division.hpp"

namespace sfumato::morphology {

// The widest reach of one pass along rows on GPUs: two lines of 512 + 2 * 480 pixels fit into 48
// KiB.
inline constexpr int row_span = 512, row_reach = 480;
// Limits for the number of rows that CPUs compute at once.
inline constexpr int least_band = 256, most_band = 4096;

inline std::size_t size_of(int count) {
  return static_cast<std::size_t>(std::max(0, count));
}

inline bool holds_samples(const MorphologyRequest& request) {
  return request.storage != PixelStorage::f32;
}
// Samples per stored pixel.
inline int each_of(const MorphologyRequest& request) {
  return request.storage == PixelStorage::u8_packed3 ? 3 : request.channels;
}
inline int sample_bytes(const MorphologyRequest& request) {
  return holds_samples(request) ? 1 : 4;
}
// Samples that CPUs compare at once.
inline constexpr int most_lanes = 64;
inline bool wide(const MorphologyRequest& request) {
  return request.device.built_in && holds_samples(request);
}
inline int lanes_of(const MorphologyRequest& request) {
  return wide(request) ? most_lanes : 16;
}
// Bytes of one stored pixel, and of its keys.
inline int pixel_bytes(const MorphologyRequest& request) {
  return each_of(request) * sample_bytes(request);
}
inline int key_bytes(const MorphologyRequest& request) {
  return (request.device.cpu ? each_of(request) : request.channels) * sample_bytes(request);
}

// On CPUs, the most local memory to use, and the part to keep in the cache.
inline std::size_t most_bytes(const MorphologyRequest& request) {
  constexpr std::size_t most = std::size_t{896} << 10, rest = std::size_t{16} << 10;
  return std::min(most, request.device.local_memory - rest);
}
inline std::size_t line_bytes(const MorphologyRequest& request) {
  return std::min(std::size_t{512} << 10, most_bytes(request));
}

// Whether the rows that one window reaches, at least one vector wide, exceed local memory and go to
// a buffer.
inline bool rows_apart(const MorphologyRequest& request, int reach, int longest) {
  const int vector = lanes_of(request) * sample_bytes(request);
  const std::size_t rows = size_of(2 * reach + 1) * size_of(vector);
  if (request.shape == MorphologyShape::square) return rows > most_bytes(request);
  const int each = std::lcm(lanes_of(request), each_of(request)) *
                   sample_bytes(request);  // whole pixels and vectors
  const std::size_t line = size_of(each + 2 * longest * pixel_bytes(request)) + 256;
  return size_of(2 * reach + 1) * size_of(each) + line + 64 > most_bytes(request);
}

// On CPUs, how many pixels of a row the kernel for small squares takes at once; 0 if the square is
// not small, or the rows that its windows reach do not fit into local memory.
inline int near_span(const MorphologyRequest& request, int reach) {
  constexpr int most_reach = 12, least = 64, most = 1024;
  if (!request.device.cpu || request.shape != MorphologyShape::square || reach > most_reach) {
    return 0;
  }
  const std::size_t pixel = size_of(pixel_bytes(request)), rows = size_of(2 * reach + 2);
  const auto bytes = [&](std::size_t span) {
    return (rows + 1) * span * pixel + size_of(2 * reach) * pixel + 256;
  };
  const std::size_t fitting =
      (std::size_t{96} << 10) / ((rows + 1) * pixel) / most_lanes * most_lanes;
  const std::size_t span = std::clamp<std::size_t>(fitting, least, most);
  return bytes(span) <= most_bytes(request) ? static_cast<int>(span) : 0;
}

// On GPUs, the pass that does rows and columns of small squares at once.
inline constexpr int strip_items = 128, strip_step = 8;
struct StripSizes {
  int columns;             // of a strip
  int pitch, lines;        // pixels of a row with its reach, rows of the ring
  std::size_t wide, ring;  // bytes
};
inline StripSizes strip_sizes(const MorphologyRequest& request, int rx, int ry) {
  const auto padded = [](int columns) { return columns + columns / 8; };
  StripSizes sizes{};
  sizes.columns = strip_items / request.channels;
  sizes.pitch = padded(sizes.columns + 2 * rx) + 1;
  sizes.lines = round_up(2 * ry, strip_step) + strip_step;
  const std::size_t key = size_of(key_bytes(request));
  sizes.wide = strip_step * size_of(sizes.pitch) * key;
  sizes.ring = size_of(sizes.lines) * size_of(padded(sizes.columns)) * key;
  return sizes;
}
// Whether it is the fastest, and fits into local memory.
inline bool fits_strip(const MorphologyRequest& request) {
  constexpr int most_reach = 24;
  if (request.device.cpu || request.radius > most_reach) return false;
  const StripSizes sizes = strip_sizes(request, request.radius, request.radius);
  return sizes.wide + sizes.ring <= request.device.local_memory;
}

}  // namespace sfumato::morphology
