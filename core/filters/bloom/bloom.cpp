// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bloom: bright light spills over, as in a lens or an eye. Source: ShaderX2, "Rendering with
// Natural Light": a bright pass, Gaussians (sigma 7 on 25 x 25) and their doublings, added back.
// The soft knee is the usual quadratic of real-time rendering.
#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "filters/filter.hpp"
#include "filters/shared/gaussian/step.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

std::vector<double> sigmas_of(const Values& values, const Picture& picture) {
  std::vector<double> sigmas;
  double sigma = values.number("sigma");
  for (std::int64_t i = 0; i < values.get<std::int64_t>("levels"); ++i, sigma *= 2) {
    sigmas.push_back(sigma_within(sigma, border_of(values), picture));
  }
  return sigmas;
}

// The weight with which each Gaussian is added.
double weight_of(const Values& values) {
  return values.number("intensity") / static_cast<double>(values.get<std::int64_t>("levels"));
}

// The part of a brightness beyond the threshold, rising smoothly from threshold - knee on.
double beyond(double brightness, double threshold, double knee) {
  const double soft = std::clamp(brightness - threshold + knee, 0.0, 2 * knee);
  return std::max(knee > 0 ? soft * soft / (4 * knee) : 0.0, brightness - threshold);
}

class PreparedBloom final : public PreparedFilter {
 public:
  PreparedBloom(const Values& values, const Picture& picture, const Target& target)
      : threshold_(values.number("threshold")),
        knee_(values.number("knee")),
        weight_(static_cast<float>(weight_of(values))),
        channels_(picture.channels),
        sigmas_(sigmas_of(values, picture)) {
    if (target.reference) return;
    for (const double sigma : sigmas_) blurs_.emplace_back(sigma, picture, target);
  }

  Needs needs() const override {
    Needs needs;
    const auto take = [&](int halo, double scratch) {
      needs.halo_x = needs.halo_y = std::max(needs.halo_x, halo);
      needs.scratch_per_pixel = std::max(needs.scratch_per_pixel, scratch);
    };
    for (const GaussianStep& blur : blurs_) take(blur.halo(), blur.scratch() + 8.0 * channels_);
    if (!blurs_.empty()) return needs;
    for (const double sigma : sigmas_) {
      take(gaussian_reference_halo(sigma), 20.0 * channels_);
      needs.reference_work += 4.0 * gaussian_reference_halo(sigma);
    }
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const int channels = job.input.channels;
    const DeviceImage bright = passes.scratch(job.input.plane.rect(), channels);
    Launch launch = point_launch(bright.plane, passes.form(), 20, channels);
    launch.kernel = "bright_pass";
    launch.options += " -D PASS_BRIGHT";
    passes.launch(launch, job.input, job.input.plane, bright, bright.plane,
                  static_cast<float>(threshold_), static_cast<float>(knee_));
    const DeviceImage glow = passes.scratch(job.output.plane.rect(), channels);
    DeviceImage base = job.input;
    for (const GaussianStep& blur : blurs_) {
      blur.run({bright, job.edge, glow, {}}, passes);
      Launch add = point_launch(job.output.plane, passes.form(), 8, channels);
      add.kernel = "add_glow";
      add.options += " -D PASS_ADD";
      passes.launch(add, base, base.plane, glow, glow.plane, job.output, job.output.plane, weight_);
      base = job.output;
    }
  }

  void reference(const ReferenceJob& job) const override {
    const int channels = job.input.channels, colors = std::min(channels, 3);
    const auto image = [channels](std::vector<float>& memory, const Rect& r) {
      memory.resize(static_cast<std::size_t>(r.area()) * static_cast<std::size_t>(channels));
      return FloatView{memory.data(), {r.x0, r.y0, r.width(), r.height(), r.width(), 0}, channels};
    };
    std::vector<float> bright_memory, glow_memory;
    const FloatView bright = image(bright_memory, job.input.plane.rect());
    const FloatView glow = image(glow_memory, job.output.plane.rect());
    const Rect in = bright.plane.rect(), out = glow.plane.rect();
    job.rows.run(in.y0, in.y1, [&](int y) {
      for (int x = in.x0; x < in.x1; ++x) bright_pixel(job.input.at(x, y), bright.at(x, y));
    });
    job.rows.run(out.y0, out.y1, [&](int y) {
      std::copy_n(job.input.at(out.x0, y), out.width() * channels, job.output.at(out.x0, y));
    });
    const ReferenceJob blur{bright, job.edge, glow, {}, job.rows};
    for (const double sigma : sigmas_) {
      gaussian_reference(sigma, blur);
      job.rows.run(out.y0, out.y1, [&](int y) {
        for (int x = out.x0; x < out.x1; ++x) {
          float* to = job.output.at(x, y);
          const bool adds = channels != 4 || to[3] > 0;
          for (int c = 0; adds && c < colors; ++c) to[c] += weight_ * glow.at(x, y)[c];
        }
      });
    }
  }

 private:
  // The part of a pixel beyond the threshold.
  void bright_pixel(const float* v, float* to) const {
    const double alpha = channels_ == 4 ? static_cast<double>(v[3]) : 1;
    double most = static_cast<double>(v[0]);
    // Written out, because GCC 12 for arm64 cannot compile it as a loop.
    if (channels_ == 4)
      most = std::fmax(std::fmax(most, static_cast<double>(v[1])), static_cast<double>(v[2]));
    most = alpha > 0 ? most / alpha : 0;
    const double part = most > 0 ? beyond(most, threshold_, knee_) / most : 0;
    for (int c = 0; c < channels_; ++c) {
      to[c] = static_cast<float>(static_cast<double>(v[c]) * part);
    }
  }

  const double threshold_, knee_;
  const float weight_;
  const int channels_;
  const std::vector<double> sigmas_;
  std::deque<GaussianStep> blurs_;  // on a device
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
          "The part of each pixel's brightest channel that is above threshold is blurred with "
          "Gaussians of sigma, twice sigma, four times sigma and so on, one for each level; their "
          "mean, times intensity, is added. The knee softens the threshold: light begins to count "
          "that far below it. The filter works on light, so values above 1 spill more. Alpha is "
          "kept. A value that is not a number is never the brightest channel.",
      .formula =
          "out = I + intensity / levels · Σ gaussian(B, sigma · 2^i),\n"
          "i from 0 to levels − 1\n"
          "B(p) = I(p) · e(m) / m, m = max(R, G, B) of I(p), 0 where m ≤ 0\n"
          "e(m) = max(m − threshold, k² / (4 knee)),\n"
          "k = m − threshold + knee cut off to 0 to 2 knee",
      .source = "ShaderX2, Rendering with Natural Light",
      .version = 1,
      .parameters = with_common(
          "bloom",
          {vocabulary("threshold").with_default(0.6).with_slider({0, 2}),
           Parameter::real("knee", "Knee", "How far below the threshold light begins to count.",
                           0.2, {0, 1000})
               .with_unit(Unit::fraction)
               .with_slider({0, 1})
               .with_step(0.05),
           vocabulary("sigma").with_default(7.0).with_valid({0, 250}),
           Parameter::integer("levels", "Levels", "How many Gaussians, each twice as wide.", 3,
                              {1, 6})
               .with_slider({1, 6})
               .with_halo(true),
           vocabulary("intensity")},
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
