// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// unsharp_mask: adds back the detail that a Gaussian blur removes. Source: the darkroom technique;
// Schreiber, Wirephoto Quality Improvement by Unsharp Masking, 1970.
#include <algorithm>
#include <cmath>
#include <optional>

#include "filters/filter.hpp"
#include "filters/shared/gaussian/step.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

class PreparedUnsharpMask final : public PreparedFilter {
 public:
  PreparedUnsharpMask(const Values& values, const Picture& picture, const Target& target)
      : sigma_(values.number("sigma")),
        amount_(static_cast<float>(values.number("amount"))),
        threshold_(static_cast<float>(values.number("threshold"))),
        channels_(picture.channels) {
    if (!target.reference) blur_.emplace(sigma_, picture, target);
  }

  Needs needs() const override {
    Needs needs;
    if (blur_) {
      needs.halo_x = needs.halo_y = blur_->halo();
      needs.scratch_per_pixel = blur_->scratch() + 4.0 * channels_;
    } else {
      needs.halo_x = needs.halo_y = gaussian_reference_halo(sigma_);
      needs.scratch_per_pixel = 12.0 * channels_;
      needs.reference_work = 4.0 * needs.halo_x;
    }
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const Plane& out = job.output.plane;
    const DeviceImage blurred = passes.scratch(out.rect(), job.input.channels);
    blur_->run({job.input, job.edge, blurred, {}}, passes);
    Launch launch = point_launch(out, passes.form(), 20, job.input.channels);
    launch.kernel = "sharpened";
    launch.options += " -D PASS_SHARPEN";
    passes.launch(launch, job.input, job.input.plane, blurred, blurred.plane, job.output, out,
                  amount_, threshold_);
  }

  void reference(const ReferenceJob& job) const override {
    const Rect out = job.output.plane.rect();
    const int channels = job.input.channels;
    std::vector<float> values(static_cast<std::size_t>(out.area()) *
                              static_cast<std::size_t>(channels));
    const FloatView blurred{
        values.data(), {out.x0, out.y0, out.width(), out.height(), out.width(), 0}, channels};
    gaussian_reference(sigma_, {job.input, job.edge, blurred, {}, job.rows});
    const auto beyond = [this](float d) {
      return std::copysign(std::max(std::abs(d) - threshold_, 0.0f), d);
    };
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        const float* v = job.input.at(x, y);
        const float* b = blurred.at(x, y);
        float* to = job.output.at(x, y);
        const float alpha = channels == 4 ? v[3] : 1, other = channels == 4 ? b[3] : 1;
        const bool hidden = alpha <= 0 || other <= 0;
        for (int c = 0; c < std::min(channels, 3); ++c) {
          const float d = hidden ? 0 : v[c] / alpha - b[c] / other;
          to[c] = v[c] + amount_ * alpha * beyond(d);
        }
        if (channels == 4) to[3] = alpha;
      }
    });
  }

 private:
  const double sigma_;
  const float amount_, threshold_;
  const int channels_;
  std::optional<GaussianStep> blur_;  // on a device
};

class UnsharpMask final : public FilterOf<PreparedUnsharpMask> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return values.number("sigma") < least_sigma || values.number("amount") == 0;
  }

  // The blur's bound times the amount; larger where a small alpha is divided by.
  double tolerance(const Values& values) const override {
    return 2e-5 + 1.5e-4 * std::max(1.0, values.number("amount"));
  }

 private:
  const FilterInfo info_{
      .id = "unsharp_mask",
      .label = "Unsharp mask",
      .category = "Convolution",
      .summary = "Sharpens by adding the detail that a Gaussian blur removes.",
      .description =
          "The difference between the picture and its blur by sigma, times amount, is added; "
          "differences up to threshold, such as noise, are left alone, and larger ones count by "
          "how far they exceed it. Alpha is kept.",
      .formula =
          "out = I + amount · sign(d) · max(|d| − threshold, 0),\n"
          "d = I − gaussian(I, sigma)",
      .source = "Schreiber, Wirephoto Quality Improvement by Unsharp Masking, 1970",
      .version = 1,
      .parameters = with_common(
          "unsharp_mask",
          {vocabulary("sigma").with_default(1.5).with_slider({0, 30}),
           vocabulary("amount").with_default(0.6),
           vocabulary("threshold")
               .with_default(0.0)
               .with_slider({0, 0.2})
               .with_step(0.005)
               .with_help("Differences from the blurred picture below this are left alone.")},
          Light::display, true),
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate,
      .plot = Plot::kernel};
};

}  // namespace

std::unique_ptr<Filter> make_unsharp_mask() {
  return std::make_unique<UnsharpMask>();
}

}  // namespace sfumato::filters
