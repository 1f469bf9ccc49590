// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Canny, one pixel after the other.
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

// Greater than both neighbours along the gradient; across or down the second may be equal.
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

// 1 for each pixel of the picture that is an edge.
std::vector<std::uint8_t> canny_edges(const CannySettings& settings, const ReferenceJob& job,
                                      const CannyGray& gray) {
  const Picture& picture = settings.picture;
  const CannyOperator kind = settings.kind;
  const int width = picture.width, height = picture.height;
  enum : std::uint8_t { none, weak, kept };
  std::vector<std::uint8_t> state(canny_place(picture, 0, height), none);
  std::vector<std::uint8_t> strong(state.size());
  job.rows.run(0, height, [&](int y) {
    for (int x = 0; x < width; ++x) {
      const std::int64_t strength = gray.gradient(x, y, kind).strength();
      if (strength <= settings.low || !is_canny_ridge(picture, gray, kind, x, y)) continue;
      state[canny_place(picture, x, y)] = weak;
      strong[canny_place(picture, x, y)] = strength > settings.high ? 1 : 0;
    }
  });
  std::vector<std::pair<int, int>> found;
  const auto keep = [&](int x, int y) {
    state[canny_place(picture, x, y)] = kept;
    found.emplace_back(x, y);
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (strong[canny_place(picture, x, y)] == 0 || state[canny_place(picture, x, y)] == kept)
        continue;
      keep(x, y);
      while (!found.empty()) {
        const auto [px, py] = found.back();
        found.pop_back();
        for (int ny = std::max(py - 1, 0); ny <= std::min(py + 1, height - 1); ++ny) {
          for (int nx = std::max(px - 1, 0); nx <= std::min(px + 1, width - 1); ++nx) {
            if (state[canny_place(picture, nx, ny)] == weak) keep(nx, ny);
          }
        }
      }
    }
  }
  const int reach = settings.close_gaps;
  std::vector<std::uint8_t> edges(state.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (state[canny_place(picture, x, y)] != kept) continue;
      for (int ny = std::max(y - reach, 0); ny <= std::min(y + reach, height - 1); ++ny) {
        const auto row = edges.begin() + static_cast<std::ptrdiff_t>(canny_place(picture, 0, ny));
        std::fill(row + std::max(x - reach, 0), row + std::min(x + reach, width - 1) + 1,
                  std::uint8_t{1});
      }
    }
  }
  return edges;
}

}  // namespace

void canny_reference(const CannySettings& settings, const ReferenceJob& job) {
  const Picture& picture = settings.picture;
  const CannyShow show = settings.show;
  const Rect out = job.output.plane.rect();
  const CannyGray gray(settings, job, settings.measured(out));
  const float scale = settings.scale();
  const auto put = [&](int x, int y, float v) {
    float* to = job.output.at(x, y);
    std::fill_n(to, settings.colors(), v);
    if (picture.channels == 4) to[3] = job.input.at(x, y)[3];
  };
  if (show == CannyShow::edges) {
    const std::vector<std::uint8_t> edges = canny_edges(settings, job, gray);
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        put(x, y, edges[canny_place(picture, x, y)] != 0 ? 1.0f : 0.0f);
      }
    });
    return;
  }
  job.rows.run(out.y0, out.y1, [&](int y) {
    for (int x = out.x0; x < out.x1; ++x) {
      const CannyGradient g = gray.gradient(x, y, settings.kind);
      if (show == CannyShow::direction) {
        // Half a turn, counted upwards.
        const bool over = g.y > 0 || (g.y == 0 && g.x < 0);
        const float turn =
            exact_turn(static_cast<float>(over ? -g.x : g.x), static_cast<float>(std::abs(g.y)));
        put(x, y, g.strength() == 0 ? 0.0f : 2 * turn);
      } else {
        const float size = std::sqrt(static_cast<float>(g.strength())) * scale;
        const bool kept =
            show == CannyShow::magnitude || is_canny_ridge(picture, gray, settings.kind, x, y);
        put(x, y, kept ? size : 0.0f);
      }
    }
  });
}

}  // namespace sfumato
