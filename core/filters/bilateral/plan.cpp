// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the passes of a bilateral filter for one output rectangle.
#include "filters/bilateral/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

constexpr float no_weight = -1e30f;  // as a logarithm

// The unrolled heights; beyond the last, the kernel loops over any height.
int padded_reach(int reach) {
  for (const int bucket : {0, 1, 2, 3, 5, 7, 9, 12, 16}) {
    if (reach <= bucket) return bucket;
  }
  return reach;
}

// Results per item on a GPU: tall windows leave registers for fewer.
int results_of_item(int reach, const BilateralSizes& sizes) {
  return padded_reach(reach) <= 12 ? sizes.results : sizes.results_tall;
}

class BilateralPlanner {
 public:
  BilateralPlanner(const BilateralRequest& request, const Edge& edge)
      : request_(request),
        edge_(edge),
        radius_(bilateral_radius(request)),
        scale_(bilateral_color_scale(request)) {}

  PassPlan plan(const Plane& in, const Plane& out) {
    if (!request_.separable) {
      window({BufferArg::source}, in, {BufferArg::result}, out, radius_, radius_);
      return std::move(plan_);
    }
    // Rows are filtered wherever there is a picture; the columns then follow the border rule.
    const Rect rows = in.rect().intersected({edge_.x0, edge_.y0, edge_.x1, edge_.y1});
    const Plane between{out.x, rows.y0, out.width, rows.height(), (out.width + 15) / 16 * 16, 0};
    const int id = scratch(static_cast<std::size_t>(between.stride) * between.height *
                           static_cast<std::size_t>(request_.channels));
    window({BufferArg::source}, in, {id}, between, radius_, 0);
    window({id}, between, {BufferArg::result}, out, 0, radius_);
    return std::move(plan_);
  }

 private:
  int scratch(std::size_t floats) {
    plan_.scratch.push_back({floats + 64, false, 0, 0});
    return static_cast<int>(plan_.scratch.size()) - 1;
  }
  int table(std::vector<float> values) {
    plan_.tables.push_back(std::move(values));
    return static_cast<int>(plan_.tables.size()) - 1;
  }

  // log2 of the weight of a distance in position.
  double log_weight(int away) const {
    return -0.5 * std::numbers::log2e * away * away / (request_.sigma * request_.sigma);
  }

  std::string options() const {
    return bilateral_options(request_) + (request_.lattice ? " -D LATTICE" : "");
  }

  void window(BufferArg from, const Plane& in, BufferArg to, const Plane& out, int reach_x,
              int reach_y) {
    if (request_.device.cpu) {
      cpu_window(from, in, to, out, reach_x, reach_y);
    } else {
      gpu_window(from, in, to, out, reach_x, reach_y);
    }
  }

  void gpu_window(BufferArg from, const Plane& in, BufferArg to, const Plane& out, int reach_x,
                  int reach_y) {
    const BilateralSizes& sizes = request_.sizes;
    const int results = results_of_item(reach_y, sizes);
    std::vector<float> across;
    for (int k = -reach_x; k <= reach_x; ++k) {
      across.push_back(static_cast<float>(log_weight(k)));
    }
    PlannedPass pass;
    pass.kernel = "bilateral_window";
    pass.options = options() + " -D RESULTS=" + std::to_string(results) +
                   " -D GROUP_COLUMNS=" + std::to_string(sizes.group_columns) +
                   " -D GROUP_ROWS=" + std::to_string(sizes.group_rows);
    pass.args = {from, in, edge_, to, out, TableArg{table(across)}, reach_x};
    std::vector<float> down;
    if (reach_y <= 16 && !request_.lattice) {
      const int reach = padded_reach(reach_y);
      for (int k = 0; k <= reach; ++k) {
        down.push_back(k <= reach_y ? static_cast<float>(log_weight(k)) : no_weight);
      }
      pass.options += " -D RADIUS=" + std::to_string(reach);
      pass.args.push_back(ValueArg{table(down)});
    } else {
      for (int k = -reach_y - (results - 1); k <= reach_y + results - 1; ++k) {
        down.push_back(std::abs(k) <= reach_y ? static_cast<float>(log_weight(k)) : no_weight);
      }
      pass.args.push_back(TableArg{table(down)});
      pass.args.push_back(reach_y);
    }
    pass.args.push_back(static_cast<float>(scale_));
    pass.local = {static_cast<std::size_t>(sizes.group_columns),
                  static_cast<std::size_t>(sizes.group_rows)};
    pass.global = {items(out.width, sizes.group_columns) * pass.local[0],
                   items(out.height, sizes.group_rows * results) * pass.local[1]};
    plan_.passes.push_back(std::move(pass));
  }

  void cpu_window(BufferArg from, const Plane& in, BufferArg to, const Plane& out, int reach_x,
                  int reach_y) {
    const int layers = request_.channels == 1 ? 1 : request_.has_alpha ? 4 : 3;
    // On the lattice of every second tap, positions are counted in pairs of pixels.
    const int pair = request_.lattice ? 2 : 1;
    const int x0 = floor_div(out.x, pair), x1 = floor_div(out.x + out.width - 1, pair) + 1;
    const int left = reach_x / pair, right = (reach_x + pair - 1) / pair;
    const int y0 = floor_div(out.y - reach_y, pair);
    const int y1 = floor_div(out.y + out.height - 1 + reach_y, pair) + 1;
    Plane place{x0 - left, y0, (x1 - x0 + left + right + 31) / 16 * 16, y1 - y0, 0, 0};
    // Rows of a whole number of pages would all map to the same cache sets.
    place.stride = place.width + (place.width % 1024 == 0 ? 16 : 0);
    const int id = scratch(static_cast<std::size_t>(place.stride) * place.height *
                           static_cast<std::size_t>(layers));
    PlannedPass lay;
    lay.kernel = "bilateral_layers";
    lay.options = options() + " -D PASS_LAYERS";
    lay.args = {from, in, edge_, BufferArg{id}, place, 16, static_cast<float>(scale_)};
    lay.global = {1, items(place.height, 16)};
    plan_.passes.push_back(std::move(lay));

    std::vector<float> places;
    for (int j = -reach_y; j <= reach_y; ++j) {
      for (int k = -reach_x; k <= reach_x; ++k) {
        places.push_back(static_cast<float>(log_weight(j) + log_weight(k)));
      }
    }
    PlannedPass pass;
    pass.kernel = "bilateral_window";
    pass.options = options() + " -D PASS_WINDOW";
    pass.args = {BufferArg{id},
                 place,
                 from,
                 in,
                 to,
                 out,
                 TableArg{table(places)},
                 reach_x,
                 reach_y,
                 request_.sizes.strip_columns,
                 request_.sizes.strip_rows,
                 static_cast<float>(scale_)};
    pass.global = {items(x1 - x0, request_.sizes.strip_columns),
                   items(out.height, request_.sizes.strip_rows)};
    plan_.passes.push_back(std::move(pass));
  }

  const BilateralRequest& request_;
  const Edge edge_;
  const int radius_;
  const double scale_;
  PassPlan plan_;
};

}  // namespace

int bilateral_radius(const BilateralRequest& request) {
  return request.radius > 0 ? request.radius
                            : std::max(1, static_cast<int>(std::ceil(3.0 * request.sigma)));
}

double bilateral_color_scale(const BilateralRequest& request) {
  const double scale = std::sqrt(0.5 * std::numbers::log2e) / request.range_sigma;
  // Gray counts as three equal channels.
  const bool gray = request.channels == 1 && request.distance == BilateralDistance::color;
  return gray ? scale * std::sqrt(3.0) : scale;
}

std::string bilateral_options(const BilateralRequest& request) {
  std::string text = "-D CHANNELS=" + std::to_string(request.channels) +
                     " -D DISTANCE=" + std::to_string(static_cast<int>(request.distance)) +
                     " -D HAS_ALPHA=" + (request.channels == 4 && request.has_alpha ? "1" : "0");
  if (request.device.cpu) text += " -D FORM_CPU";
  if (request.device.nvidia) text += " -D NV_PTX";
  return text;
}

int bilateral_halo(const BilateralRequest& request) {
  const int radius = bilateral_radius(request);
  if (request.device.cpu) return radius;
  return radius <= 16 && !request.lattice ? padded_reach(radius)
                                          : radius + results_of_item(radius, request.sizes) - 1;
}

PassPlan plan_bilateral(const BilateralRequest& request, const Plane& in, const Edge& edge,
                        const Plane& out) {
  return BilateralPlanner(request, edge).plan(in, out);
}

}  // namespace sfumato
