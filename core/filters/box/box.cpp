// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// box: the mean of a square window of any real width, at constant cost. Sources: McDonnell,
// Box-filtering techniques, 1981; the fraction at both ends as in NVIDIA, Constant Time Gaussian
// Blur (2011).
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/gaussian/plan.hpp"
#include "filters/shared/gaussian/step.hpp"
#include "filters/shared/run_plan.hpp"
#include "filters/shared/separable_convolution.hpp"
#include "params/text.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

int iterations_of(const Values& values) {
  return static_cast<int>(values.get<std::int64_t>("iterations"));
}

// `reach` whole pixels on each side of the centre, followed by one that counts with the fraction
// `end` in (0, 1]. An integer radius therefore reaches no further than it says.
struct Box {
  int reach;
  double end;
};
Box box_of(const Values& values) {
  const double radius = values.number("radius");
  const int reach = std::max(0, static_cast<int>(std::ceil(radius)) - 1);
  return {reach, radius - reach};
}

GaussianScheme scheme_for(const Values& values, const Picture& picture, const Target& target) {
  const GaussianRequest request = gaussian_request(picture, border_of(values), target);
  const Box box = box_of(values);
  return choose_boxes(request, box.reach, box.end, iterations_of(values));
}

class PreparedBox final : public PreparedFilter {
 public:
  PreparedBox(const Values& values, const Picture& picture, const Target& target)
      : box_(box_of(values)),
        iterations_(iterations_of(values)),
        on_reference_(target.reference),
        scheme_(scheme_for(values, picture, target)),
        width_(print_number(2 * values.number("radius") + 1)) {}

  Needs needs() const override {
    Needs needs;
    needs.halo_x = needs.halo_y = scheme_.halo;
    needs.reference_work = 4.0 * (2.0 * scheme_.halo + 1);
    needs.scratch_per_pixel =
        on_reference_ ? 8.0 * scheme_.request.channels
                      : std::max(scratch_per_pixel(scheme_), scratch_per_pixel_of_whole(scheme_));
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const auto plan = plans_.of(
        job, [&] { return plan_gaussian(scheme_, job.input.plane, job.edge, job.output.plane); });
    const double sums = scheme_.taps.empty() ? 4.0 * scheme_.passes : 4.0 * scheme_.radius + 6;
    run_pass_plan(*plan, job, passes, 2.0 * scheme_.request.channels * sums);
  }

  void reference(const ReferenceJob& job) const override {
    separable_reference(job, box_taps(box_.reach, box_.end, iterations_));
  }

  Message explain() const override {
    if (iterations_ == 1) {
      return message({"box.once", "{width} px wide, halo {halo} px"}, width_, scheme_.halo);
    }
    return message({"box.several", "{width} px wide, {times} times, halo {halo} px"}, width_,
                   iterations_, scheme_.halo);
  }

 private:
  const Box box_;
  const int iterations_;
  const bool on_reference_;
  const GaussianScheme scheme_;
  const std::string width_;
  const TilePlans plans_;
};

class BoxBlur final : public FilterOf<PreparedBox> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override { return values.number("radius") == 0.0; }

  // On GPUs the conversion is free compared with the transfer; their kernels take plain samples
  // only.
  bool takes_samples(const Values&, StoredSamples samples, const Target& target) const override {
    return samples == StoredSamples::plain || target.form == Form::cpu;
  }

 private:
  const FilterInfo info_{
      .id = "box",
      .label = "Box blur",
      .category = "Blur",
      .summary =
          "Replaces each pixel by the mean of a square around it, at the same speed for any size.",
      .description =
          "The mean of the pixels within radius along rows and columns: a window 2 radius + 1 "
          "pixels wide. If radius is not a whole number, the outermost pixels count by its "
          "fraction. With several iterations the box is applied to its own result; what lies "
          "outside the picture follows from the border once, for all of them. A radius of 0 "
          "changes nothing.",
      .formula =
          "out(p) = Σ w(q.x − p.x) w(q.y − p.y) I(q) / (2 radius + 1)²\n"
          "w(d) = min(1, max(0, radius + 1 − |d|))",
      .source =
          "McDonnell, Box-filtering techniques, 1981; NVIDIA, Constant Time Gaussian Blur (2011)",
      .version = 1,
      .parameters = with_common("box",
                                {vocabulary("radius").as_real().with_default(3).with_step(0.1),
                                 vocabulary("iterations").with_valid({1, 12})},
                                Light::linear, true),
      .light = Light::linear,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate,
      .plot = Plot::kernel};
};

}  // namespace

std::unique_ptr<Filter> make_box() {
  return std::make_unique<BoxBlur>();
}

}  // namespace sfumato::filters
