// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// atrous: the edge-avoiding a-trous wavelet transform, its smoothest level: five samples each way,
// twice as far apart on each level, that stop at edges of colour, normals and depth.
// Source: Dammertz, Sewtz, Hanika and Lensch, Edge-Avoiding A-Trous Wavelet Transform for fast
// Global Illumination Filtering, High Performance Graphics 2010.
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/cross/cross_filter.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

int levels_of(const Values& values) {
  return static_cast<int>(values.get<std::int64_t>("iterations"));
}

// The B3 spline's weights 1 4 6 4 1, their holes growing from level to level.
CrossWindow window_of(int level) {
  return {{6.0 / 16, 4.0 / 16, 1.0 / 16}, 1 << level};
}

// Colours already smoothed may differ less, so the range is halved on each level; surfaces stay as
// they are (the listing of the source lets normals differ more from level to level).
CrossRange range_of(const Values& values, int level) {
  return CrossRange{std::ldexp(values.number("range_sigma"), -level), values.number("normal_sigma"),
                    values.number("depth_sigma")}
      .bounded();
}

// How far the levels from `level` on reach together.
int reach_from(const Values& values, int level) {
  int reach = 0;
  for (int i = level; i < levels_of(values); ++i) reach += window_of(i).reach();
  return reach;
}

// What level `level` must compute, so that the last one has all it asks for.
Rect region_of(const Values& values, int level, const Rect& out, const Rect& held,
               const Edge& edge) {
  if (level + 1 == levels_of(values)) return out;
  // A window that wraps may ask for the other end of the picture.
  if (edge.border() == Border::wrap) return held;
  const int reach = reach_from(values, level + 1);
  return out.grown(reach, reach).intersected(held);
}

class Atrous final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override { return values.number("range_sigma") == 0.0; }

  Needs needs(const Values& values, const Picture& picture, const Target& target) const override {
    Needs needs;
    needs.halo_x = needs.halo_y = reach_from(values, 0);
    needs.scratch_per_pixel = cross_scratch(picture, target) + 8.0 * picture.channels;
    needs.reference_work = 25.0 * 10 * levels_of(values);
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const Rect out = job.output.plane.rect();
    const int reach = reach_from(job.values, 0);
    const CrossRange range = range_of(job.values, 0);
    const Rect held = held_of(job.input.plane, job.edge);
    const bool wraps = job.edge.border() == Border::wrap;
    CrossPasses levels(job, passes, cross_compared(range, job.roles, true), CrossAlpha::weighs,
                       wraps ? held.grown(reach, reach) : out.grown(reach, reach));
    DeviceImage from = job.input;
    for (int i = 0; i < levels_of(job.values); ++i) {
      const bool last = i + 1 == levels_of(job.values);
      const DeviceImage to =
          last ? job.output
               : passes.scratch(region_of(job.values, i, out, held, job.edge), job.input.channels);
      levels.run(from, to, window_of(i), range_of(job.values, i));
      from = to;
    }
  }

  void reference(const ReferenceJob& job) const override {
    const Rect out = job.output.plane.rect();
    const Rect held = held_of(job.input.plane, job.edge);
    FloatView from = job.input;
    std::vector<float> kept;
    for (int i = 0; i < levels_of(job.values); ++i) {
      FloatView to = job.output;
      std::vector<float> made;
      if (i + 1 < levels_of(job.values)) {
        const Rect r = region_of(job.values, i, out, held, job.edge);
        made.resize(static_cast<std::size_t>(r.area()) *
                    static_cast<std::size_t>(job.input.channels));
        to = {made.data(), {r.x0, r.y0, r.width(), r.height(), r.width(), 0}, job.input.channels};
      }
      const CrossRange range = range_of(job.values, i);
      cross_reference(job, from, to, window_of(i), range, cross_compared(range, job.roles, true),
                      CrossAlpha::weighs);
      kept.swap(made);
      from = to;
    }
  }

  std::string explain(const Values& values, const Picture&, const Target&) const override {
    return std::to_string(levels_of(values)) + " levels, reaching " +
           std::to_string(reach_from(values, 0)) + " px";
  }

 private:
  static Rect held_of(const Plane& in, const Edge& edge) {
    return in.rect().intersected({edge.x0, edge.y0, edge.x1, edge.y1});
  }

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
      .roles = {{.parameter = "normal",
                 .channels = 4,
                 .data = true,
                 .is_signed = true,
                 .required = false},
                {.parameter = "depth", .channels = 1, .data = true, .required = false}},
      .light = Light::linear,
      .alpha = AlphaWish::straight,
      .preview = PreviewClass::approximate,
      .non_finite = NonFinite::left_out};
};

}  // namespace

std::unique_ptr<Filter> make_atrous() {
  return std::make_unique<Atrous>();
}

}  // namespace sfumato::filters
