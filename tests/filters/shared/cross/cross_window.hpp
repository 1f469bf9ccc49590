// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One window of a cross filter by its definition, in float64.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/pictures.hpp"

namespace sfumato::testing {

// Pictures in float64, with their outside values.
struct Numbers {
  int w = 0, h = 0, channels = 0;
  std::vector<double> v;

  Numbers() = default;
  explicit Numbers(Image& image)
      : w(image.format.width), h(image.format.height), channels(image.format.channels) {
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        for (int c = 0; c < channels; ++c) {
          v.push_back(static_cast<double>(image.get(x, y, c)));
        }
      }
    }
  }
  double& at(int x, int y, int c) {
    return v[static_cast<std::size_t>((y * w + x) * channels + c)];
  }
};

// The coordinate that replaces i, or -1.
inline int place(int i, int n, const std::string& border) {
  if (i >= 0 && i < n) return i;
  if (border == "clamp") return i < 0 ? 0 : n - 1;
  if (border == "wrap") return ((i % n) + n) % n;
  if (border == "mirror") {
    while (n > 1 && (i < 0 || i >= n)) i = i < 0 ? -i : 2 * (n - 1) - i;
    return n == 1 ? 0 : i;
  }
  return -1;
}

struct Sigmas {
  double range = 0, normal = 0, depth = 0;
};

// One window over `in`: weights half[|j|] half[|k|], samples `step` apart. Colours are straight and
// weighted by alpha, which stays (`straight`), or all channels are averaged alike.
class Window {
 public:
  Window(Numbers& in, const std::vector<double>& half, int step, const Sigmas& sigmas,
         std::map<std::string, Numbers>& roles, std::string border, bool straight)
      : in_(in),
        half_(half),
        step_(step),
        sigmas_(sigmas),
        roles_(roles),
        border_(std::move(border)),
        straight_(straight) {}

  Numbers filtered() {
    Numbers out = in_;
    for (int y = 0; y < in_.h; ++y) {
      for (int x = 0; x < in_.w; ++x) store(sums_at(x, y), x, y, out);
    }
    return out;
  }

 private:
  // The centre and one of its samples, which is outside the picture if a coordinate is -1.
  struct Pair {
    int x, y, px, py;
    bool outside() const { return px < 0 || py < 0; }
  };
  struct Sums {
    std::array<double, 3> color{};
    double opacity = 0, weight = 0;
  };

  static double gauss(double squared, double sigma) {
    return std::exp(-squared / (2 * sigma * sigma));
  }
  static double read(Numbers& n, const Pair& p, int c) {
    return p.outside() ? 0.0 : n.at(p.px, p.py, c);
  }
  static double apart(Numbers& n, const Pair& p, int count) {
    double d = 0;
    for (int c = 0; c < count; ++c) d += std::pow(n.at(p.x, p.y, c) - read(n, p, c), 2);
    return d;
  }

  double color_weight(const Pair& p) const {
    if (roles_.contains("guide")) return gauss(apart(roles_["guide"], p, 3), sigmas_.range);
    // Gray counts as three equal channels.
    return straight_ ? gauss(apart(in_, p, colors_) * (colors_ == 1 ? 3 : 1), sigmas_.range) : 1.0;
  }

  double depth_weight(const Pair& p) const {
    if (!roles_.contains("depth") || sigmas_.depth <= 0) return 1;
    const double a = roles_["depth"].at(p.x, p.y, 0), b = read(roles_["depth"], p, 0);
    const auto is_far = [](double z) { return std::abs(z) >= std::numeric_limits<float>::max(); };
    if (is_far(a) != is_far(b)) return 0;
    if (is_far(a) || a == b) return 1;
    constexpr double least = std::numeric_limits<float>::min();
    const double larger = std::max({std::abs(a), std::abs(b), least});
    return gauss(std::pow((a - b) / larger, 2), sigmas_.depth);
  }

  double similarity(const Pair& p) const {
    const bool normals = roles_.contains("normal") && sigmas_.normal > 0;
    return color_weight(p) * depth_weight(p) *
           (normals ? gauss(apart(roles_["normal"], p, 3), sigmas_.normal) : 1.0);
  }

  Sums sums_at(int x, int y) const {
    Sums sums;
    const int r = static_cast<int>(half_.size()) - 1;
    for (int j = -r; j <= r; ++j) {
      for (int k = -r; k <= r; ++k) {
        const Pair p{x, y, place(x + k * step_, in_.w, border_),
                     place(y + j * step_, in_.h, border_)};
        if (p.outside() && border_ == "renormalise") continue;
        double w = half_[static_cast<std::size_t>(std::abs(j))] *
                   half_[static_cast<std::size_t>(std::abs(k))];
        if (j != 0 || k != 0) w *= similarity(p);
        if (w != 0) add(p, w, sums);
      }
    }
    return sums;
  }

  void add(const Pair& p, double w, Sums& sums) const {
    const double opacity = alpha_ ? read(in_, p, colors_) : 1.0;
    if (straight_) w *= opacity;
    sums.weight += w;
    sums.opacity += w * opacity;
    for (int c = 0; c < colors_; ++c) {
      sums.color[static_cast<std::size_t>(c)] += w * read(in_, p, c) * (straight_ ? 1.0 : opacity);
    }
  }

  void store(const Sums& sums, int x, int y, Numbers& out) const {
    if (sums.weight == 0) return;
    if (!straight_ && alpha_) out.at(x, y, colors_) = sums.opacity / sums.weight;
    const double divisor = straight_ || !alpha_ ? sums.weight : sums.opacity;
    if (divisor == 0) return;
    for (int c = 0; c < colors_; ++c) {
      out.at(x, y, c) = sums.color[static_cast<std::size_t>(c)] / divisor;
    }
  }

  Numbers& in_;
  const std::vector<double>& half_;
  int step_;
  Sigmas sigmas_;
  std::map<std::string, Numbers>& roles_;
  std::string border_;
  bool straight_;
  bool alpha_ = in_.channels % 2 == 0;
  int colors_ = alpha_ ? in_.channels - 1 : in_.channels;
};

inline Numbers window(Numbers& in, const std::vector<double>& half, int step, const Sigmas& sigmas,
                      std::map<std::string, Numbers>& roles, const std::string& border,
                      bool straight) {
  return Window(in, half, step, sigmas, roles, border, straight).filtered();
}

}  // namespace sfumato::testing
