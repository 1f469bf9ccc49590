// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// curve: a transfer function through points.
// Source: Fritsch and Carlson, Monotone Piecewise Cubic Interpolation, SIAM J. Numer. Anal. 17
// (1980): the curve rises and falls only where the points do, so nothing overshoots.
#include <algorithm>
#include <cmath>
#include <vector>

#include "filters/filter.hpp"
#include "filters/support/channels.hpp"
#include "filters/support/point.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// y = ((c * t + b) * t + slope) * t + y0 with t = x - x0, up to the next piece.
struct Piece {
  double x0 = 0, y0 = 0, slope = 0, b = 0, c = 0;
};

// The slope at an inner point: the weighted harmonic mean of its neighbours', or level at a turn.
double slope_between(double left_width, double left, double right_width, double right) {
  if (left * right <= 0) return 0;
  const double a = 2 * right_width + left_width, b = right_width + 2 * left_width;
  return (a + b) / (a / left + b / right);
}

// The first piece runs straight before the first point, the last one behind the last.
std::vector<Piece> pieces_of(const Curve& curve) {
  const std::size_t n = curve.points.size();
  std::vector<double> width(n - 1), rise(n - 1), slope(n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    width[i] = curve.points[i + 1].x - curve.points[i].x;
    rise[i] = (curve.points[i + 1].y - curve.points[i].y) / width[i];
  }
  slope.front() = rise.front();
  slope.back() = rise.back();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    slope[i] = slope_between(width[i - 1], rise[i - 1], width[i], rise[i]);
  }
  std::vector<Piece> pieces{{curve.points[0].x, curve.points[0].y, slope[0], 0, 0}};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double w = width[i];
    pieces.push_back({curve.points[i].x, curve.points[i].y, slope[i],
                      (3 * rise[i] - 2 * slope[i] - slope[i + 1]) / w,
                      (slope[i] + slope[i + 1] - 2 * rise[i]) / (w * w)});
  }
  pieces.push_back({curve.points[n - 1].x, curve.points[n - 1].y, slope[n - 1], 0, 0});
  return pieces;
}

double value_at(const std::vector<Piece>& pieces, double x) {
  std::size_t i = 0;
  while (i + 1 < pieces.size() && x >= pieces[i + 1].x0) ++i;
  const Piece& p = pieces[i];
  const double t = x - p.x0;
  return p.y0 + t * (p.slope + t * (p.b + t * p.c));
}

class CurveFilter final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    const Curve& curve = values.get<Curve>("curve");
    return std::all_of(curve.points.begin(), curve.points.end(),
                       [](const Curve::Point& p) { return p.x == p.y; });
  }

  // A steep piece multiplies what two devices differ by.
  double tolerance(const Values& values) const override {
    double steepest = 1;
    for (const Piece& p : pieces_of(values.get<Curve>("curve"))) {
      steepest = std::max(steepest, std::abs(p.slope));
    }
    return 2e-5 * steepest;
  }

  Needs needs(const Values&, const Picture&, const Target&) const override {
    Needs needs;
    needs.reference_work = 20;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const std::vector<Piece> pieces = pieces_of(job.values.get<Curve>("curve"));
    std::vector<float> numbers;
    for (const Piece& p : pieces) {
      for (const double v : {p.x0, p.y0, p.slope, p.b, p.c}) {
        numbers.push_back(static_cast<float>(v));
      }
    }
    const int count = static_cast<int>(pieces.size());
    Launch launch = point_launch(job.output.plane, passes.form(), 24.0 * count, job.input.channels);
    launch.options += channel_options(job.values, job.input.channels);
    passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane,
                  passes.table(numbers), count);
  }

  void reference(const ReferenceJob& job) const override {
    const std::vector<Piece> pieces = pieces_of(job.values.get<Curve>("curve"));
    const ChannelChoice chosen = chosen_channels(job.values);
    point_reference(job, [&](const float* in, float* out, int channels) {
      for (int c = 0; c < channels; ++c) {
        out[c] = chosen.takes(c, channels)
                     ? static_cast<float>(value_at(pieces, static_cast<double>(in[c])))
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
          "first point and behind the last it goes straight on, so that values above 1 keep their "
          "differences.",
      .source = "Fritsch and Carlson, SIAM J. Numer. Anal. 17 (1980)",
      .version = 1,
      .parameters =
          with_common("curve", {vocabulary("curve"), channels_word()}, Light::display, false),
      .roles = {},
      .light = Light::display,
      .alpha = AlphaWish::straight,
      .preview = PreviewClass::exact};
};

}  // namespace

std::unique_ptr<Filter> make_curve() {
  return std::make_unique<CurveFilter>();
}

}  // namespace sfumato::filters
