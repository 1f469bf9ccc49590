// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gradient_map: brightness looked up in a gradient of colours.
// Source: ShaderX2 (2003), Night Vision: a gray ramp replaced by colours.
#include <algorithm>
#include <vector>

#include "filters/filter.hpp"
#include "filters/shared/color_gradient.hpp"
#include "filters/shared/luma_weights.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

class GradientMap final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  // A steep ramp amplifies the difference between two devices.
  double tolerance(const Values& values) const override {
    return 2e-5 *
           std::max(1.0, steepest_of(ramps_of(values.get<Gradient>("gradient"), light_of(values))));
  }

  bool makes_colour(const Values& values) const override {
    return is_coloured(values.get<Gradient>("gradient"));
  }

  PreparedPtr prepare(const Values& values, const Picture&, const Target&) const override {
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
          "is multiplied by the gradient's. A gray picture becomes a colour picture, unless all "
          "stops are gray.",
      .formula =
          "out = gradient(a R + b G + c B), (a, b, c) the weights;\n"
          "alpha is multiplied by the gradient's alpha",
      .source = "ShaderX2 (2003), Night Vision",
      .version = 1,
      .parameters =
          with_common("gradient_map",
                      {vocabulary("gradient").with_default("0 #000000; 1 #ffffff"), weights_word()},
                      Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_gradient_map() {
  return std::make_unique<GradientMap>();
}

}  // namespace sfumato::filters
