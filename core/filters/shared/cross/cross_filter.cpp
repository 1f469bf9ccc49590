// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Cross-bilateral windows: their launches and their definition.
#include "filters/shared/cross/cross_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

bool weighs_alpha(const Picture& picture, CrossAlpha alpha) {
  return alpha == CrossAlpha::weighs && picture.channels == 4 && picture.has_alpha;
}

// Number of channels to average; an alpha that is 1 everywhere stays so.
int averaged(const Picture& picture, CrossAlpha alpha) {
  if (picture.channels == 1) return 1;
  return alpha == CrossAlpha::averaged && picture.has_alpha ? 4 : 3;
}

// Factor that turns a squared difference into log2 of a weight; finite, so that a difference of 0
// gives 0.
float falloff(double sigma) {
  if (sigma <= 0) return 0.0f;
  constexpr double most = std::numeric_limits<float>::max() / 4;
  return static_cast<float>(std::min(0.5 * std::numbers::log2e / (sigma * sigma), most));
}

// The definition: the mean of a window's samples, weighted by position and similarity, in float64.
class CrossDefinition {
 public:
  CrossDefinition(const Picture& picture, const ReferenceJob& job, const FloatView& from,
                  const CrossWindow& window, const CrossRange& range, const CrossCompared& compared,
                  CrossAlpha alpha)
      : window_(window),
        range_(range),
        compared_(compared),
        channels_(from.channels),
        sums_(averaged(picture, alpha)),
        weighs_(weighs_alpha(picture, alpha)),
        source_(from, job.edge),
        guides_(compared.guide ? job.roles.find("guide")->second : from, job.edge),
        normals_(compared.normal ? job.roles.find("normal")->second : from, job.edge),
        depths_(compared.depth ? job.roles.find("depth")->second : from, job.edge) {}

  // Writes the averaged channels of the mean around (x, y), if any sample has weight.
  void mean(int x, int y, float* result) const {
    const int count = static_cast<int>(window_.half.size()) - 1;
    Mean all;
    for (int j = -count; j <= count; ++j) {
      for (int k = -count; k <= count; ++k) add(all, x, y, k, j);
    }
    if (all.weight == 0) return;
    for (int c = 0; c < sums_; ++c) result[c] = static_cast<float>(all.sum[c] / all.weight);
  }

 private:
  struct Mean {
    double sum[4] = {};
    double weight = 0;
  };

  // Adds the sample k columns and j rows of the window away from (x, y), with its weight.
  void add(Mean& to, int x, int y, int k, int j) const {
    const int qx = x + k * window_.step, qy = y + j * window_.step;
    const float* sample = source_.at(qx, qy);
    if (sample == nullptr && source_.renormalises()) return;
    if (sample == nullptr) sample = zeros;
    double w = place(j) * place(k);
    if (j != 0 || k != 0) {
      w *= std::exp(-dissimilarity(x, y, qx, qy));
      const bool finite = std::all_of(sample, sample + (weighs_ ? 4 : sums_),
                                      [](float v) { return std::isfinite(v); });
      if (!(w > 0) || !finite) return;
    }
    if (weighs_) w *= static_cast<double>(sample[3]);
    to.weight += w;
    for (int c = 0; c < sums_; ++c) to.sum[c] += w * static_cast<double>(sample[c]);
  }

  // The exponent of the weight of a sample at (qx, qy); NaN if the two cannot be compared.
  double dissimilarity(int x, int y, int qx, int qy) const {
    double sum = 0;
    if (compared_.guide) {
      sum += squared(guides_, x, y, qx, qy, 3) / (range_.color * range_.color);
    } else if (compared_.own_color) {
      const double d = channels_ == 4 ? squared(source_, x, y, qx, qy, 3)
                                      : 3 * squared(source_, x, y, qx, qy, 1);
      sum += d / (range_.color * range_.color);
    }
    if (compared_.normal) {
      sum += squared(normals_, x, y, qx, qy, 3) / (range_.normal * range_.normal);
    }
    if (compared_.depth) sum += depth_dissimilarity(x, y, qx, qy);
    return sum / 2;
  }

  // Renderers write the largest number, too, where a ray hits nothing.
  static bool is_far(double depth) { return std::abs(depth) >= std::numeric_limits<float>::max(); }

  // Depths differ relative to the larger one; infinite ones are equal, and differ from all others.
  double depth_dissimilarity(int x, int y, int qx, int qy) const {
    const auto z = static_cast<double>(*at(depths_, x, y));
    const auto w = static_cast<double>(*at(depths_, qx, qy));
    if (is_far(z) || is_far(w)) {
      return is_far(z) && is_far(w) ? 0 : std::numeric_limits<double>::infinity();
    }
    constexpr double least = std::numeric_limits<float>::min();
    const double d = (z - w) / std::max({std::abs(z), std::abs(w), least});
    return d * d / (range_.depth * range_.depth);
  }

  // The squared distance of two pixels in their first `count` channels.
  static double squared(const Sampler& sampler, int x, int y, int qx, int qy, int count) {
    const float *a = at(sampler, x, y), *b = at(sampler, qx, qy);
    double sum = 0;
    for (int c = 0; c < count; ++c) {
      const double d = static_cast<double>(a[c]) - static_cast<double>(b[c]);
      sum += d * d;
    }
    return sum;
  }

  static const float* at(const Sampler& sampler, int x, int y) {
    const float* p = sampler.at(x, y);
    return p != nullptr ? p : zeros;
  }

  double place(int k) const { return window_.half[static_cast<std::size_t>(std::abs(k))]; }

  static constexpr float zeros[4] = {};
  const CrossWindow& window_;
  const CrossRange& range_;
  const CrossCompared compared_;
  const int channels_, sums_;
  const bool weighs_;
  const Sampler source_, guides_, normals_, depths_;
};

}  // namespace

CrossCompared cross_compared(const CrossRange& range, const Values& values, bool own_color) {
  std::set<std::string> bound;
  for (const char* role : {"guide", "normal", "depth"}) {
    if (values.has(role) && values.get<ImageRef>(role).bound()) bound.insert(role);
  }
  return cross_compared(range, bound, own_color);
}

namespace {

// The largest multiple of 16 that is not above `n`, which may be negative.
int rounded_down(int n) {
  return n & ~15;
}

// Whose weights an item keeps at once, for each pixel of a row.
constexpr int pairs = 16;

// How cross_window on processors divides a picture: into parts of `width` columns and `band` rows,
// one step apart, which begin in `lines` neighbouring rows. Each is an item's; `items` are computed
// at once, with `numbers` floats each.
struct CrossParts {
  int width = 0, strips = 0, band = 0, lines = 0, count = 0, items = 0;
  int columns = 0;  // that an item lays out
  std::size_t numbers = 0;
};

double taps_of(const CrossWindow& window) {
  const double side = 2.0 * static_cast<double>(window.half.size()) - 1;
  return side * side;
}

bool has_surface(const CrossCompared& compared) {
  return compared.normal || compared.depth;
}

int layers_of(int sums, const CrossCompared& compared) {
  return sums + 1 + (compared.guide ? 3 : 0) + (has_surface(compared) ? 5 : 0);
}

constexpr int widest = 256;  // columns of a part

int columns_of(int width, const CrossWindow& window) {
  return width + 2 * round_up(window.reach(), 16) + 16;
}

// The floats that an item of `width` columns needs.
std::size_t numbers_of(int width, const CrossWindow& window, int sums, int layers) {
  const auto rows = static_cast<std::size_t>(window.half.size());
  const auto columns = static_cast<std::size_t>(columns_of(width, window));
  return columns * (rows * static_cast<std::size_t>(layers) + pairs) +
         static_cast<std::size_t>(width) * rows * static_cast<std::size_t>(sums + 1);
}

// As many as keep all processors busy, within limits.
int items_at_once(const CrossWindow& window, int sums, int layers, unsigned units) {
  constexpr std::size_t most = std::size_t{128} << 20;  // bytes, if one item does not need more
  const std::size_t bytes = numbers_of(widest, window, sums, layers) * sizeof(float);
  return static_cast<int>(std::clamp<std::size_t>(most / bytes, 1, std::size_t{32} * units));
}

CrossParts parts_of(const Plane& out, const CrossWindow& window, int sums, int layers,
                    unsigned units) {
  const int count = static_cast<int>(window.half.size());
  const int width = out.x - rounded_down(out.x) + out.width;
  CrossParts parts;
  parts.strips = ceil_div(width, widest);
  parts.width = round_up(ceil_div(width, parts.strips), 16);
  parts.columns = columns_of(parts.width, window);
  parts.numbers = numbers_of(parts.width, window, sums, layers);
  parts.lines = std::min(window.step, out.height);
  // An item first compares as many rows above its own as a window reaches, half of their pairs.
  const int rows = ceil_div(out.height, window.step);
  const int wanted = ceil_div(8 * static_cast<int>(units), parts.strips * parts.lines);
  parts.band = std::clamp(ceil_div(rows, wanted), 2 * count, std::max(128, 4 * count));
  parts.count = parts.strips * parts.lines * ceil_div(rows, parts.band);
  parts.items = std::min(parts.count, items_at_once(window, sums, layers, units));
  return parts;
}

}  // namespace

CrossScratch cross_scratch(const Picture& picture, const Target& target,
                           const CrossCompared& compared, const CrossWindow& widest_window) {
  if (target.form == Form::cpu) {
    const int sums = picture.channels, layers = layers_of(sums, compared);
    const int items = items_at_once(widest_window, sums, layers, target.compute_units);
    return {0, static_cast<std::size_t>(items) * sizeof(float) *
                   numbers_of(widest, widest_window, sums, layers)};
  }
  int floats = 0;
  if (has_surface(compared)) floats += 4;
  if (compared.guide || compared.depth) floats += compared.guide ? 4 : 1;
  return {1.0 * sizeof(float) * floats, 0};
}

CrossPasses::CrossPasses(const Picture& picture, const TileJob& job, Passes& passes,
                         const CrossCompared& compared, CrossAlpha alpha)
    : job_(job),
      passes_(passes),
      compared_(compared),
      sums_(averaged(picture, alpha)),
      weighs_(weighs_alpha(picture, alpha)) {
  const auto flag = [&](const char* name, bool value) {
    options_ += std::string(" -D ") + name + (value ? "=1" : "=0");
  };
  options_ =
      "-D CHANNELS=" + std::to_string(job.input.channels) + " -D SUMS=" + std::to_string(sums_);
  flag("WEIGH_ALPHA", weighs_);
  flag("OWN_COLOUR", compared.own_color);
  flag("HAS_GUIDE", compared.guide);
  if (passes.form() == Form::cpu) {
    options_ += " -D FORM_CPU";
    flag("HAS_SURFACE", has_surface(compared));
  } else {
    flag("HAS_NORMAL", compared.normal);
    flag("HAS_DEPTH", compared.depth);
    pack_looks();
  }
}

void CrossPasses::pack_looks() {
  const Rect held =
      job_.input.plane.rect().intersected({job_.edge.x0, job_.edge.y0, job_.edge.x1, job_.edge.y1});
  place_ = {held.x0, held.y0, held.width(), held.height(), held.width(), 0};
  const auto floats = [&](int each) {
    return passes_.buffer(static_cast<std::size_t>(held.area()) * static_cast<std::size_t>(each) *
                          sizeof(float));
  };
  // A handle that the kernels do not use is any buffer's.
  surfaces_ = tints_ = job_.input.buffer;
  if (has_surface(compared_)) surfaces_ = floats(4);
  if (compared_.guide || compared_.depth) tints_ = floats(compared_.guide ? 4 : 1);
  if (!compared_.guide && !has_surface(compared_)) return;
  Launch launch = window_launch("cross_looks", held.width(), held.height());
  launch.options += " -D PASS_LOOKS";
  launch.work = 30;
  const DeviceImage& guide = role_or_input("guide", compared_.guide);
  const DeviceImage& normal = role_or_input("normal", compared_.normal);
  const DeviceImage& depth = role_or_input("depth", compared_.depth);
  passes_.launch(launch, guide, guide.plane, normal, normal.plane, depth, depth.plane, surfaces_,
                 tints_, place_);
}

// A handle that the kernels do not use is the input's.
const DeviceImage& CrossPasses::role_or_input(const char* name, bool compared) const {
  return compared ? job_.roles.find(name)->second : job_.input;
}

// Of kernels for GPUs: an item for each column and row.
Launch CrossPasses::window_launch(const char* kernel, int columns, int rows) const {
  Launch launch;
  launch.kernel = kernel;
  launch.options = options_;
  launch.local = {32, 8};
  launch.global = {items(columns, 32) * 32, items(rows, 8) * 8};
  return launch;
}

void CrossPasses::run_parts(const DeviceImage& from, const DeviceImage& to,
                            const CrossWindow& window, const cl_float4& falloffs,
                            const std::shared_ptr<DeviceMemory>& places) {
  const CrossParts parts = parts_of(to.plane, window, sums_, layers_of(sums_, compared_),
                                    passes_.device().compute_units);
  const auto room =
      passes_.buffer(static_cast<std::size_t>(parts.items) * parts.numbers * sizeof(float));
  const DeviceImage& guide = role_or_input("guide", compared_.guide);
  const DeviceImage& normal = role_or_input("normal", compared_.normal);
  const DeviceImage& depth = role_or_input("depth", compared_.depth);
  const int reach = static_cast<int>(window.half.size()) - 1;
  const auto own = static_cast<float>(window.half[0] * window.half[0]);
  Launch launch;
  launch.kernel = "cross_window";
  launch.options = options_;
  launch.work = 5 * taps_of(window) * parts.width * (parts.band + reach);
  for (int first = 0; first < parts.count; first += parts.items) {
    launch.global = {static_cast<std::size_t>(std::min(parts.items, parts.count - first)), 1};
    passes_.launch(launch, from, from.plane, guide, guide.plane, normal, normal.plane, depth,
                   depth.plane, compared_.normal ? 1 : 0, compared_.depth ? 1 : 0, job_.edge, to,
                   to.plane, room, parts.columns, places, reach, window.step, falloffs, own,
                   parts.width, parts.strips, parts.band, parts.lines, first);
  }
}

void CrossPasses::run(const DeviceImage& from, const DeviceImage& to, const CrossWindow& window,
                      const CrossRange& range) {
  // Gray counts as three equal channels.
  const bool gray = compared_.own_color && from.channels == 1;
  const cl_float4 falloffs = {{falloff(range.color) * (gray ? 3.0f : 1.0f), falloff(range.normal),
                               falloff(range.depth), 0.0f}};
  std::vector<float> places;
  for (const double w : window.half) places.push_back(static_cast<float>(std::log2(w)));
  const auto table = passes_.table(places);
  const int count = static_cast<int>(window.half.size()) - 1;
  const auto own = static_cast<float>(window.half[0] * window.half[0]);
  const Plane& out = to.plane;
  if (passes_.form() == Form::cpu) {
    run_parts(from, to, window, falloffs, table);
    return;
  }
  // Results that an item computes, one below another: more share samples in a larger window.
  const int results = count > 2 ? 4 : 2;
  // They lie one step apart.
  const int rows = ceil_div(out.height, results * window.step) * window.step;
  Launch launch = window_launch("cross_window", out.width, rows);
  launch.options += " -D PASS_WINDOW -D RESULTS=" + std::to_string(results);
  if (count <= 3) launch.options += " -D REACH=" + std::to_string(count);
  launch.work = 30 * taps_of(window) * results;
  passes_.launch(launch, from, from.plane, surfaces_, tints_, place_, job_.edge, to, out, table,
                 count, window.step, falloffs, own);
}

void cross_reference(const Picture& picture, const ReferenceJob& job, const FloatView& from,
                     const FloatView& to, const CrossWindow& window, const CrossRange& range,
                     const CrossCompared& compared, CrossAlpha alpha) {
  const CrossDefinition definition(picture, job, from, window, range, compared, alpha);
  const Rect out = to.plane.rect();
  job.rows.run(out.y0, out.y1, [&](int y) {
    for (int x = out.x0; x < out.x1; ++x) {
      float* result = to.at(x, y);
      std::copy_n(from.at(x, y), from.channels, result);
      definition.mean(x, y, result);
    }
  });
}

}  // namespace sfumato
