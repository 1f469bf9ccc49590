// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Lays the passes of the bilateral filter by representative colours for one output rectangle.
#include "filters/bilateral/fast.hpp"

#include <algorithm>
#include <cmath>

#include "filters/bilateral/cholesky.hpp"
#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

// Weight of a cell `away` cells off (a real number): linear interpolation.
double tent(double away) {
  return std::max(0.0, 1.0 - std::abs(away));
}

// How much of each tap reaches the pixel `offset` from one that stands `phase` into its cell.
std::vector<double> shares(int phase, int offset, int cell, std::size_t taps) {
  std::vector<double> share(taps);
  const double from = static_cast<double>(phase) / cell;
  const double to = static_cast<double>(phase + offset) / cell;
  const int left = static_cast<int>(std::floor(to));
  for (int i = 0; i <= 1; ++i) {
    for (int j = left; j <= left + 1; ++j) {
      const auto away = static_cast<std::size_t>(std::abs(i - j));
      if (away < taps) share[away] += tent(from - i) * tent(to - j);
    }
  }
  return share;
}

}  // namespace

BilateralGrid bilateral_grid(const BilateralAsk& ask) {
  const int radius = bilateral_radius(ask);
  std::vector<double> window;
  double sum = 0, variance = 0;
  for (int k = -radius; k <= radius; ++k) {
    window.push_back(std::exp(-0.5 * k * k / (ask.sigma * ask.sigma)));
    sum += window.back();
    variance += window.back() * k * k;
  }
  BilateralGrid grid;
  // Linear weights at this spacing leave errors below -70 dB in the result.
  grid.cell = std::max(1, static_cast<int>(0.75 * std::sqrt(variance / sum)));
  grid.own = 1 / (sum * sum);
  const auto n = static_cast<std::size_t>((radius + grid.cell - 1) / grid.cell + 1);
  std::vector<double> normal(n * n), right(n);
  const int reach = (static_cast<int>(n) + 2) * grid.cell;
  for (int phase = 0; phase < grid.cell; phase += std::max(1, grid.cell / 16)) {
    for (int offset = -reach; offset <= reach; ++offset) {
      const std::vector<double> share = shares(phase, offset, grid.cell, n);
      const bool inside = std::abs(offset) <= radius;
      const double want = inside ? window[static_cast<std::size_t>(offset + radius)] / sum : 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (share[i] == 0) continue;
        right[i] += share[i] * want;
        for (std::size_t j = 0; j < n; ++j) normal[i * n + j] += share[i] * share[j];
      }
    }
  }
  const std::vector<double> taps = Cholesky(std::move(normal), n).solve(std::move(right));
  grid.taps.assign(taps.begin(), taps.end());
  return grid;
}

double bilateral_fast_guard(const BilateralGrid& grid) {
  return std::max(2 * grid.own, 1e-4);
}

int bilateral_fast_halo(const BilateralGrid& grid) {
  return (grid.reach() + 2) * grid.cell;
}

double bilateral_fast_scratch(const BilateralGrid& grid, const BilateralKnowledge& knowledge) {
  const double cell = 4.0 * (knowledge.colors + 1) * knowledge.count();
  return 2 * cell / (static_cast<double>(grid.cell) * grid.cell);
}

PassPlan plan_bilateral_fast(const BilateralAsk& ask, const BilateralGrid& grid,
                             const BilateralKnowledge& knowledge, const Plane& in, const Edge& edge,
                             const Plane& out) {
  const int d = grid.cell, m = grid.reach(), count = knowledge.count();
  const bool cpu = ask.device.cpu;
  const double scale = bilateral_color_scale(ask);
  PassPlan plan;
  const auto table = [&](std::vector<float> values) {
    plan.tables.push_back(std::move(values));
    return TableArg{static_cast<int>(plan.tables.size()) - 1};
  };

  // The cells around the result, and those that their blur reads.
  const int x0 = floor_div(out.x, d), x1 = floor_div(out.x + out.width - 1, d) + 2;
  const int y0 = floor_div(out.y, d), y1 = floor_div(out.y + out.height - 1, d) + 2;
  const auto cells = [](int ax, int ay, int bx, int by) {
    return Plane{ax, ay, bx - ax, by - ay, bx - ax, 0};
  };
  const Plane spread = cells(x0 - m, y0 - m, x1 + m, y1 + m);
  const Plane across = cells(x0, y0 - m, x1, y1 + m);
  const Plane near = cells(x0, y0, x1, y1);
  const auto floats =
      static_cast<std::size_t>(count) * static_cast<std::size_t>(knowledge.colors + 1);
  const auto room = [&](const Plane& p) {
    plan.scratch.push_back(
        {static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height) * floats + 64,
         false, 0, 0});
    return BufferArg{static_cast<int>(plan.scratch.size()) - 1};
  };
  const BufferArg first = room(spread), second = room(across);

  // CPU devices take 16 centres at once, channel by channel; GPUs a centre per item.
  std::vector<float> centres;
  const int lanes = cpu ? 16 : 1, colors = knowledge.colors;
  for (int block = 0; block < count; block += lanes) {
    for (int c = 0; c < (cpu || colors == 1 ? colors : 4); ++c) {
      for (int k = block; k < block + lanes; ++k) {
        const auto at = static_cast<std::size_t>(k * colors + c);
        centres.push_back(
            c < colors ? static_cast<float>(scale * static_cast<double>(knowledge.centres[at]))
                       : 0.0f);
      }
    }
  }
  const TableArg colours = table(std::move(centres)), taps = table(grid.taps);
  const std::string options = bilateral_options(ask) +
                              " -D PASS_FAST -D CENTRES=" + std::to_string(count) +
                              " -D SPREAD_STEP=" + std::to_string(knowledge.spread_step);
  const auto ceil_div = [](int a, int b) { return static_cast<std::size_t>((a + b - 1) / b); };
  const auto add = [&](const char* kernel, std::vector<PassArg> args,
                       std::array<std::size_t, 2> global) {
    PlannedPass pass;
    pass.kernel = kernel;
    pass.options = options;
    pass.args = std::move(args);
    pass.global = global;
    if (!cpu) {
      pass.local = {64, 1};
      pass.global[0] = (global[0] + 63) / 64 * 64;
    }
    plan.passes.push_back(std::move(pass));
  };
  // Bands of cells: the pixels between two of them are read by both.
  const int strip = 64;
  const int band = cpu ? std::max(4, std::min(16, spread.height / 8)) : std::max(4, 256 / d);
  const auto columns = [&](const Plane& p) {
    return cpu ? ceil_div(p.width, strip) : static_cast<std::size_t>(p.width * count);
  };
  const auto s = static_cast<float>(scale);
  add("fast_spread", {BufferArg{}, in, edge, first, spread, colours, d, band, s},
      {columns(spread), ceil_div(spread.height, band)});
  add("fast_blur", {first, spread, second, across, taps, m, 1, 0},
      {columns(across), static_cast<std::size_t>(across.height)});
  add("fast_blur", {second, across, first, near, taps, m, 0, 1},
      {columns(near), static_cast<std::size_t>(near.height)});
  add("fast_fold", {first, second, near, table(knowledge.fold)},
      {columns(near), static_cast<std::size_t>(near.height)});
  add("fast_slice",
      {second, near, BufferArg{}, in, BufferArg{BufferArg::result}, out, colours, d, s,
       static_cast<float>(bilateral_fast_guard(grid)),
       static_cast<float>(bilateral_fast_limit * ask.range_sigma)},
      cpu ? std::array<std::size_t, 2>{ceil_div(near.width, strip), ceil_div(near.height, 1)}
          : std::array<std::size_t, 2>{static_cast<std::size_t>(out.width),
                                       static_cast<std::size_t>(out.height)});
  return plan;
}

}  // namespace sfumato
