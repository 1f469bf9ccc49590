// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Common parts of planning any Gaussian: options, tables, scratch. Private to the planners.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "filters/shared/gaussian/plan.hpp"
#include "filters/shared/integer_division.hpp"

namespace sfumato::gaussian {

inline constexpr std::size_t float16_bytes = 64;

// An interval of one axis, both ends included.
struct Span {
  int lo = 0, hi = -1;
  int size() const { return hi - lo + 1; }
};

class PassBuilder {
 public:
  PassBuilder(const GaussianScheme& scheme, const Plane& in, const Edge& edge, const Plane& out)
      : s_(scheme),
        in_(in),
        edge_(edge),
        out_(out),
        cpu_(scheme.request.device.cpu),
        lanes_(16 / scheme.request.channels),
        sizes_(scheme.request.sizes) {}

 protected:
  // Options for every kernel; sample types only where the pass touches the caller's buffers.
  std::string options(const char* pass, bool reads_source, bool writes_result) const {
    std::string text = "-D CHANNELS=" + std::to_string(s_.request.channels) + " -D PASS_" + pass;
    if (cpu_) text += " -D FORM_CPU";
    if (cpu_ && writes_result) text += " -D FINAL";
    if (s_.request.srgb_samples && (reads_source || writes_result)) text += " -D SRGB_SAMPLES";
    if (reads_source && s_.request.source == PixelStorage::u8) text += " -D SRC_U8";
    if (reads_source && s_.request.source == PixelStorage::u8_packed3) text += " -D SRC_PACKED3";
    if (writes_result && s_.request.result == PixelStorage::u8) text += " -D DST_U8";
    if (writes_result && s_.request.result == PixelStorage::u8_packed3) text += " -D DST_PACKED3";
    return text;
  }

  int table(std::vector<float> values) {
    plan_.tables.push_back(std::move(values));
    return static_cast<int>(plan_.tables.size()) - 1;
  }
  int table(const std::vector<double>& values) {
    return table(std::vector<float>(values.begin(), values.end()));
  }

  // Both halves of symmetric taps.
  static std::vector<double> whole(const std::vector<double>& half) {
    std::vector<double> taps(half.rbegin(), half.rend() - 1);
    taps.insert(taps.end(), half.begin(), half.end());
    return taps;
  }

  // Room for a rectangle of float pixels, with rows aligned to 64 bytes and slack for whole
  // vectors. One scratch may serve several rectangles in turn.
  int scratch() {
    plan_.scratch.emplace_back();
    return static_cast<int>(plan_.scratch.size()) - 1;
  }
  Plane room(int id, Span x, Span y) {
    const Plane p{x.lo, y.lo, x.size(), y.size(), round_up(x.size(), 16), 0};
    const std::size_t pixels = static_cast<std::size_t>(p.stride) * p.height + 64;
    std::size_t& floats = plan_.scratch[id].floats;
    floats = std::max(floats, pixels * static_cast<std::size_t>(s_.request.channels));
    return p;
  }

  // The factors for renormalising: out's columns, then its rows; a single number if unused.
  int norm_table() {
    if (edge_.border() != Border::renormalise) return table(std::vector<float>{1.0f});
    std::vector<double> values =
        blurred_indicator(s_, edge_.x0, edge_.x1, out_.x, out_.x + out_.width);
    const std::vector<double> rows =
        blurred_indicator(s_, edge_.y0, edge_.y1, out_.y, out_.y + out_.height);
    values.insert(values.end(), rows.begin(), rows.end());
    for (double& value : values) value = 1.0 / value;
    return table(values);
  }

  // The part of the picture that `in` holds.
  Rect held() const { return in_.rect().intersected({edge_.x0, edge_.y0, edge_.x1, edge_.y1}); }

  const GaussianScheme& s_;
  const Plane in_;
  const Edge edge_;
  const Plane out_;
  const bool cpu_;
  const int lanes_;
  const GaussianSizes& sizes_;
  PassPlan plan_;
};

/// The passes of the method `boxes`.
PassPlan plan_boxes(const GaussianScheme& scheme, const Plane& in, const Edge& edge,
                    const Plane& out);

/// The passes of the methods `bilinear` and `bilinear_float` on GPUs.
PassPlan plan_fetches(const GaussianScheme& scheme, const Plane& in, const Edge& edge,
                      const Plane& out);

}  // namespace sfumato::gaussian
