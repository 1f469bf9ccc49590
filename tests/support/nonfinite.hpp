// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures with non-finite samples, and the agreement of two results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "filters/filter.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

/// A non-finite sample; channel -1: in all colours of its pixel.
struct BadSample {
  int x, y, channel;
  float value;
};

/// Some in single colours, in whole pixels and in a corner; in alpha; in gray.
inline std::vector<BadSample> bad_samples(const PictureFormat& format, bool in_alpha) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<BadSample> places = {
      {0, 20, -1, nan},       {11, 9, 0, nan},        {7, 6, 1, nan},       {19, 3, 0, infinity},
      {25, 13, -1, infinity}, {14, 15, 2, -infinity}, {32, 0, 1, -infinity}};
  if (in_alpha) places = {{6, 5, 3, nan}, {22, 14, 3, infinity}};
  if (format.channels == 1) {
    places = {{0, 0, 0, nan}, {9, 12, 0, infinity}, {24, 5, 0, -infinity}, {23, 17, 0, nan}};
  }
  for (BadSample& bad : places) {  // laid out on 33 x 21
    bad.x = bad.x * format.width / 33;
    bad.y = bad.y * format.height / 21;
  }
  return places;
}

inline Image spoilt_scene(const PictureFormat& format, const std::vector<BadSample>& places) {
  Image image = scene(format);
  for (const BadSample& bad : places) {
    const int first = std::max(bad.channel, 0);
    const int last = bad.channel < 0 ? std::min(format.channels, 3) - 1 : bad.channel;
    for (int c = first; c <= last; ++c) image.set(bad.x, bad.y, c, bad.value);
  }
  return image;
}

/// A filter's reach around each result, on a device and by the reference; the picture's size if the
/// border wraps, else 0.
struct Reach {
  Needs device, reference;
  int wrap_width = 0, wrap_height = 0;

  /// Whether a bad sample may reach channel `c` at (x, y) through only one of two windows. The
  /// declared reach may be wider than the window itself.
  bool undecided(const std::vector<BadSample>& places, int x, int y, int c) const {
    const auto apart = [](int a, int b, int around) {
      const int d = std::abs(a - b);
      return around > 0 ? std::min(d, around - d) : d;
    };
    const bool whole = device.whole_image != reference.whole_image;
    const bool same = device.halo_x == reference.halo_x && device.halo_y == reference.halo_y;
    if (same && !whole) return false;
    bool reached = false;
    for (const BadSample& bad : places) {
      const int dx = apart(x, bad.x, wrap_width), dy = apart(y, bad.y, wrap_height);
      // In the middle of both windows it reaches both, unless one reads bad samples as 0.
      const bool own = bad.channel < 0 || bad.channel == 3 || bad.channel == c;
      if (dx == 0 && dy == 0 && own && !whole) continue;
      const bool in_device = dx <= device.halo_x && dy <= device.halo_y;
      const bool in_reference = dx <= reference.halo_x && dy <= reference.halo_y;
      reached = reached || in_device || in_reference;
    }
    return reached;
  }
};

/// The results for the spoilt picture on a device and by the reference, and on the device for the
/// same picture without its bad samples.
struct Results {
  Image device, reference, unspoilt;
};

/// Whether two samples are equal within the tolerance: see disagreement().
inline bool agree(float a, float b, double tolerance) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (tolerance == 0 || std::isfinite(a) != std::isfinite(b)) return false;
  return !std::isfinite(a) || std::abs(a - b) <= tolerance;
}

/// Where a device does not agree with the reference: for a `tolerance` of 0 values must be equal
/// (any two NaNs are), otherwise NaNs and infinities must match. Where only one of them may be
/// affected by a bad sample, the device's value must be non-finite or equal to that without the
/// sample. Empty: nowhere.
inline std::string disagreement(Results& results, double tolerance, const Reach& reach,
                                const std::vector<BadSample>& places) {
  int count = 0;
  std::ostringstream text;
  const PictureFormat& format = results.device.format;
  const auto look_at = [&](int x, int y, int c) {
    const float got = results.device.get(x, y, c);
    const bool open = reach.undecided(places, x, y, c);
    if (open && (!std::isfinite(got) || reach.device.whole_image)) return;
    const float want = (open ? results.unspoilt : results.reference).get(x, y, c);
    if (agree(got, want, tolerance) || count++ > 0) return;
    text << "(" << x << ", " << y << ") channel " << c << " is " << got << ", not " << want;
  };
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      for (int c = 0; c < format.channels; ++c) look_at(x, y, c);
    }
  }
  if (count > 1) text << ", and " << count - 1 << " more";
  return text.str();
}

}  // namespace sfumato::testing
