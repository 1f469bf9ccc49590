// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the passes of the bilateral filter with representative colours for one output rectangle.
#include "filters/bilateral/fast.hpp"

#include <algorithm>
#include <cmath>

#include "filters/bilateral/cholesky.hpp"
#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

// Weight of a cell at distance `away` in cells (a real number): linear interpolation.
double tent(double away) {
  return std::max(0.0, 1.0 - std::abs(away));
}

// The share of each tap that reaches the pixel at `offset` from one at position `phase` in its
// cell.
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

// Adds the least-squares equation of the pixel at `offset` from one at position `phase` in its
// cell.
void add_equation(const std::vector<double>& share, double want, std::vector<double>& normal,
                  std::vector<double>& right) {
  const std::size_t n = share.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (share[i] == 0) continue;
    right[i] += share[i] * want;
    for (std::size_t j = 0; j < n; ++j) normal[i * n + j] += share[i] * share[j];
  }
}

// The sums in a cell for each centre: colours, and their weight.
int sums_of(const BilateralRequest& request) {
  return request.channels == 4 && !filters_channels_apart(request) ? 4 : 2;
}

double most_change(const BilateralRequest& request, const BilateralSurveyResult& surveyed) {
  const double most = bilateral_fast_most(request);
  return most < 1e30 ? most : std::min(most, surveyed.range);
}

class FastPlanner {
 public:
  FastPlanner(const BilateralRequest& request, const BilateralGrid& grid,
              const BilateralSurveyResult& surveyed, const Plane& out)
      : request_(request),
        grid_(grid),
        surveyed_(surveyed),
        out_(out),
        cpu_(request.device.cpu),
        scale_(bilateral_color_scale(request)),
        most_(static_cast<float>(most_change(request, surveyed))),
        options_(bilateral_options(request) + " -D PASS_FAST" +
                 (cpu_ ? " -D MOST_CENTRES=" + std::to_string(most_centres(surveyed.count()))
                       : " -D CENTRES=" + std::to_string(surveyed.count()))) {}

  PassPlan plan(const Plane& in, const Edge& edge) {
    const int d = grid_.cell, m = grid_.reach();
    // The cells around the result, and those that their blur reads.
    const int x0 = floor_div(out_.x, d), x1 = floor_div(out_.x + out_.width - 1, d) + 2;
    const int y0 = floor_div(out_.y, d), y1 = floor_div(out_.y + out_.height - 1, d) + 2;
    const auto cells = [](int ax, int ay, int bx, int by) {
      return Plane{ax, ay, bx - ax, by - ay, bx - ax, 0};
    };
    const Plane spread = cells(x0 - m, y0 - m, x1 + m, y1 + m);
    const Plane across = cells(x0, y0 - m, x1, y1 + m);
    const Plane near = cells(x0, y0, x1, y1);
    const BufferArg first = room(spread), second = room(across);
    const int runs = filters_channels_apart(request_) ? 3 : 1;
    if (runs > 1) options_ += " -D APART";
    if (!cpu_) options_ += " -D SPREAD_STEP=" + std::to_string(surveyed_.spread_step);
    const std::string options = options_;
    const TableArg colours = table(centres()), taps = table(grid_.taps);
    // Bands of cells: both neighbours read the pixels between two bands.
    const int band = cpu_ ? std::max(4, std::min(16, spread.height / 8)) : std::max(4, 256 / d);
    const auto s = static_cast<float>(scale_);
    const TableArg fold = table(surveyed_.fold);
    const int blocks = surveyed_.count() / lanes;
    for (int run = 0; run < runs; ++run) {
      if (runs > 1 && !cpu_) options_ = options + " -D COMPONENT=" + std::to_string(run);
      add("fast_spread",
          with({BufferArg{}, in, edge, first, spread, colours, d, band, s},
               {surveyed_.spread_step, run, blocks}),
          {columns(spread), ceil_div(spread.height, band)});
      add("fast_blur", with({first, spread, second, across, taps, m, 1, 0}, {blocks}),
          {columns(across), static_cast<std::size_t>(across.height)});
      add("fast_blur", with({second, across, first, near, taps, m, 0, 1}, {blocks}),
          {columns(near), static_cast<std::size_t>(near.height)});
      add("fast_fold", with({first, second, near, fold}, {blocks}),
          {columns(near), static_cast<std::size_t>(near.height)});
      add("fast_slice",
          with({second, near, BufferArg{}, in, BufferArg{BufferArg::result}, out_, colours, d, s,
                static_cast<float>(bilateral_fast_guard(grid_)), most_},
               {run, blocks}),
          cpu_ ? std::array<std::size_t, 2>{ceil_div(near.width, strip), ceil_div(near.height, 1)}
               : std::array<std::size_t, 2>{
                     static_cast<std::size_t>(out_.width),
                     static_cast<std::size_t>(near.height - 1) * ceil_div(d, slice_rows)});
    }
    return std::move(plan_);
  }

 private:
  static constexpr int strip = 64;
  static constexpr int lanes = 16;      // centres that processors take at once
  static constexpr int slice_rows = 4;  // pixels that items of GPUs interpolate at once

  // Of the program for processors that takes this many.
  static int most_centres(int count) { return count <= 2 * lanes ? count : bilateral_most_centres; }

  static std::size_t ceil_div(int a, int b) { return static_cast<std::size_t>((a + b - 1) / b); }

  // Arguments, and those that only the form for processors has.
  std::vector<PassArg> with(std::vector<PassArg> args, std::vector<PassArg> more) const {
    if (cpu_) args.insert(args.end(), more.begin(), more.end());
    return args;
  }

  // Work-items across these cells.
  std::size_t columns(const Plane& cells) const {
    return cpu_ ? ceil_div(cells.width, strip)
                : static_cast<std::size_t>(cells.width * surveyed_.count());
  }

  // Scratch memory for these cells, for all centres.
  BufferArg room(const Plane& cells) {
    const auto floats = static_cast<std::size_t>(surveyed_.count() * sums_of(request_));
    const std::size_t count =
        static_cast<std::size_t>(cells.width) * static_cast<std::size_t>(cells.height);
    plan_.scratch.push_back({count * floats + 64, false, 0, 0});
    return BufferArg{static_cast<int>(plan_.scratch.size()) - 1};
  }

  TableArg table(std::vector<float> values) {
    plan_.tables.push_back(std::move(values));
    return TableArg{static_cast<int>(plan_.tables.size()) - 1};
  }

  // CPU devices process `lanes` centres at once, channel by channel; GPUs use one item per centre.
  std::vector<float> centres() const {
    const int together = cpu_ ? lanes : 1, places = surveyed_.places;
    std::vector<float> centres;
    for (int block = 0; block < surveyed_.count(); block += together) {
      for (int c = 0; c < (cpu_ || places == 1 ? places : 4); ++c) {
        for (int k = block; k < block + together; ++k) {
          centres.push_back(c < places ? scaled(static_cast<std::size_t>(k * places + c)) : 0.0f);
        }
      }
    }
    return centres;
  }

  float scaled(std::size_t at) const {
    return static_cast<float>(scale_ * static_cast<double>(surveyed_.centres[at]));
  }

  void add(const char* kernel, std::vector<PassArg> args, std::array<std::size_t, 2> global) {
    PlannedPass pass;
    pass.kernel = kernel;
    pass.options = options_;
    pass.args = std::move(args);
    pass.global = global;
    if (!cpu_) {
      pass.local = {64, 1};
      pass.global[0] = (global[0] + 63) / 64 * 64;
    }
    plan_.passes.push_back(std::move(pass));
  }

  const BilateralRequest& request_;
  const BilateralGrid& grid_;
  const BilateralSurveyResult& surveyed_;
  const Plane& out_;
  const bool cpu_;
  const double scale_;
  const float most_;
  std::string options_;
  PassPlan plan_;
};

}  // namespace

BilateralGrid bilateral_grid(const BilateralRequest& request) {
  const int radius = bilateral_radius(request);
  std::vector<double> window;
  double sum = 0, variance = 0;
  for (int k = -radius; k <= radius; ++k) {
    window.push_back(std::exp(-0.5 * k * k / (request.sigma * request.sigma)));
    sum += window.back();
    variance += window.back() * k * k;
  }
  BilateralGrid grid;
  // At this spacing, linear weights leave errors below -70 dB in the result.
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
      add_equation(share, want, normal, right);
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

double bilateral_fast_most(const BilateralRequest& request) {
  // Colours of equal luminance may be as far apart as they like.
  const bool compared = request.channels == 1 || request.distance != BilateralDistance::luminance;
  return compared ? bilateral_fast_limit * request.range_sigma : 1e30;
}

double bilateral_fast_promise(const BilateralRequest& request) {
  return request.distance == BilateralDistance::color ? 45 : 50;
}

double bilateral_fast_scratch(const BilateralRequest& request, const BilateralGrid& grid,
                              const BilateralSurveyResult& surveyed) {
  const double cell = 4.0 * sums_of(request) * surveyed.count();
  return 2 * cell / (static_cast<double>(grid.cell) * grid.cell);
}

PassPlan plan_bilateral_fast(const BilateralRequest& request, const BilateralGrid& grid,
                             const BilateralSurveyResult& surveyed, const Plane& in,
                             const Edge& edge, const Plane& out) {
  return FastPlanner(request, grid, surveyed, out).plan(in, edge);
}

}  // namespace sfumato
