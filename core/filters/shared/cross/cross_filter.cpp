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

double cross_scratch(const Picture& picture, const Target& target, const CrossCompared& compared) {
  int floats = 0;
  if (target.form == Form::cpu) {
    floats = picture.channels + (compared.guide ? 3 : 0) + (compared.normal ? 3 : 0) +
             (compared.depth ? 2 : 0);
    return 1.2 * sizeof(float) * floats;  // layers are wider than the picture
  }
  if (compared.normal || compared.depth) floats += 4;
  if (compared.guide || compared.depth) floats += compared.guide ? 4 : 1;
  return 1.0 * sizeof(float) * floats;
}

CrossPasses::CrossPasses(const Picture& picture, const TileJob& job, Passes& passes,
                         const CrossCompared& compared, CrossAlpha alpha, const Rect& reach)
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
  flag("HAS_NORMAL", compared.normal);
  flag("HAS_DEPTH", compared.depth);
  if (passes.form() == Form::cpu) {
    options_ += " -D FORM_CPU";
    lay_all(reach);
  } else {
    pack_looks();
  }
}

void CrossPasses::lay_all(const Rect& reach) {
  const int own = sums_ + (weighs_ ? 1 : 0);
  const int layers =
      own + (compared_.guide ? 3 : 0) + (compared_.normal ? 3 : 0) + (compared_.depth ? 2 : 0);
  // Whole vectors may touch 15 more pixels. Rows of whole pages would collide in the cache.
  int stride = (reach.width() + 31) / 16 * 16;
  if (stride % 1024 == 0) stride += 16;
  place_ = {reach.x0, reach.y0, reach.width() + 15, reach.height(), stride, 0};
  layers_ =
      passes_.buffer((static_cast<std::size_t>(stride) * static_cast<std::size_t>(reach.height()) *
                          static_cast<std::size_t>(layers) +
                      64) *
                     sizeof(float));
  const Rect all = place_.rect();
  int next = own;
  if (compared_.guide) {
    lay(role("guide"), all, next, 3);
    next += 3;
  }
  if (compared_.normal) {
    lay(role("normal"), all, next, 3);
    next += 3;
  }
  if (compared_.depth) {
    lay(role("depth"), all, next, 1);
    invert_depths();
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
  if (compared_.normal || compared_.depth) surfaces_ = floats(4);
  if (compared_.guide || compared_.depth) tints_ = floats(compared_.guide ? 4 : 1);
  if (!compared_.guide && !compared_.normal && !compared_.depth) return;
  Launch launch = window_launch("cross_looks", held.width(), held.height());
  launch.options += " -D PASS_LOOKS";
  launch.work = 30;
  const DeviceImage& guide = compared_.guide ? role("guide") : job_.input;
  const DeviceImage& normal = compared_.normal ? role("normal") : job_.input;
  const DeviceImage& depth = compared_.depth ? role("depth") : job_.input;
  passes_.launch(launch, guide, guide.plane, normal, normal.plane, depth, depth.plane, surfaces_,
                 tints_, place_);
}

const DeviceImage& CrossPasses::role(const char* name) const {
  return job_.roles.find(name)->second;
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

void CrossPasses::lay(const DeviceImage& from, const Rect& part, int first, int count) {
  constexpr int band = 8;
  Launch launch;
  launch.kernel = "cross_layers";
  launch.options = options_ + " -D PASS_LAYERS";
  launch.global = {1, items(part.height(), band)};
  launch.work = 4.0 * count * band * part.width();
  const Plane to{part.x0, part.y0, part.width(), part.height(), part.width(), 0};
  passes_.launch(launch, from, from.plane, from.channels, job_.edge, layers_, place_, to, first,
                 count, band);
}

void CrossPasses::invert_depths() {
  constexpr int band = 8;
  Launch launch;
  launch.kernel = "cross_depths";
  launch.options = options_ + " -D PASS_LAYERS";
  launch.global = {1, items(place_.height, band)};
  launch.work = 4.0 * band * place_.width;
  passes_.launch(launch, layers_, place_, band);
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
  const double taps = (2.0 * count + 1) * (2.0 * count + 1);
  const Plane& out = to.plane;
  // Items compute several rows, one step apart.
  const auto rows_of_items = [&](int each) {
    return ceil_div(out.height, each * window.step) * window.step;
  };
  if (passes_.form() == Form::cpu) {
    constexpr int strip = 64, band = 8;
    const int r = window.reach();
    lay(from, Rect{out.x - r, out.y - r, out.x + out.width + r + 15, out.y + out.height + r}, 0,
        sums_ + (weighs_ ? 1 : 0));
    Launch launch;
    launch.kernel = "cross_window";
    launch.options = options_ + " -D PASS_WINDOW";
    launch.global = {items(out.width, strip), items(rows_of_items(band), 1)};
    launch.work = 8 * taps * strip * band;
    passes_.launch(launch, layers_, place_, from, from.plane, to, out, table, count, window.step,
                   falloffs, own, band);
    return;
  }
  // Results that an item computes, one below another: more share samples in a larger window.
  const int results = count > 2 ? 4 : 2;
  Launch launch = window_launch("cross_window", out.width, rows_of_items(results));
  launch.options += " -D PASS_WINDOW -D RESULTS=" + std::to_string(results);
  if (count <= 3) launch.options += " -D REACH=" + std::to_string(count);
  launch.work = 30 * taps * results;
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
