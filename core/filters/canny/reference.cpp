// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny, pixel by pixel.
#include "filters/canny/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "filters/canny/gray.hpp"
#include "filters/shared/exact_arithmetic.hpp"

namespace sfumato {
namespace {

std::size_t canny_place(const Picture& picture, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
         static_cast<std::size_t>(x);
}

// Greater than both neighbours along the gradient; the second one across or below may be equal.
bool is_canny_ridge(const Picture& picture, const CannyGray& gray, CannyOperator kind, int x,
                    int y) {
  const CannyGradient g = gray.gradient(x, y, kind);
  const CannySector sector = g.sector();
  const int dx = sector == CannySector::vertical ? 0 : sector == CannySector::rising ? -1 : 1;
  const int dy = sector == CannySector::horizontal ? 0 : 1;
  const auto strength = [&](int px, int py) -> std::int64_t {
    const bool inside = px >= 0 && py >= 0 && px < picture.width && py < picture.height;
    return inside ? gray.gradient(px, py, kind).strength() : 0;
  };
  const std::int64_t own = g.strength(), after = strength(x + dx, y + dy);
  const bool straight = sector == CannySector::horizontal || sector == CannySector::vertical;
  return own > strength(x - dx, y - dy) && (straight ? own >= after : own > after);
}

enum class CannyState : std::uint8_t { none, weak, strong, kept };

using CannyStates = std::vector<CannyState>;  // of the whole picture, row by row

// The ridges above the lower threshold.
CannyStates canny_ridges(const CannySettings& settings, const ReferenceJob& job,
                         const CannyGray& gray) {
  const Picture& picture = settings.picture;
  CannyStates states(canny_place(picture, 0, picture.height), CannyState::none);
  job.rows.run(0, picture.height, [&](int y) {
    for (int x = 0; x < picture.width; ++x) {
      const std::int64_t strength = gray.gradient(x, y, settings.kind).strength();
      if (strength <= settings.low) continue;
      if (!is_canny_ridge(picture, gray, settings.kind, x, y)) continue;
      states[canny_place(picture, x, y)] =
          strength > settings.high ? CannyState::strong : CannyState::weak;
    }
  });
  return states;
}

// Keeps strong ridges and whatever is connected to them.
void follow_canny_edges(const Picture& picture, CannyStates& states) {
  std::vector<std::pair<int, int>> found;
  const auto keep = [&](int x, int y) {
    states[canny_place(picture, x, y)] = CannyState::kept;
    found.emplace_back(x, y);
  };
  const auto keep_around = [&](int x, int y) {
    for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, picture.height - 1); ++ny) {
      for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, picture.width - 1); ++nx) {
        if (states[canny_place(picture, nx, ny)] == CannyState::weak) keep(nx, ny);
      }
    }
  };
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      if (states[canny_place(picture, x, y)] == CannyState::strong) keep(x, y);
    }
  }
  while (!found.empty()) {
    const auto [x, y] = found.back();
    found.pop_back();
    keep_around(x, y);
  }
}

// The kept pixels, widened by the gaps to close: 1 for each pixel that is an edge.
std::vector<std::uint8_t> widened_canny_edges(const CannySettings& settings,
                                              const CannyStates& states) {
  const Picture& picture = settings.picture;
  const int width = picture.width, height = picture.height, reach = settings.close_gaps;
  std::vector<std::uint8_t> edges(states.size());
  const auto widen = [&](int x, int y) {
    for (int ny = std::max(y - reach, 0); ny <= std::min(y + reach, height - 1); ++ny) {
      const auto row = edges.begin() + static_cast<std::ptrdiff_t>(canny_place(picture, 0, ny));
      std::fill(row + std::max(x - reach, 0), row + std::min(x + reach, width - 1) + 1,
                std::uint8_t{1});
    }
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (states[canny_place(picture, x, y)] == CannyState::kept) widen(x, y);
    }
  }
  return edges;
}

// 1 for each pixel of the picture that is an edge.
std::vector<std::uint8_t> canny_edges(const CannySettings& settings, const ReferenceJob& job,
                                      const CannyGray& gray) {
  CannyStates states = canny_ridges(settings, job, gray);
  follow_canny_edges(settings.picture, states);
  return widened_canny_edges(settings, states);
}

// The gradient's direction, its magnitude, or its magnitude on ridges only.
float shown_gradient(const CannySettings& settings, const CannyGray& gray, int x, int y) {
  const CannyGradient g = gray.gradient(x, y, settings.kind);
  if (settings.show == CannyShow::direction) {
    // Half a turn, counted upwards.
    const bool over = g.y > 0 || (g.y == 0 && g.x < 0);
    const float turn =
        exact_turn(static_cast<float>(over ? -g.x : g.x), static_cast<float>(std::abs(g.y)));
    return g.strength() == 0 ? 0.0f : 2 * turn;
  }
  const bool kept = settings.show == CannyShow::magnitude ||
                    is_canny_ridge(settings.picture, gray, settings.kind, x, y);
  return kept ? std::sqrt(static_cast<float>(g.strength())) * settings.scale() : 0.0f;
}

}  // namespace

void canny_reference(const CannySettings& settings, const ReferenceJob& job) {
  const Picture& picture = settings.picture;
  const Rect out = job.output.plane.rect();
  const CannyGray gray(settings, job, settings.measured(out));
  std::vector<std::uint8_t> edges;
  if (settings.show == CannyShow::edges) edges = canny_edges(settings, job, gray);
  job.rows.run(out.y0, out.y1, [&](int y) {
    for (int x = out.x0; x < out.x1; ++x) {
      const float v = settings.show == CannyShow::edges
                          ? static_cast<float>(edges[canny_place(picture, x, y)])
                          : shown_gradient(settings, gray, x, y);
      float* to = job.output.at(x, y);
      std::fill_n(to, settings.colors(), v);
      if (picture.channels == 4) to[3] = job.input.at(x, y)[3];
    }
  });
}

}  // namespace sfumato
