// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// curve: a transfer function through points. Source: Fritsch and Carlson, Monotone Piecewise Cubic
// Interpolation, SIAM J. Numer. Anal. 17 (1980), with the slopes of Fritsch and Butland, A Method
// for Constructing Local Monotone Piecewise Cubic Interpolants, SIAM J. Sci. Stat. Comput. 5
// (1984). The curve rises and falls only where the points do, so it never overshoots.
#include <algorithm>
#include <cmath>
#include <vector>

#include "filters/filter.hpp"
#include "filters/shared/curve_pieces.hpp"
#include "filters/shared/point_pass.hpp"
#include "filters/shared/selected_channels.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

class CurveFilter final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    const Curve& curve = values.get<Curve>("curve");
    return std::all_of(curve.points.begin(), curve.points.end(),
                       [](const Curve::Point& p) { return p.x == p.y; });
  }

  // A steep piece amplifies the difference between two devices.
  double tolerance(const Values& values) const override {
    double steepest = 1;
    for (const CurvePiece& p : pieces_of(values.get<Curve>("curve"))) {
      steepest = std::max(steepest, std::abs(p.slope));
    }
    return 2e-5 * steepest;
  }

  PreparedPtr prepare(const Values& values, const Picture&, const Target&) const override {
    const std::vector<CurvePiece> pieces = pieces_of(values.get<Curve>("curve"));
    std::vector<float> numbers;
    for (const CurvePiece& p : pieces) {
      for (const double v : {p.x0, p.y0, p.slope, p.b, p.c}) {
        numbers.push_back(static_cast<float>(v));
      }
    }
    const int count = static_cast<int>(pieces.size());
    const ChannelChoice chosen = chosen_channels(values);
    const auto run = [numbers, count, chosen](const TileJob& job, Passes& passes) {
      const int channels = job.input.channels;
      Launch launch = point_launch(job.output.plane, passes.form(), 24.0 * count, channels);
      launch.options += channel_options(chosen, channels);
      passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane,
                    passes.table(numbers), count);
    };
    return prepared_point(20, run, [pieces, chosen](const float* in, float* out, int channels) {
      for (int c = 0; c < channels; ++c) {
        out[c] = chosen.takes(c, channels)
                     ? static_cast<float>(curve_at(pieces, static_cast<double>(in[c])))
                     : in[c];
      }
    });
  }

 private:
  const FilterInfo info_{
      .id = "curve",
      .label = "Curve",
      .category = "Colour",
      .summary = "Changes tones by a curve drawn through points.",
      .description =
          "The curve passes smoothly through the points and overshoots none of them. Before the "
          "first point and after the last it continues as a straight line, so that values above 1 "
          "keep their differences.",
      .formula =
          "out = yᵢ + t (mᵢ + t (b + t c)), t = I − xᵢ, between points i and i + 1\n"
          "b = (3 dᵢ − 2 mᵢ − mᵢ₊₁) / hᵢ, c = (mᵢ + mᵢ₊₁ − 2 dᵢ) / hᵢ²,\n"
          "hᵢ = xᵢ₊₁ − xᵢ, dᵢ = (yᵢ₊₁ − yᵢ) / hᵢ,\n"
          "mᵢ = (u + v) / (u / dᵢ₋₁ + v / dᵢ), u = 2 hᵢ + hᵢ₋₁, v = hᵢ + 2 hᵢ₋₁,\n"
          "0 where dᵢ₋₁ dᵢ ≤ 0;\n"
          "at either end mᵢ is the d beside it; beyond, the curve is a straight line",
      .source =
          "Fritsch and Carlson, SIAM J. Numer. Anal. 17 (1980); Fritsch and Butland, SIAM J. Sci. "
          "Stat. Comput. 5 (1984)",
      .version = 1,
      .parameters =
          with_common("curve", {vocabulary("curve"), channels_word()}, Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_curve() {
  return std::make_unique<CurveFilter>();
}

}  // namespace sfumato::filters
