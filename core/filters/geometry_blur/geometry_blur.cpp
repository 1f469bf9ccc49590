// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// geometry_blur: smooths a render inside its surfaces, never across edges of its geometry. Source:
// Image Convolution, OpenCL assignment of the Karlsruhe Institute of Technology: a flag per pixel
// from normals and depths, then a separable Gaussian that stops at flagged steps and is divided by
// the weights it used.
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/gaussian/plan.hpp"
#include "filters/shared/geometry_roles.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

enum Flag : int { left = 1, right = 2, above = 4, below = 8 };

int radius_of(const Values& values) {
  const auto radius = static_cast<int>(values.get<std::int64_t>("radius"));
  return radius != 0 ? radius : static_cast<int>(std::ceil(4 * values.number("sigma")));
}

bool shows_flags(const Values& values) {
  return values.choice("show") == "discontinuities";
}

std::vector<float> taps_of(const Values& values) {
  const double sigma = std::max(values.number("sigma"), 1e-3);
  const std::vector<double> half = gaussian_taps(sigma, std::max(1, radius_of(values)));
  return {half.begin(), half.end()};
}

// The scalar twin of the kernels' geometry: position lookups and the edge test.
class GeometryReader {
 public:
  GeometryReader(const ReferenceJob& job, float normal_threshold, float depth_threshold)
      : normals_(find(job, "normal")),
        depths_(find(job, "depth")),
        edge_(job.edge),
        normal_threshold_(normal_threshold),
        depth_threshold_(depth_threshold) {}

  int flags_at(int x, int y) const {
    return (crosses(x, y, x - 1, y) ? left : 0) | (crosses(x, y, x + 1, y) ? right : 0) |
           (crosses(x, y, x, y - 1) ? above : 0) | (crosses(x, y, x, y + 1) ? below : 0);
  }

  bool crosses(int ax, int ay, int bx, int by) const {
    map(ax, ay);
    map(bx, by);
    const bool a = ax != nowhere && ay != nowhere, b = bx != nowhere && by != nowhere;
    if (edge_.border() == Border::renormalise && (!a || !b)) return true;
    if (normals_ != nullptr) {
      static constexpr float nothing[3] = {0, 0, 0};
      const float* n = a ? normals_->at(ax, ay) : nothing;
      const float* m = b ? normals_->at(bx, by) : nothing;
      const bool flat = n[0] == 0 && n[1] == 0 && n[2] == 0 && m[0] == 0 && m[1] == 0 && m[2] == 0;
      const float dot = std::fma(n[0], m[0], std::fma(n[1], m[1], n[2] * m[2]));
      if (!flat && !(dot >= normal_threshold_)) return true;
    }
    if (depths_ != nullptr) {
      const float z = a ? *depths_->at(ax, ay) : 0, w = b ? *depths_->at(bx, by) : 0;
      if (std::isinf(z) || std::isinf(w)) return !(std::isinf(z) && std::isinf(w));
      const float larger = std::fmax(std::abs(z), std::abs(w));
      if (!(std::abs(z - w) <= depth_threshold_ * larger)) return true;
    }
    return false;
  }

 private:
  static const FloatView* find(const ReferenceJob& job, const char* name) {
    const auto it = job.roles.find(name);
    return it == job.roles.end() ? nullptr : &it->second;
  }
  void map(int& x, int& y) const {
    x = border_index(x, edge_.x0, edge_.x1, edge_.border());
    y = border_index(y, edge_.y0, edge_.y1, edge_.border());
  }

  const FloatView* normals_;
  const FloatView* depths_;
  Edge edge_;
  float normal_threshold_, depth_threshold_;
};

class PreparedGeometryBlur final : public PreparedFilter {
 public:
  PreparedGeometryBlur(const Values& values, const Picture& picture)
      : radius_(radius_of(values)),
        reach_(std::max(1, radius_)),
        shows_flags_(shows_flags(values)),
        channels_(picture.channels),
        normal_threshold_(static_cast<float>(values.number("normal_threshold"))),
        depth_threshold_(static_cast<float>(values.number("depth_threshold"))),
        taps_(taps_of(values)) {
    double sum = 0;
    for (std::size_t k = 1; k < taps_.size(); ++k) {
      sum += static_cast<double>(taps_[k]);
      tap_sums_.push_back(static_cast<float>(sum));
    }
  }

  Needs needs() const override {
    Needs needs;
    needs.halo_x = needs.halo_y = shows_flags_ ? 1 : radius_ + 1;
    needs.scratch_per_pixel = 1 + 4.0 * channels_;
    needs.reference_work = 8.0 * (radius_ + 4);
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const Rect out = job.output.plane.rect();
    const Rect reach = shows_flags_ ? out : out.grown(reach_, reach_);
    const Plane marked{reach.x0, reach.y0, reach.width(), reach.height(), reach.width(), 0};
    const GeometryImages geometry(job);
    const std::string options = "-D CHANNELS=" + std::to_string(job.input.channels) +
                                (passes.form() == Form::cpu ? " -D FORM_CPU" : "");
    if (passes.form() == Form::gpu && !shows_flags_) {
      walk_on_gpu(job, passes, options, geometry, marked);
      return;
    }
    const auto flags = passes.buffer(static_cast<std::size_t>(reach.area()));
    passes.launch(row_launch("flag_edges", options + geometry.options(), marked, passes.form(), 60),
                  geometry.normals, geometry.normals.plane, geometry.depths, geometry.depths.plane,
                  job.edge, flags, marked, normal_threshold_, depth_threshold_);
    if (shows_flags_) {
      passes.launch(row_launch("show_flags", options, job.output.plane, passes.form(), 4), flags,
                    marked, job.output, job.output.plane);
    } else {
      walk_on_cpu(job, passes, options, flags, marked);
    }
  }

  void reference(const ReferenceJob& job) const override {
    const GeometryReader geometry(job, normal_threshold_, depth_threshold_);
    const int channels = job.output.channels;
    const Rect out = job.output.plane.rect();
    if (shows_flags_) {
      show_flags(job, geometry);
      return;
    }
    const int r = reach_;
    const std::size_t line = static_cast<std::size_t>(out.width() * channels);
    std::vector<float> blurred(line * static_cast<std::size_t>(out.height() + 2 * r));
    const auto row_at = [&](int x, int y) {
      return blurred.data() + static_cast<std::size_t>(y - out.y0 + r) * line +
             static_cast<std::size_t>((x - out.x0) * channels);
    };
    const Sampler source(job.input, job.edge);
    const auto source_at = [&](int x, int y) { return source.at(x, y); };
    job.rows.run(out.y0 - r, out.y1 + r, [&](int y) {
      const bool none = border_index(y, job.edge.y0, job.edge.y1, job.edge.border()) == nowhere;
      if (none) return;  // zeros
      for (int x = out.x0; x < out.x1; ++x) {
        walk(geometry, {x, y, 1, 0}, channels, source_at, row_at(x, y));
      }
    });
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        walk(geometry, {x, y, 0, 1}, channels, row_at, job.output.at(x, y));
      }
    });
  }

  Message explain() const override {
    return message({"geometry_blur.walks", "walks up to {radius} px each way"}, radius_);
  }

 private:
  // The pictures of the geometry; the input stands for one that is missing.
  struct GeometryImages {
    explicit GeometryImages(const TileJob& job)
        : has_normals(job.roles.count("normal") != 0),
          has_depths(job.roles.count("depth") != 0),
          normals(has_normals ? job.roles.find("normal")->second : job.input),
          depths(has_depths ? job.roles.find("depth")->second : job.input) {}

    std::string options() const {
      return std::string(has_normals ? " -D HAS_NORMAL" : "") + (has_depths ? " -D HAS_DEPTH" : "");
    }

    bool has_normals, has_depths;
    const DeviceImage& normals;
    const DeviceImage& depths;
  };

  static void show_flags(const ReferenceJob& job, const GeometryReader& geometry) {
    const int channels = job.output.channels;
    const Rect out = job.output.plane.rect();
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        float* pixel = job.output.at(x, y);
        const float v = static_cast<float>(geometry.flags_at(x, y)) / 15.0f;
        std::fill_n(pixel, channels, v);
        if (channels == 4) pixel[3] = 1.0f;
      }
    });
  }

  // The start of a walk, and its step.
  struct Ray {
    int x, y, dx, dy;
  };

  // The mean over a walk in both directions, up to an edge; `sample` returns a pixel, or null for a
  // zero.
  template <typename Sample>
  void walk(const GeometryReader& geometry, const Ray& ray, int channels, const Sample& sample,
            float* to) const {
    double sum[4] = {}, weight = 0;
    const auto add = [&](int px, int py, float tap) {
      const auto w = static_cast<double>(tap);
      if (const float* pixel = sample(px, py)) {
        for (int c = 0; c < channels; ++c) sum[c] += w * static_cast<double>(pixel[c]);
      }
      weight += w;
    };
    add(ray.x, ray.y, taps_[0]);
    for (const int sign : {-1, 1}) {
      const int dx = sign * ray.dx, dy = sign * ray.dy;
      for (int k = 1; k <= reach_; ++k) {
        const int px = ray.x + k * dx, py = ray.y + k * dy;
        if (geometry.crosses(px - dx, py - dy, px, py)) break;
        add(px, py, taps_[static_cast<std::size_t>(k)]);
      }
    }
    for (int c = 0; c < channels; ++c) to[c] = static_cast<float>(sum[c] / weight);
  }

  // What a pixel of a walk costs.
  double walk_work() const { return 2.0 * (2 * reach_ + 1) * 4; }

  // Launches the kernels of cl/geometry_blur/gpu.clh, which determines these launch sizes.
  void walk_on_gpu(const TileJob& job, Passes& passes, const std::string& options,
                   const GeometryImages& geometry, const Plane& marked) const {
    const auto groups = [](int pixels, int of) {
      return static_cast<std::size_t>((pixels + of - 1) / of);
    };
    const int pitch = (marked.width + 31) / 32;
    const std::size_t bands = groups(marked.height, 32);
    const auto across = passes.buffer(static_cast<std::size_t>(pitch) *
                                      static_cast<std::size_t>(marked.height) * 4);
    const auto down = passes.buffer(bands * static_cast<std::size_t>(marked.width) * 4);
    Launch mark;
    mark.kernel = "mark_stops";
    mark.options = options + geometry.options();
    mark.local = {32, 8};
    mark.global = {static_cast<std::size_t>(pitch) * 32, bands * 8};
    mark.work = 60 * 4;
    passes.launch(mark, geometry.normals, geometry.normals.plane, geometry.depths,
                  geometry.depths.plane, job.edge, across, pitch, down, marked, normal_threshold_,
                  depth_threshold_);

    const auto taps = passes.table(taps_), sums = passes.table(tap_sums_);
    const Plane& out = job.output.plane;
    const DeviceImage rows = passes.scratch(out.rect().grown(0, reach_), job.input.channels);
    Launch walk;
    walk.kernel = "walk_rows";
    walk.options = options;
    walk.local = {64, 1};
    walk.global = {groups(rows.plane.width, 256) * 64, static_cast<std::size_t>(rows.plane.height)};
    walk.work = walk_work() * 4;
    passes.launch(walk, job.input, job.input.plane, job.edge, across, pitch, marked, rows,
                  rows.plane, taps, sums, reach_);
    walk.kernel = "walk_columns";
    walk.local = {16, 8};
    walk.global = {groups(out.width, 16) * 16, groups(out.height, 32) * 8};
    passes.launch(walk, rows, rows.plane, down, marked, job.output, out, taps, sums, reach_);
  }

  // Launches the walks of cl/geometry_blur/cpu.clh, which determines these launch sizes and the
  // local memory.
  void walk_on_cpu(const TileJob& job, Passes& passes, const std::string& options,
                   const std::shared_ptr<DeviceMemory>& flags, const Plane& flag_plane) const {
    const DeviceImage rows =
        passes.scratch(job.output.plane.rect().grown(0, reach_), job.input.channels);
    const double work = walk_work();
    const int r = reach_;
    const auto taps_table = passes.table(taps_), sums_table = passes.table(tap_sums_);
    const auto channels = static_cast<std::size_t>(job.input.channels);
    const auto local = [](std::size_t numbers) { return Argument::of_local(numbers * 4); };
    constexpr std::size_t span = 256, strip = 64, band = 64;
    const std::size_t lanes = 16 / channels;
    using A = Argument;
    passes.launch_with(
        row_launch("walk_rows", options, rows.plane, passes.form(), work),
        {A::of_memory(job.input.buffer.get()), A::of(job.input.plane), A::of(job.edge),
         A::of_memory(flags.get()), A::of(flag_plane), A::of_memory(rows.buffer.get()),
         A::of(rows.plane), A::of_memory(taps_table.get()), A::of_memory(sums_table.get()),
         A::of(r), local((span + 2 * static_cast<std::size_t>(r) + lanes) * channels),
         local(span + lanes), local(span + lanes)});
    Launch launch;
    launch.kernel = "walk_columns";
    launch.options = options;
    const Plane& out = job.output.plane;
    launch.global = {(static_cast<std::size_t>(out.width) + strip - 1) / strip,
                     (static_cast<std::size_t>(out.height) + band - 1) / band};
    launch.work = work * static_cast<double>(strip * band);
    passes.launch_with(
        launch, {A::of_memory(rows.buffer.get()), A::of(rows.plane), A::of_memory(flags.get()),
                 A::of(flag_plane), A::of_memory(job.output.buffer.get()), A::of(out),
                 A::of_memory(taps_table.get()), A::of_memory(sums_table.get()), A::of(r),
                 local(strip), local(strip * band)});
  }

  static Launch row_launch(const char* kernel, const std::string& options, const Plane& plane,
                           Form form, double work) {
    const std::size_t span = form == Form::cpu ? 256 : 1;
    Launch launch;
    launch.kernel = kernel;
    launch.options = options;
    launch.local = {form == Form::cpu ? 1u : 64u, 1};
    launch.global = {(static_cast<std::size_t>(plane.width) + span - 1) / span,
                     static_cast<std::size_t>(plane.height)};
    launch.work = work * static_cast<double>(span);
    return launch;
  }

  const int radius_, reach_;
  const bool shows_flags_;
  const int channels_;
  const float normal_threshold_, depth_threshold_;
  const std::vector<float> taps_;
  std::vector<float> tap_sums_{0.0f};  // cumulative sums of the taps beside the centre
};

class GeometryBlur final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return values.number("sigma") < least_sigma && !shows_flags(values);
  }

  bool gives_data(const Values& values) const override { return shows_flags(values); }

  void check(const Values& values) const override {
    if (values.get<ImageRef>("normal").bound() || values.get<ImageRef>("depth").bound()) return;
    refuse(info_, "normal",
           message({"geometry_blur.no_geometry",
                    "{filter} needs the render's normals, depths or both: a picture for {normal}, "
                    "for {depth}, or for each"},
                   named(info_), named(info_, "normal"), named(info_, "depth")));
  }

  PreparedPtr prepare(const Values& values, const Picture& picture, const Target&) const override {
    return std::make_unique<PreparedGeometryBlur>(values, picture);
  }

 private:
  const FilterInfo info_{
      .id = "geometry_blur",
      .label = "Geometry blur",
      .category = "Edge-preserving",
      .summary = "Smooths a render within its surfaces, stopping at edges of normals and depth.",
      .description =
          "A Gaussian that walks outward from each pixel, along rows and then columns, and stops "
          "where the geometry breaks: where the dot product of neighbouring normals falls below "
          "normal_threshold, or their depths differ by more than depth_threshold of the larger. "
          "Give the normals, the depths, or both; background (normals of zero, infinite depths) is "
          "no edge to itself. show discontinuities writes the flags, the sum of 1 left, 2 right, 4 "
          "above and 8 below, divided by 15.",
      .formula =
          "out(p) = Σ g(k) I(p + k) / Σ g(k), along the row, then along the column\n"
          "g(k) = exp(−k² / (2 sigma²)), |k| ≤ r, k from 0 to the first edge\n"
          "on either side; r = radius, or ⌈4 sigma⌉ where radius is 0\n"
          "between neighbours a and b is an edge where\n"
          "normal(a) · normal(b) < normal_threshold or\n"
          "|depth(a) − depth(b)| > depth_threshold · max(|depth(a)|, |depth(b)|)",
      .source = "Image Convolution, OpenCL assignment, Karlsruhe Institute of Technology",
      .version = 1,
      .parameters = with_common(
          "geometry_blur",
          {vocabulary("sigma").with_default(3.0).with_valid({0, 250}).with_slider({0, 30}),
           vocabulary("radius")
               .with_default(0)
               .with_help("How far it walks at most; 0 stands for 4 sigma, rounded up.")
               .with_valid({0, 1000}),
           vocabulary("normal"), vocabulary("depth"),
           vocabulary("normal_threshold").with_default(0.9),
           vocabulary("depth_threshold").with_default(0.1),
           vocabulary("show").with_choices(
               {{"result", "Result", "the smoothed picture"},
                {"discontinuities", "Discontinuities", "the edges found, as flags"}})},
          Light::linear, true),
      .roles = {normal_role(), depth_role()},
      .light = Light::linear,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_geometry_blur() {
  return std::make_unique<GeometryBlur>();
}

}  // namespace sfumato::filters
