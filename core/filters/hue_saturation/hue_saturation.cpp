// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// hue_saturation: turns the hue and scales saturation and value, through HSV. Sources: Smith, Color
// Gamut Transform Pairs, SIGGRAPH 1978; ShaderX2 (2003), Advanced Image Processing with DirectX 9
// Pixel Shaders.
#include <algorithm>

#include "filters/filter.hpp"
#include "filters/shared/color_components.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

class HueSaturation final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return values.number("hue") == 0 && values.number("saturation") == 1 &&
           values.number("value") == 1;
  }

  PreparedPtr prepare(const Values& values, const Picture&, const Target&) const override {
    // Turn in full turns, factor of saturation, factor of value.
    const Triple change{values.number("hue") / 360, values.number("saturation"),
                        values.number("value")};
    const std::array<float, 4> numbers{static_cast<float>(change[0]), static_cast<float>(change[1]),
                                       static_cast<float>(change[2]), 0};
    const auto run = [numbers](const TileJob& job, Passes& passes) {
      passes.launch(point_launch(job.output.plane, passes.form(), 80, job.input.channels),
                    job.input, job.input.plane, job.output, job.output.plane, numbers);
    };
    return prepared_point(40, run, [change](const float* in, float* out, int channels) {
      if (channels == 1) {  // gray has a value only
        out[0] = static_cast<float>(static_cast<double>(in[0]) * change[2]);
        return;
      }
      Triple c = hsv_of(triple(in));
      c[0] += change[0];
      // Saturation above 1 would make components negative; colours that already exceed it keep
      // theirs.
      c[1] = std::min(c[1] * change[1], std::max(c[1], 1.0));
      c[2] *= change[2];
      c = rgb_of_hsv(c);
      for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(c[static_cast<std::size_t>(i)]);
      out[3] = in[3];
    });
  }

 private:
  const FilterInfo info_{
      .id = "hue_saturation",
      .label = "Hue and saturation",
      .category = "Colour",
      .summary = "Turns all hues by an angle, and scales saturation and brightness.",
      .description =
          "The colour is taken apart into hue, saturation and value, changed, and put together "
          "again. Saturation is limited to full; gray stays gray. A value that is not a number "
          "counts neither as the largest nor as the smallest component.",
      .formula = "H' = H + hue / 360, S' = min(S · saturation, max(S, 1)), V' = V · value",
      .source = "Smith, SIGGRAPH 1978; ShaderX2 (2003), Advanced Image Processing",
      .version = 1,
      .parameters =
          with_common("hue_saturation",
                      {Parameter::real("hue", "Hue", "How far hues turn: red to yellow to green.",
                                       0, {-180, 180})
                           .with_unit(Unit::degrees),
                       Parameter::real("saturation", "Saturation",
                                       "Saturation is multiplied by this; 0: gray.", 1, {0, 100})
                           .with_slider({0, 3}),
                       Parameter::real("value", "Value",
                                       "The largest component is multiplied by this.", 1, {0, 100})
                           .with_slider({0, 3})},
                      Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_hue_saturation() {
  return std::make_unique<HueSaturation>();
}

}  // namespace sfumato::filters
