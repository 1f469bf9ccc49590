// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Positions of pixels in the picture, and the border rule: the host's twin of cl/shared/plane.clh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sfumato {

/// A rectangle of pixels, [x0, x1) by [y0, y1), in picture coordinates.
struct Rect {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  std::int64_t area() const { return empty() ? 0 : static_cast<std::int64_t>(width()) * height(); }
  bool contains(const Rect& o) const {
    return o.x0 >= x0 && o.y0 >= y0 && o.x1 <= x1 && o.y1 <= y1;
  }
  Rect grown(int dx, int dy) const { return {x0 - dx, y0 - dy, x1 + dx, y1 + dy}; }
  Rect intersected(const Rect& o) const {
    return {std::max(x0, o.x0), std::max(y0, o.y0), std::min(x1, o.x1), std::min(y1, o.y1)};
  }
  /// The smallest rectangle that contains both; neither may be empty.
  Rect united(const Rect& o) const {
    return {std::min(x0, o.x0), std::min(y0, o.y0), std::max(x1, o.x1), std::max(y1, o.y1)};
  }
  bool operator==(const Rect&) const = default;
};

/// Layout of a buffer's pixels. Passed to kernels by value: six ints, in the order of plane.clh.
struct Plane {
  int x = 0, y = 0;           ///< picture coordinates of the first pixel in the buffer
  int width = 0, height = 0;  ///< size of the held region, in pixels
  int stride = 0;             ///< pixels from one row to the next
  int offset = 0;             ///< pixels in the buffer before the first one

  Rect rect() const { return {x, y, x + width, y + height}; }
  std::ptrdiff_t index(int px, int py) const {
    return offset + static_cast<std::ptrdiff_t>(py - y) * stride + (px - x);
  }
  bool operator==(const Plane&) const = default;
};

/// What replaces the pixels outside the picture, in the order of BORDER_* in plane.clh.
enum class Border : int { clamp, mirror, wrap, zero, renormalise };

/// Parses a border name as the parameter `border` spells it.
std::optional<Border> border_from_name(std::string_view name);

/// The rectangle outside which the border rule applies, laid out as in plane.clh.
struct Edge {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int rule = 0;

  Edge() = default;
  Edge(const Rect& r, Border b)
      : x0(r.x0), y0(r.y0), x1(r.x1), y1(r.y1), rule(static_cast<int>(b)) {}
  Border border() const { return static_cast<Border>(rule); }
  bool operator==(const Edge&) const = default;
};

/// "No such pixel" (borders zero and renormalise).
inline constexpr int nowhere = -(1 << 30);

/// The coordinate in [lo, hi) that replaces `i` under `rule`, or `nowhere`.
inline int border_index(int i, int lo, int hi, Border rule) {
  if (i >= lo && i < hi) return i;
  const int n = hi - lo;
  switch (rule) {
    case Border::clamp:
      return std::clamp(i, lo, hi - 1);
    case Border::mirror: {
      if (n == 1) return lo;
      const int period = 2 * (n - 1);
      int k = (i - lo) % period;
      if (k < 0) k += period;
      return lo + (k < n ? k : period - k);
    }
    case Border::wrap: {
      const int k = (i - lo) % n;
      return lo + (k < 0 ? k + n : k);
    }
    default:
      return nowhere;
  }
}

}  // namespace sfumato
