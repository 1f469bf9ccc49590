// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// night_vision: the picture as seen through a night vision device. Source: ShaderX2 (2003), Night
// Vision: blurred while turning gray, with brightness looked up in a ramp of greens; scanlines,
// noise and an overlay imitate the device.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "filters/filter.hpp"
#include "filters/night_vision/overlay.hpp"
#include "filters/shared/color_gradient.hpp"
#include "filters/shared/frame_seed.hpp"
#include "filters/shared/gaussian/step.hpp"
#include "filters/shared/luma_weights.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// The kernel's twin.
struct Tube {
  float gain, scanlines, per_line, noise;
  std::uint32_t seed;
};

Tube tube_of(const Values& values) {
  return {static_cast<float>(values.number("gain")), static_cast<float>(values.number("scanlines")),
          static_cast<float>(1 / values.number("spacing")),
          static_cast<float>(values.number("noise")), seed_of(values)};
}

float grain_at(int x, int y, std::uint32_t seed) {
  std::uint32_t h = seed ^ (static_cast<std::uint32_t>(x) * 0x9E3779B1u) ^
                    (static_cast<std::uint32_t>(y) * 0x85EBCA77u);
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  h ^= h >> 15;
  return static_cast<float>(h >> 8) / 16777216.0f;
}

std::vector<Ramp> ramps_for(const Values& values) {
  return ramps_of(values.get<Gradient>("gradient"), light_of(values));
}

bool is_bound(const Values& values, std::string_view role) {
  return values.get<ImageRef>(role).bound();
}

class PreparedNightVision final : public PreparedFilter {
 public:
  PreparedNightVision(const Values& values, const Picture& picture, const Target& target)
      : sigma_(values.number("sigma")),
        channels_(picture.channels),
        width_(picture.width),
        height_(picture.height),
        has_ramp_(is_bound(values, "ramp")),
        has_overlay_(is_bound(values, "overlay")),
        tube_(tube_of(values)),
        weights_(gray_weights(values)),
        ramps_(ramps_for(values)),
        table_(ramp_table(ramps_)) {
    if (blurs() && !target.reference) blur_.emplace(sigma_, picture, target);
  }

  Needs needs() const override {
    Needs needs;
    needs.reference_work = 60;
    if (!blurs()) return needs;
    needs.scratch_per_pixel = 4.0 * channels_;
    if (blur_) {
      needs.halo_x = needs.halo_y = blur_->halo();
      needs.scratch_per_pixel += blur_->scratch();
    } else {
      needs.halo_x = needs.halo_y = gaussian_reference_halo(sigma_);
      needs.scratch_per_pixel += 8.0 * channels_;
      needs.reference_work += 4.0 * needs.halo_x;
    }
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    DeviceImage from = job.input;
    if (blur_) {
      from = passes.scratch(job.output.plane.rect(), job.input.channels);
      blur_->run({job.input, job.edge, from, {}}, passes);
    }
    Launch launch = point_launch(job.output.plane, passes.form(), 100, job.input.channels);
    launch.kernel = "seen_at_night";
    launch.options += " -D PASS_SEEN";
    if (has_ramp_) launch.options += " -D RAMP";
    if (has_overlay_) launch.options += " -D OVERLAY";
    // The kernel reads neither of the two without its option.
    const DeviceImage& ramp = has_ramp_ ? job.roles.find("ramp")->second : job.input;
    const DeviceImage& overlay = has_overlay_ ? job.roles.find("overlay")->second : job.input;
    passes.launch(launch, from, from.plane, job.output, job.output.plane, passes.table(table_),
                  static_cast<int>(ramps_.size()), weights_, tube_, ramp, ramp.plane, overlay,
                  overlay.plane, width_, height_);
  }

  void reference(const ReferenceJob& job) const override {
    const Rect out = job.output.plane.rect();
    const int channels = job.input.channels;
    std::vector<float> memory;
    FloatView from = job.input;
    if (blurs()) {
      memory.resize(static_cast<std::size_t>(out.area()) * static_cast<std::size_t>(channels));
      from = {memory.data(), {out.x0, out.y0, out.width(), out.height(), out.width(), 0}, channels};
      gaussian_reference(sigma_, {job.input, job.edge, from, {}, job.rows});
    }
    const FloatView* ramp = has_ramp_ ? &job.roles.find("ramp")->second : nullptr;
    const FloatView* overlay = has_overlay_ ? &job.roles.find("overlay")->second : nullptr;
    job.rows.run(out.y0, out.y1, [&](int y) {
      const double turns = wide(tube_.per_line) * y;
      const double line =
          1 - wide(tube_.scanlines) * (0.5 - 0.5 * std::cos(2 * std::numbers::pi * turns));
      for (int x = out.x0; x < out.x1; ++x) {
        float* to = job.output.at(x, y);
        see(from.at(x, y), x, y, line, ramp, to);
        if (overlay != nullptr) lay_over(overlay_at(*overlay, x, y, width_, height_), to);
      }
    });
  }

 private:
  static double wide(float v) { return static_cast<double>(v); }

  // A pixel as the device shows it.
  void see(const float* v, int x, int y, double line, const FloatView* ramp, float* to) const {
    const std::array<float, 4>& w = weights_;
    const double alpha = channels_ == 4 ? wide(v[3]) : 1;
    const double sum =
        channels_ == 4 ? wide(v[0] * w[0]) + wide(v[1] * w[1]) + wide(v[2] * w[2]) : wide(v[0]);
    const double gray = alpha > 0 ? sum / alpha : 0;
    const double seen =
        gray * wide(tube_.gain) + wide(tube_.noise) * wide(grain_at(x, y, tube_.seed) - 0.5f);
    std::array<double, 4> color = color_at(ramps_, seen);
    if (ramp != nullptr) {
      const std::array<float, 4> found = color_in_row(*ramp, static_cast<float>(seen));
      std::copy(found.begin(), found.end(), color.begin());
    }
    if (channels_ == 1) {
      to[0] = static_cast<float>(
          line * (color[0] * wide(w[0]) + color[1] * wide(w[1]) + color[2] * wide(w[2])));
      return;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      to[c] = static_cast<float>(color[c] * line * color[3] * alpha);
    }
    to[3] = static_cast<float>(color[3] * alpha);
  }

  void lay_over(const std::array<float, 4>& above, float* to) const {
    const float left = 1 - above[3];
    if (channels_ == 1) {
      const std::array<float, 4>& w = weights_;
      to[0] = std::fma(left, to[0], w[0] * above[0] + w[1] * above[1] + w[2] * above[2]);
      return;
    }
    for (std::size_t c = 0; c < 4; ++c) to[c] = std::fma(left, to[c], above[c]);
  }

  bool blurs() const { return sigma_ >= least_sigma; }

  const double sigma_;
  const int channels_, width_, height_;
  const bool has_ramp_, has_overlay_;
  const Tube tube_;
  const std::array<float, 4> weights_;
  const std::vector<Ramp> ramps_;
  const std::vector<float> table_;
  std::optional<GaussianStep> blur_;  // on a device
};

class NightVision final : public FilterOf<PreparedNightVision> {
 public:
  const FilterInfo& info() const override { return info_; }

  double tolerance(const Values& values) const override {
    // A blur's bound, amplified by the gain and the steepest part of the gradient.
    const double steepest =
        is_bound(values, "ramp") ? steepest_row : std::max(1.0, steepest_of(ramps_for(values)));
    return 2e-4 * std::max(1.0, values.number("gain")) * steepest;
  }

  bool makes_colour(const Values& values) const override {
    return is_bound(values, "ramp") || is_bound(values, "overlay") ||
           is_coloured(values.get<Gradient>("gradient"));
  }

 private:
  const FilterInfo info_{
      .id = "night_vision",
      .label = "Night vision",
      .category = "Colour",
      .summary = "Shows the picture as a night vision device would.",
      .description =
          "The picture is blurred by sigma, turned gray, amplified by gain and looked up in a "
          "gradient of greens; scanlines darken it line by line, spacing px apart, and noise adds "
          "grain, which differs with each seed, and in movies and batches of sequences with each "
          "frame, unless frame_number is not 0. With a ramp, a picture's middle row takes the "
          "place of "
          "the "
          "gradient. An overlay, such as a reticle, is stretched to the picture's size and laid "
          "over "
          "the result by its opacity. A value that is not a number takes the colour at "
          "the gradient's start.",
      .formula =
          "out = O + (1 − opacity of O) · shown, O the overlay times its opacity\n"
          "shown = gradient(s) · (1 − scanlines · (1 − cos(2π y / spacing)) / 2)\n"
          "s = gain · (a R + b G + c B) + noise · (n − 0.5), of gaussian(I, sigma),\n"
          "(a, b, c) the weights,\n"
          "n a random number from 0 to 1 for each pixel, seed and frame",
      .source = "ShaderX2 (2003), Night Vision",
      .version = 1,
      .parameters = with_common(
          "night_vision",
          {vocabulary("sigma")
               .with_default(1.0)
               .with_valid({0, 100})
               .with_slider({0, 10})
               .with_help("Standard deviation of the blur that is applied first; 0 does not blur."),
           weights_word().with_default("night"),
           vocabulary("gain").with_default(1.3).with_valid({0, 100}).with_slider({0.1, 10}),
           vocabulary("gradient").with_default("0 #000400; 0.35 #0a5212; 0.75 #49d14e; 1 #e4ffd0"),
           vocabulary("ramp"),
           Parameter::real("scanlines", "Scanlines", "How dark the lines are; 0 shows none.", 0.25,
                           {0, 1})
               .with_step(0.05),
           vocabulary("spacing").with_default(4.0).with_valid({2, 1000}).visible_when(
               "scanlines > 0"),
           Parameter::real("noise", "Noise", "How much grain is added; 0 adds none.", 0.08, {0, 10})
               .with_slider({0, 1})
               .with_step(0.01),
           vocabulary("seed").visible_when("noise > 0"),
           vocabulary("frame_number").visible_when("noise > 0"), vocabulary("overlay")},
          Light::display, true),
      .roles = {{.parameter = "ramp", .channels = 4, .data = false, .aligned = false},
                {.parameter = "overlay", .channels = 4, .data = false, .aligned = false}},
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate,
      .non_finite = NonFinite::becomes_number};
};

}  // namespace

std::unique_ptr<Filter> make_night_vision() {
  return std::make_unique<NightVision>();
}

}  // namespace sfumato::filters
