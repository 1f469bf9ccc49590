// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bloom: bright light spills over, as in a lens or an eye. Source: Mitchell, Ansari and Hart,
// "Advanced Image Processing with DirectX 9 Pixel Shaders", ShaderX2, of the demonstration
// "Rendering with Natural Light": a bright pass, Gaussians (sigma 7 on 25 x 25) and their
// doublings, added back. The soft knee is the usual quadratic of real-time rendering. Streaks:
// rays.hpp.
#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <vector>

#include "filters/bloom/rays.hpp"
#include "filters/filter.hpp"
#include "filters/shared/gaussian/step.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// The Gaussians of a glow that ends at `radius`: as many doublings as fit, and a last one that is
// as wide as the radius says. It counts for as much of a level as its width is of a doubling.
std::vector<GaussianTerm> glows_within(double sigma, double radius) {
  const double widest = std::max(radius / 3, least_sigma);
  if (widest <= sigma) return {{widest, 1.0f}};
  const double levels = std::log2(widest / sigma);
  const double whole = std::floor(levels), part = levels - whole;
  const double all = whole + 1 + part;
  std::vector<GaussianTerm> glows;
  for (int i = 0; i <= static_cast<int>(whole); ++i) {
    glows.push_back({sigma * std::exp2(i), static_cast<float>(1 / all)});
  }
  if (part > 0) glows.push_back({widest, static_cast<float>(part / all)});
  return glows;
}

std::vector<GaussianTerm> glows_of(const Values& values, const Picture& picture) {
  const double sigma = values.number("sigma"), radius = values.number("radius");
  const double intensity = values.number("intensity");
  std::vector<GaussianTerm> glows;
  if (radius > 0) {
    glows = glows_within(sigma, radius);
    for (GaussianTerm& glow : glows) glow.weight *= static_cast<float>(intensity);
  } else {
    const auto levels = values.get<std::int64_t>("levels");
    const auto weight = static_cast<float>(intensity / static_cast<double>(levels));
    for (std::int64_t i = 0; i < levels; ++i) {
      glows.push_back({std::ldexp(sigma, static_cast<int>(i)), weight});
    }
  }
  for (GaussianTerm& glow : glows)
    glow.sigma = sigma_within(glow.sigma, border_of(values), picture);
  return glows;
}

// The part of a brightness beyond the threshold, rising smoothly from threshold - knee on.
double beyond(double brightness, double threshold, double knee) {
  const double soft = std::clamp(brightness - threshold + knee, 0.0, 2 * knee);
  return std::max(knee > 0 ? soft * soft / (4 * knee) : 0.0, brightness - threshold);
}

// Which brightness the threshold divides: the largest channel's, the luminance, or each channel's
// own.
enum class Measure { largest, luminance, each };

Measure measure_of(const Values& values) {
  const std::string& name = values.choice("channels");
  return name == "luminance" ? Measure::luminance
         : name == "each"    ? Measure::each
                             : Measure::largest;
}

// A float image of the reference.
class Memory {
 public:
  Memory(const Rect& r, int channels)
      : floats_(static_cast<std::size_t>(r.area()) * static_cast<std::size_t>(channels)),
        view_{floats_.data(), {r.x0, r.y0, r.width(), r.height(), r.width(), 0}, channels} {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  const FloatView& view() const { return view_; }

 private:
  std::vector<float> floats_;
  FloatView view_;
};

class PreparedBloom final : public PreparedFilter {
 public:
  PreparedBloom(const Values& values, const Picture& picture, const Target& target)
      : threshold_(values.number("threshold")),
        knee_(values.number("knee")),
        measure_(measure_of(values)),
        channels_(picture.channels),
        glows_(glows_of(values, picture)),
        rays_(rays_of(static_cast<int>(values.get<std::int64_t>("streaks")), values.number("angle"),
                      values.number("length"))),
        ray_weight_(static_cast<float>(values.number("intensity") /
                                       std::max(1.0, static_cast<double>(rays_.size())))) {
    if (target.reference) return;
    if (can_sum_gaussians(glows_, border_of(values))) {
      sum_.emplace(glows_, border_of(values), picture, target);
      return;
    }
    for (const GaussianTerm& glow : glows_) blurs_.emplace_back(glow.sigma, picture, target);
  }

  Needs needs() const override {
    Needs needs;
    const auto take = [&](int halo, double scratch) {
      needs.halo_x = needs.halo_y = std::max(needs.halo_x, halo);
      needs.scratch_per_pixel = std::max(needs.scratch_per_pixel, scratch);
    };
    for (const Ray& ray : rays_) {
      take(reach_of(ray), 20.0 * channels_);
      needs.scratch_past_edges = true;
      needs.reference_work += 40;
    }
    for (const GaussianStep& blur : blurs_) take(blur.halo(), blur.scratch() + 8.0 * channels_);
    if (sum_) take(sum_->halo(), sum_->scratch() + 4.0 * channels_);
    if (sum_ || !blurs_.empty()) return needs;
    for (const GaussianTerm& glow : glows_) {
      take(gaussian_reference_halo(glow.sigma), 20.0 * channels_);
      needs.reference_work += 4.0 * gaussian_reference_halo(glow.sigma);
    }
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const int channels = job.input.channels;
    const DeviceImage bright = passes.scratch(job.input.plane.rect(), channels);
    Launch launch = point_launch(bright.plane, passes.form(), 20, channels);
    launch.kernel = "bright_pass";
    launch.options += " -D PASS_BRIGHT -D MEASURE=" + std::to_string(static_cast<int>(measure_));
    passes.launch(launch, job.input, job.input.plane, bright, bright.plane,
                  static_cast<float>(threshold_), static_cast<float>(knee_));
    DeviceImage base = job.input;
    if (sum_) {
      sum_->run(job, bright, passes);
      if (rays_.empty()) return;
      base = job.output;
    }
    const DeviceImage glow = passes.scratch(job.output.plane.rect(), channels);
    const auto add = [&](float weight) {
      Launch adding = point_launch(job.output.plane, passes.form(), 8, channels);
      adding.kernel = "add_glow";
      adding.options += " -D PASS_ADD";
      passes.launch(adding, base, base.plane, glow, glow.plane, job.output, job.output.plane,
                    weight);
      base = job.output;
    };
    for (std::size_t i = 0; i < blurs_.size(); ++i) {
      blurs_[i].run({bright, job.edge, glow, {}}, passes);
      add(glows_[i].weight);
    }
    for (const Ray& ray : rays_) {
      run_ray(ray, bright, job.edge, glow, passes);
      add(ray_weight_);
    }
  }

  void reference(const ReferenceJob& job) const override {
    const int channels = job.input.channels, colors = std::min(channels, 3);
    const Rect in = job.input.plane.rect(), out = job.output.plane.rect();
    const Memory bright_memory(in, channels), glow_memory(out, channels);
    const FloatView &bright = bright_memory.view(), &glow = glow_memory.view();
    job.rows.run(in.y0, in.y1, [&](int y) {
      for (int x = in.x0; x < in.x1; ++x) bright_pixel(job.input.at(x, y), bright.at(x, y));
    });
    job.rows.run(out.y0, out.y1, [&](int y) {
      std::copy_n(job.input.at(out.x0, y), out.width() * channels, job.output.at(out.x0, y));
    });
    const auto add = [&](float weight) {
      job.rows.run(out.y0, out.y1, [&](int y) {
        for (int x = out.x0; x < out.x1; ++x) {
          float* to = job.output.at(x, y);
          const bool adds = channels != 4 || to[3] > 0;
          for (int c = 0; adds && c < colors; ++c) to[c] += weight * glow.at(x, y)[c];
        }
      });
    };
    for (const GaussianTerm& each : glows_) {
      gaussian_reference(each.sigma, {bright, job.edge, glow, {}, job.rows});
      add(each.weight);
    }
    for (const Ray& ray : rays_) {
      reference_ray(ray, bright, job.edge, glow, job.rows);
      add(ray_weight_);
    }
  }

 private:
  // What each pass of a ray reads, so that the last one gives `out`.
  static std::vector<Rect> read_by_passes(const Ray& ray, const Rect& out) {
    std::vector<Rect> read(ray.size());
    Rect rect = out;
    for (std::size_t i = ray.size(); i-- > 0;) read[i] = rect = read_by(ray[i], rect);
    return read;
  }

  void run_ray(const Ray& ray, const DeviceImage& bright, const Edge& edge, const DeviceImage& to,
               Passes& passes) const {
    const int channels = bright.channels;
    const std::vector<Rect> read = read_by_passes(ray, to.plane.rect());
    DeviceImage from = passes.scratch(read[0], channels);
    Launch extend = point_launch(from.plane, passes.form(), 10, channels);
    extend.kernel = "extend_bright";
    extend.options += " -D PASS_EXTEND";
    passes.launch(extend, bright, bright.plane, edge, from, from.plane);
    for (std::size_t i = 0; i < ray.size(); ++i) {
      const DeviceImage sum = i + 1 < ray.size() ? passes.scratch(read[i + 1], channels) : to;
      std::vector<float> taps;
      for (const RayTap& tap : ray[i]) {
        taps.insert(taps.end(),
                    {static_cast<float>(tap.dx), static_cast<float>(tap.dy), tap.weight});
      }
      const auto count = static_cast<int>(ray[i].size());
      Launch launch = point_launch(sum.plane, passes.form(), 4.0 * count, channels);
      launch.kernel = "ray_pass";
      launch.options += " -D PASS_RAY";
      passes.launch(launch, from, from.plane, sum, sum.plane, passes.table(taps), count);
      from = sum;
    }
  }

  static void reference_ray(const Ray& ray, const FloatView& bright, const Edge& edge,
                            const FloatView& to, ParallelRows& rows) {
    const int channels = bright.channels;
    const std::vector<Rect> read = read_by_passes(ray, to.plane.rect());
    auto from = std::make_unique<Memory>(read[0], channels);
    const Sampler source(bright, edge);
    rows.run(read[0].y0, read[0].y1, [&](int y) {
      for (int x = read[0].x0; x < read[0].x1; ++x) {
        const float* pixel = source.at(x, y);
        if (pixel != nullptr) std::copy_n(pixel, channels, from->view().at(x, y));
      }
    });
    for (std::size_t i = 0; i < ray.size(); ++i) {
      std::unique_ptr<Memory> sums;
      if (i + 1 < ray.size()) sums = std::make_unique<Memory>(read[i + 1], channels);
      const FloatView& sum = sums ? sums->view() : to;
      const Rect out = sum.plane.rect();
      rows.run(out.y0, out.y1, [&](int y) {
        for (int x = out.x0; x < out.x1; ++x) add_taps(ray[i], from->view(), x, y, sum.at(x, y));
      });
      from = std::move(sums);
    }
  }

  static void add_taps(const RayPass& pass, const FloatView& from, int x, int y, float* to) {
    for (int c = 0; c < from.channels; ++c) {
      double sum = 0;
      for (const RayTap& tap : pass) {
        sum += static_cast<double>(tap.weight) *
               static_cast<double>(from.at(x + tap.dx, y + tap.dy)[c]);
      }
      to[c] = static_cast<float>(sum);
    }
  }

  // The share of a brightness beyond the threshold.
  double part_of(double brightness) const {
    return brightness > 0 ? beyond(brightness, threshold_, knee_) / brightness : 0;
  }

  // The part of a pixel beyond the threshold.
  void bright_pixel(const float* v, float* to) const {
    const double alpha = channels_ == 4 ? static_cast<double>(v[3]) : 1;
    const auto straight = [alpha](double value) { return alpha > 0 ? value / alpha : 0; };
    const auto write = [&](int c, double part) {
      to[c] = static_cast<float>(static_cast<double>(v[c]) * part);
    };
    if (channels_ == 1) {
      write(0, part_of(static_cast<double>(v[0])));
      return;
    }
    const auto red = static_cast<double>(v[0]), green = static_cast<double>(v[1]),
               blue = static_cast<double>(v[2]);
    if (measure_ == Measure::each) {
      for (int c = 0; c < 4; ++c) write(c, part_of(straight(static_cast<double>(v[c]))));
      return;
    }
    const double brightness = measure_ == Measure::luminance
                                  ? 0.2126 * red + 0.7152 * green + 0.0722 * blue
                                  : std::fmax(std::fmax(red, green), blue);
    const double part = part_of(straight(brightness));
    for (int c = 0; c < 4; ++c) write(c, part);
  }

  const double threshold_, knee_;
  const Measure measure_;
  const int channels_;
  const std::vector<GaussianTerm> glows_;
  const std::vector<Ray> rays_;
  const float ray_weight_;
  // On a device: all glows at once, or one after another.
  std::optional<GaussianSumStep> sum_;
  std::deque<GaussianStep> blurs_;
};

class Bloom final : public FilterOf<PreparedBloom> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return values.number("intensity") == 0 || values.number("sigma") < least_sigma;
  }

  double tolerance(const Values& values) const override {
    return 2e-5 + 1.5e-4 * std::max(1.0, values.number("intensity"));
  }

 private:
  const FilterInfo info_{
      .id = "bloom",
      .label = "Bloom",
      .category = "Blur",
      .summary = "Lets bright light spill over its surroundings.",
      .description =
          "The part of each pixel's brightness that is above threshold is blurred with Gaussians "
          "of "
          "sigma, twice sigma, four times sigma and so on, one for each level; their mean, times "
          "intensity, is added. With a radius, there are as many levels as reach that far, and the "
          "glow grows smoothly with it. With streaks, each bright place also throws that many "
          "rays, "
          "evenly spread from angle on; their mean, times intensity, is added as well. Under "
          "border "
          "renormalise, no ray comes from outside. Brightness is that of the largest channel or "
          "the "
          "luminance (Rec. 709), and colours keep their hue; or each channel's own, and bright "
          "colours glow purer than they are. The knee softens the threshold: light begins to count "
          "that far below it. The filter works on light, so values above 1 spill more. Alpha is "
          "kept. A value that is not a number is never the brightest channel.",
      .formula =
          "out = I + intensity · Σ w_i gaussian(B, s_i) / Σ w_i\n"
          "+ intensity / streaks · Σ ray_j(B), j from 1 to streaks\n"
          "radius 0: s_i = sigma · 2^i, w_i = 1, i from 0 to levels − 1\n"
          "radius > 0: L = log2(radius / (3 sigma)),\n"
          "s_i = sigma · 2^i, w_i = 1, i from 0 to ⌊L⌋,\n"
          "and s = radius / 3, w = L − ⌊L⌋; s = radius / 3 alone if L < 0\n"
          "B(p) = I(p) · e(m) / m, m = max(R, G, B) of I(p) or its luminance or each,\n"
          "0 where m ≤ 0\n"
          "e(m) = max(m − threshold, k² / (4 knee)),\n"
          "k = m − threshold + knee cut off to 0 to 2 knee\n"
          "ray(B)(p) = Σ a^k B(p − k d) / Σ a^k, k from 0 to N − 1,\n"
          "in sums of four, d along the ray, 1 px on its longer axis,\n"
          "B linear between two pixels, a^k = 0.01 at a distance of length,\n"
          "N d at 1.5 length or slightly further",
      .source =
          "Mitchell, Ansari, Hart, Advanced Image Processing with DirectX 9 Pixel Shaders, "
          "ShaderX2, "
          "2003 (Rendering with Natural Light); streaks: Kawase, Frame Buffer Postprocessing "
          "Effects "
          "in DOUBLE-S.T.E.A.L (Wreckless), GDC 2003",
      .version = 1,
      .parameters = with_common(
          "bloom",
          {vocabulary("threshold").with_default(0.6).with_slider({0, 2}),
           Parameter::real("knee", "Knee", "How far below the threshold light begins to count.",
                           0.2, {0, 1000})
               .with_unit(Unit::fraction)
               .with_slider({0, 1})
               .with_step(0.05),
           vocabulary("channels")
               .with_help("Whose brightness the threshold divides.")
               .with_choices(
                   {{"largest", "Largest", "the brightest of red, green and blue; keeps the hue"},
                    {"luminance", "Luminance", "the brightness that is seen; keeps the hue"},
                    {"each", "Each", "every channel on its own; colours become purer"}}),
           vocabulary("sigma").with_default(7.0).with_valid({0, 250}),
           vocabulary("radius")
               .as_real()
               .with_default(0)
               .with_valid({0, 4000})
               .with_slider({0, 500})
               .with_step(1)
               .with_help("Where the glow ends: three times the widest Gaussian's standard "
                          "deviation; 0 takes the number of levels instead."),
           Parameter::integer("levels", "Levels", "How many Gaussians, each twice as wide.", 3,
                              {1, 6})
               .with_slider({1, 6})
               .with_halo(true)
               .visible_when("radius = 0"),
           vocabulary("intensity"),
           Parameter::integer("streaks", "Streaks",
                              "How many rays a bright place throws, as a star; 0 throws none.", 0,
                              {0, 32})
               .with_slider({0, 16})
               .with_halo(true),
           vocabulary("angle")
               .with_default(0.0)
               .with_help("Direction of the first ray, measured counterclockwise from the right.")
               .with_halo(true)
               .visible_when("streaks > 0"),
           Parameter::real("length", "Length",
                           "How long the rays are: there, one hundredth of their brightness is "
                           "left.",
                           60, {1, 1000})
               .with_unit(Unit::px)
               .with_zoom(ZoomLaw::scales_with_picture)
               .with_slider({1, 500})
               .with_law(SliderLaw::logarithmic)
               .with_step(1)
               .with_halo(true)
               .visible_when("streaks > 0")},
          Light::linear, true),
      .light = Light::linear,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate,
      .non_finite = NonFinite::becomes_number};
};

}  // namespace

std::unique_ptr<Filter> make_bloom() {
  return std::make_unique<Bloom>();
}

}  // namespace sfumato::filters
