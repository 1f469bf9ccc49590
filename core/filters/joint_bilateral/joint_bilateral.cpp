// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// joint_bilateral: a mean of the near neighbours that are alike in other pictures: in a guide's
// colour, in normals, in depth. Sources: Petschnigg et al., Digital Photography with Flash and
// No-Flash Image Pairs, and Eisemann and Durand, Flash Photography Enhancement via Intrinsic
// Relighting, both SIGGRAPH 2004.
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/cross/cross_filter.hpp"
#include "filters/shared/geometry_roles.hpp"
#include "params/errors.hpp"
#include "params/refusals.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

int radius_of(const Values& values) {
  const auto radius = static_cast<int>(values.get<std::int64_t>("radius"));
  return radius != 0 ? radius
                     : std::max(1, static_cast<int>(std::ceil(3 * values.number("sigma"))));
}

CrossRange range_of(const Values& values) {
  return CrossRange{values.number("range_sigma"), values.number("normal_sigma"),
                    values.number("depth_sigma")}
      .bounded();
}

CrossWindow window_of(const Values& values) {
  CrossWindow window;
  const double sigma = values.number("sigma");
  for (int k = 0; k <= radius_of(values); ++k) {
    window.half.push_back(std::max(std::exp(-0.5 * k * k / (sigma * sigma)), 1e-30));
  }
  return window;
}

bool is_bound(const Values& values, const char* role) {
  return values.get<ImageRef>(role).bound();
}

class PreparedJointBilateral final : public PreparedFilter {
 public:
  PreparedJointBilateral(const Values& values, const Picture& picture, const Target& target)
      : radius_(radius_of(values)),
        range_(range_of(values)),
        window_(window_of(values)),
        picture_(picture),
        scratch_(cross_scratch(picture, target, cross_compared(range_, values, false), window_)) {
    for (const char* role : {"guide", "normal", "depth"}) {
      if (is_bound(values, role)) by_.push_back(named(vocabulary(role)));
    }
  }

  Needs needs() const override {
    Needs needs;
    needs.halo_x = needs.halo_y = radius_;
    needs.scratch_per_pixel = scratch_.per_pixel;
    needs.scratch = scratch_.fixed;
    const double side = 2.0 * radius_ + 1;
    needs.reference_work = side * side * 7;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    CrossPasses cross(picture_, job, passes, cross_compared(range_, job.roles, false),
                      CrossAlpha::averaged);
    cross.run(job.input, job.output, window_, range_);
  }

  void reference(const ReferenceJob& job) const override {
    cross_reference(picture_, job, job.input, job.output, window_, range_,
                    cross_compared(range_, job.roles, false), CrossAlpha::averaged);
  }

  Message explain() const override {
    const int side = 2 * radius_ + 1;
    switch (by_.size()) {
      case 1:
        return message({"joint_bilateral.by_one", "window of {side} x {side} px, by {role}"}, side,
                       by_[0]);
      case 2:
        return message(
            {"joint_bilateral.by_two", "window of {side} x {side} px, by {first} and {second}"},
            side, by_[0], by_[1]);
      case 3:
        return message({"joint_bilateral.by_three",
                        "window of {side} x {side} px, by {first} and {second} and {third}"},
                       side, by_[0], by_[1], by_[2]);
      default:
        return message({"joint_bilateral.window", "window of {side} x {side} px"}, side);
    }
  }

 private:
  const int radius_;
  const CrossRange range_;
  const CrossWindow window_;
  const Picture picture_;
  const CrossScratch scratch_;
  std::vector<MessageValue> by_;  // the roles used
};

class JointBilateral final : public FilterOf<PreparedJointBilateral> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return values.number("sigma") < least_sigma ||
           (is_bound(values, "guide") && values.number("range_sigma") == 0.0);
  }

  void check(const Values& values) const override {
    if (is_bound(values, "guide") || is_bound(values, "normal") || is_bound(values, "depth")) {
      return;
    }
    refuse(info_, "guide",
           message({"joint_bilateral.no_guide",
                    "{filter} needs a picture whose edges it keeps: one for {guide}, for {normal}, "
                    "for {depth}, or for several of them"},
                   named(info_), named(info_, "guide"), named(info_, "normal"),
                   named(info_, "depth")));
  }

 private:
  const FilterInfo info_{
      .id = "joint_bilateral",
      .label = "Joint bilateral",
      .category = "Edge-preserving",
      .summary = "Smooths while keeping the edges of another picture: a guide, normals, depth.",
      .description =
          "Each pixel becomes the mean of its (2 radius + 1) x (2 radius + 1) neighbours, weighted "
          "by a Gaussian of their distance in the picture (sigma) and one of their difference in "
          "each of the pictures that are given: the colour of guide (range_sigma), normals "
          "(normal_sigma), depth (depth_sigma, as a share of the depth). A guide without noise, "
          "such as a flash photograph or a render's albedo, keeps edges that the picture itself "
          "hides. Samples that are not finite are left out.",
      .formula =
          "out(p) = Σ w(p, q) I(q) / Σ w(p, q), q.x and q.y within r of p,\n"
          "r = radius, or ⌈3 sigma⌉ where radius is 0\n"
          "w(p, q) = exp(−(|q − p|² / sigma² + g² / range_sigma²\n"
          "               + n² / normal_sigma² + z² / depth_sigma²) / 2)\n"
          "g = |guide(q) − guide(p)|, n = |normal(q) − normal(p)|,\n"
          "z = (depth(q) − depth(p)) / max(|depth(q)|, |depth(p)|);\n"
          "each where it is given",
      .source = "Petschnigg et al. and Eisemann and Durand, both SIGGRAPH 2004",
      .version = 1,
      .parameters = with_common(
          "joint_bilateral",
          {vocabulary("sigma").with_default(3.0).with_valid({0, 333}).with_slider({0, 30}),
           vocabulary("range_sigma").with_default(0.1), vocabulary("guide"), vocabulary("normal"),
           vocabulary("depth"), vocabulary("normal_sigma").with_default(0.2),
           vocabulary("depth_sigma").with_default(0.1),
           vocabulary("radius")
               .with_default(0)
               .with_help("Half-width of the window; 0 stands for 3 sigma, rounded up.")
               .with_valid({0, 1000})},
          Light::linear, true),
      .roles = {{.parameter = "guide", .channels = 4, .data = false, .required = false},
                normal_role(),
                depth_role()},
      .light = Light::linear,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate,
      .non_finite = NonFinite::left_out};
};

}  // namespace

std::unique_ptr<Filter> make_joint_bilateral() {
  return std::make_unique<JointBilateral>();
}

}  // namespace sfumato::filters
