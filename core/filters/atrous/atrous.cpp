// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// atrous: the smoothest level of the edge-avoiding a-trous wavelet transform. On each level, 5 x 5
// samples with twice the previous spacing are averaged without crossing edges of colour, normals
// and depth. Source: Dammertz, Sewtz, Hanika and Lensch, Edge-Avoiding A-Trous Wavelet Transform
// for fast Global Illumination Filtering, High Performance Graphics 2010.
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/cross/cross_filter.hpp"
#include "filters/shared/geometry_roles.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

int levels_of(const Values& values) {
  return static_cast<int>(values.get<std::int64_t>("iterations"));
}

// The B3 spline's weights 1 4 6 4 1, with holes that grow from level to level.
CrossWindow window_of(int level) {
  return {{6.0 / 16, 4.0 / 16, 1.0 / 16}, 1 << level};
}

// Smoothed colours differ less, so the colour range halves on each level; the ranges of normals and
// depth stay (the source's listing widens that of normals from level to level).
CrossRange range_of(const Values& values, int level) {
  return CrossRange{std::ldexp(values.number("range_sigma"), -level), values.number("normal_sigma"),
                    values.number("depth_sigma")}
      .bounded();
}

class PreparedAtrous final : public PreparedFilter {
 public:
  PreparedAtrous(const Values& values, const Picture& picture, const Target& target)
      : picture_(picture),
        scratch_(cross_scratch(picture, target, cross_compared(range_of(values, 0), values, true),
                               window_of(levels_of(values) - 1))) {
    for (int i = 0; i < levels_of(values); ++i)
      levels_.push_back({window_of(i), range_of(values, i)});
  }

  Needs needs() const override {
    Needs needs;
    needs.halo_x = needs.halo_y = reach_from(0);
    needs.scratch_per_pixel = scratch_.per_pixel + 8.0 * picture_.channels;
    needs.scratch = scratch_.fixed;
    needs.reference_work = 25.0 * 10 * static_cast<double>(levels_.size());
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const Rect out = job.output.plane.rect();
    const Rect held = held_of(job.input.plane, job.edge);
    CrossPasses windows(picture_, job, passes, cross_compared(levels_[0].range, job.roles, true),
                        CrossAlpha::weighs);
    DeviceImage from = job.input;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const bool last = i + 1 == levels_.size();
      const DeviceImage to =
          last ? job.output : passes.scratch(region_of(i, out, held, job.edge), job.input.channels);
      windows.run(from, to, levels_[i].window, levels_[i].range);
      from = to;
    }
  }

  void reference(const ReferenceJob& job) const override {
    const Rect out = job.output.plane.rect();
    const Rect held = held_of(job.input.plane, job.edge);
    FloatView from = job.input;
    std::vector<float> kept;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      FloatView to = job.output;
      std::vector<float> made;
      if (i + 1 < levels_.size()) {
        const Rect r = region_of(i, out, held, job.edge);
        made.resize(static_cast<std::size_t>(r.area()) *
                    static_cast<std::size_t>(job.input.channels));
        to = {made.data(), {r.x0, r.y0, r.width(), r.height(), r.width(), 0}, job.input.channels};
      }
      const auto& [window, range] = levels_[i];
      cross_reference(picture_, job, from, to, window, range,
                      cross_compared(range, job.roles, true), CrossAlpha::weighs);
      kept.swap(made);
      from = to;
    }
  }

  Message explain() const override {
    return message({"atrous.levels", "{levels} levels, reaching {reach} px"}, levels_.size(),
                   reach_from(0));
  }

 private:
  struct Level {
    CrossWindow window;
    CrossRange range;
  };

  static Rect held_of(const Plane& in, const Edge& edge) {
    return in.rect().intersected({edge.x0, edge.y0, edge.x1, edge.y1});
  }

  // The combined reach of the levels from `level` on.
  int reach_from(std::size_t level) const {
    int reach = 0;
    for (; level < levels_.size(); ++level) reach += levels_[level].window.reach();
    return reach;
  }

  // The region that level `level` must compute for the last one to be complete.
  Rect region_of(std::size_t level, const Rect& out, const Rect& held, const Edge& edge) const {
    if (level + 1 == levels_.size()) return out;
    // A wrapping window may need the other end of the picture.
    if (edge.border() == Border::wrap) return held;
    const int reach = reach_from(level + 1);
    return out.grown(reach, reach).intersected(held);
  }

  const Picture picture_;
  const CrossScratch scratch_;
  std::vector<Level> levels_;
};

class Atrous final : public FilterOf<PreparedAtrous> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override { return values.number("range_sigma") == 0.0; }

 private:
  const FilterInfo info_{
      .id = "atrous",
      .label = "À-trous wavelet",
      .category = "Edge-preserving",
      .summary =
          "Smooths renders and photographs over large areas at little cost, stopping at edges.",
      .description =
          "Each level is a weighted mean of 5 x 5 samples (weights 1 4 6 4 1 in each direction), "
          "which lie twice as far apart as on the level before; five levels reach 62 pixels. A "
          "sample counts less, by a Gaussian, the more its colour differs (range_sigma, halved on "
          "each level) and, where those pictures are given, its normal (normal_sigma) and its "
          "depth (depth_sigma, as a share of the depth). Samples that are not finite are left out, "
          "transparent ones have no weight, and alpha itself is kept.",
      .formula =
          "I₀ = I, out = I of level iterations, and on each level i from 0:\n"
          "Iᵢ₊₁(p) = Σ w(q) Iᵢ(q) / Σ w(q), q = p + 2^i (j, k), j and k from −2 to 2\n"
          "w(q) = h(j) h(k) alpha(q) exp(−(c² / (range_sigma / 2^i)²\n"
          "                         + n² / normal_sigma² + z² / depth_sigma²) / 2)\n"
          "h = (1, 4, 6, 4, 1) / 16, c = |Iᵢ(q) − Iᵢ(p)|,\n"
          "n = |normal(q) − normal(p)|,\n"
          "z = (depth(q) − depth(p)) / max(|depth(q)|, |depth(p)|);\n"
          "n and z where they are given",
      .source = "Dammertz, Sewtz, Hanika and Lensch, High Performance Graphics 2010",
      .version = 1,
      .parameters = with_common(
          "atrous",
          {vocabulary("iterations")
               .with_valid({1, 8})
               .with_default(5)
               .with_slider({1, 8})
               .with_label("Levels")
               .with_help("The number of levels; each reaches twice as far as the one before."),
           vocabulary("range_sigma").with_default(0.2), vocabulary("normal"), vocabulary("depth"),
           vocabulary("normal_sigma").with_default(0.2),
           vocabulary("depth_sigma").with_default(0.1)},
          Light::linear, true),
      .roles = {normal_role(), depth_role()},
      .light = Light::linear,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate,
      .non_finite = NonFinite::left_out};
};

}  // namespace

std::unique_ptr<Filter> make_atrous() {
  return std::make_unique<Atrous>();
}

}  // namespace sfumato::filters
