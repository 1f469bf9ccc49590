// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gradient_map: brightness looked up in a gradient of colours.
// Source: ShaderX2 (2003), Night Vision: a gray ramp replaced by colours.
#include <algorithm>
#include <cmath>
#include <vector>

#include "filters/filter.hpp"
#include "filters/shared/color_gradient.hpp"
#include "filters/shared/luma_weights.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

bool has_ramp(const Values& values) {
  return values.get<ImageRef>("ramp").bound();
}

// Brightness looked up in the middle row of the picture `ramp`.
class MappedByRow final : public PreparedFilter {
 public:
  explicit MappedByRow(const Values& values) : weights_(gray_weights(values)) {}

  Needs needs() const override { return {.reference_work = 30}; }

  void run(const TileJob& job, Passes& passes) const override {
    const DeviceImage& ramp = job.roles.find("ramp")->second;
    Launch launch = point_launch(job.output.plane, passes.form(), 40, job.input.channels);
    launch.options += " -DRAMP";
    passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane, ramp,
                  ramp.plane, weights_);
  }

  void reference(const ReferenceJob& job) const override {
    const FloatView& ramp = job.roles.find("ramp")->second;
    const std::array<float, 4>& w = weights_;
    point_reference(job, [&](const float* in, float* out, int channels) {
      if (channels == 1) {
        const std::array<float, 4> color = color_in_row(ramp, in[0]);
        out[0] = std::fma(w[2], color[2], std::fma(w[1], color[1], w[0] * color[0]));
        return;
      }
      const std::array<float, 4> color =
          color_in_row(ramp, in[0] * w[0] + in[1] * w[1] + in[2] * w[2]);
      const float alpha = color[3] * in[3];
      std::copy_n(color.begin(), 3, out);
      out[3] = alpha;
    });
  }

 private:
  const std::array<float, 4> weights_;
};

class GradientMap final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  // A steep ramp amplifies the difference between two devices.
  double tolerance(const Values& values) const override {
    if (has_ramp(values)) return 2e-5 * steepest_row;
    return 2e-5 *
           std::max(1.0, steepest_of(ramps_of(values.get<Gradient>("gradient"), light_of(values))));
  }

  bool makes_colour(const Values& values) const override {
    return has_ramp(values) || is_coloured(values.get<Gradient>("gradient"));
  }

  PreparedPtr prepare(const Values& values, const Picture&, const Target&) const override {
    if (has_ramp(values)) return std::make_unique<MappedByRow>(values);
    const std::vector<Ramp> ramps = ramps_of(values.get<Gradient>("gradient"), light_of(values));
    const std::array<float, 4> w = gray_weights(values);
    const int count = static_cast<int>(ramps.size());
    const auto run = [table = ramp_table(ramps), count, w](const TileJob& job, Passes& passes) {
      passes.launch(point_launch(job.output.plane, passes.form(), 20.0 * count, job.input.channels),
                    job.input, job.input.plane, job.output, job.output.plane, passes.table(table),
                    count, w);
    };
    return prepared_point(30, run, [ramps, w](const float* in, float* out, int channels) {
      const float x = channels == 1 ? in[0] : in[0] * w[0] + in[1] * w[1] + in[2] * w[2];
      const std::array<double, 4> color = color_at(ramps, static_cast<double>(x));
      if (channels == 1) {
        out[0] = static_cast<float>(color[0]);
        return;
      }
      for (std::size_t c = 0; c < 3; ++c) out[c] = static_cast<float>(color[c]);
      out[3] = static_cast<float>(color[3] * static_cast<double>(in[3]));
    });
  }

 private:
  const FilterInfo info_{
      .id = "gradient_map",
      .label = "Gradient map",
      .category = "Colour",
      .summary = "Replaces brightness by the colours of a gradient.",
      .description =
          "The weighted sum of red, green and blue is looked up in the gradient: dark pixels take "
          "the colours at its start, bright ones those at its end; values outside 0 to 1 take the "
          "colours at its ends, and a value that is not a number the colour at its start. Opacity "
          "is multiplied by the gradient's. With a ramp, a picture's middle row takes the place of "
          "the gradient: its left end is for 0, its right end for 1. A gray picture becomes a "
          "colour picture, unless all "
          "stops are gray and there is no ramp.",
      .formula =
          "out = gradient(a R + b G + c B), (a, b, c) the weights;\n"
          "with a ramp n pixels wide, its pixel at (n − 1) (a R + b G + c B),\n"
          "linear between two pixels, in place of gradient;\n"
          "alpha is multiplied by the gradient's alpha",
      .source = "ShaderX2 (2003), Night Vision",
      .version = 1,
      .parameters = with_common("gradient_map",
                                {vocabulary("gradient").with_default("0 #000000; 1 #ffffff"),
                                 vocabulary("ramp"), weights_word()},
                                Light::display, false),
      .roles = {{.parameter = "ramp", .channels = 4, .data = false, .aligned = false}},
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_gradient_map() {
  return std::make_unique<GradientMap>();
}

}  // namespace sfumato::filters
