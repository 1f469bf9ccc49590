// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// posterize: few levels per channel, or of the luminance. Source: uniform scalar quantisation
// (Gonzalez, Woods, Digital Image Processing, 4th edition, 2018, section 2.4), with levels at 0, 1
// and evenly between.
#include <array>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

/// The distance between levels, passed to kernels as one float2.
struct Steps {
  float count;    ///< from 0 to 1
  float inverse;  ///< 1 / count

  explicit Steps(const Values& values)
      : count(static_cast<float>(values.get<std::int64_t>("levels") - 1)), inverse(1 / count) {}

  // The kernel's twin, operation by operation, so that all devices reach the same level. The
  // quotient is correctly rounded, so that the highest level is 1 (Markstein, 1990).
  float nearest(float value) const {
    const float level = std::floor(std::fma(value, count, 0.5f));
    const float quotient = level * inverse;
    if (std::isinf(quotient)) return quotient;  // the residual would be NaN
    return std::fma(std::fma(-quotient, count, level), inverse, quotient);
  }
};

class Posterize final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  double tolerance(const Values&) const override { return 0; }

  PreparedPtr prepare(const Values& values, const Picture& picture, const Target&) const override {
    const Steps steps(values);
    const bool luminance = values.choice("channels") == "luminance" && picture.channels == 4;
    const auto run = [=](const TileJob& job, Passes& passes) {
      Launch launch = point_launch(job.output.plane, passes.form(), 8, job.input.channels);
      if (luminance) launch.options += " -DLUMINANCE";
      passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane, steps);
    };
    return prepared_point(8, run, [=](const float* in, float* out, int channels) {
      if (channels == 1) {
        out[0] = steps.nearest(in[0]);
        return;
      }
      const float y = std::fma(0.0722f, in[2], std::fma(0.7152f, in[1], 0.2126f * in[0]));
      const float change = steps.nearest(y) - y;
      for (int c = 0; c < 3; ++c) out[c] = luminance ? in[c] + change : steps.nearest(in[c]);
      out[3] = in[3];
    });
  }

 private:
  const FilterInfo info_{
      .id = "posterize",
      .label = "Posterize",
      .category = "Colour",
      .summary = "Leaves a few levels of each colour, as a poster's inks do.",
      .description =
          "Each value becomes the nearest of as many levels, which lie at 0, at 1 and evenly "
          "between; of two that are equally near, the higher. Values beyond 0 and 1 go on in the "
          "same steps. With channels luminance, a pixel's luminance (Rec. 709) becomes the nearest "
          "level, and red, green and blue change by as much: hues stay smooth.",
      .formula =
          "each: out = ⌊I n + 1/2⌋ / n, n = levels − 1\n"
          "luminance: out = I + ⌊Y n + 1/2⌋ / n − Y,\n"
          "Y = 0.2126 R + 0.7152 G + 0.0722 B",
      .source = "Gonzalez, Woods, Digital Image Processing, 4th edition, 2018, section 2.4",
      .parameters = with_common(
          "posterize",
          {Parameter::integer("levels", "Levels", "How many values a channel can have.", 4,
                              {2, 256})
               .with_slider({2, 32}),
           vocabulary("channels")
               .with_choices({{"each", "Each", "every channel on its own"},
                              {"luminance", "Luminance", "lightness alone: hues stay smooth"}})},
          Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_posterize() {
  return std::make_unique<Posterize>();
}

}  // namespace sfumato::filters
