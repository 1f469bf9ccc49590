// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// levels: input range, gamma, output range. Source: the transfer function of photo editors,
// extended as an odd function where gamma meets values below black, f(-x) = -f(x), like every curve
// here.
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/point_pass.hpp"
#include "filters/shared/selected_channels.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// Passed to kernels as two float4.
struct Range4 {
  float black, per_range, exponent, unused;
  float output_black, output_range, none[2];
};

class Levels final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  void check(const Values& values) const override {
    if (values.number("white") > values.number("black")) return;
    refuse(info_, "white",
           message({"levels.white_below_black",
                    "{white}: it must be above {black}; to invert the picture, swap {output_black} "
                    "and {output_white}"},
                   named(info_, "white"), named(info_, "black"), named(info_, "output_black"),
                   named(info_, "output_white")));
  }

  bool neutral(const Values& values) const override {
    return values.number("black") == 0 && values.number("white") == 1 &&
           values.number("gamma") == 1 && values.number("output_black") == 0 &&
           values.number("output_white") == 1;
  }

  // A steep slope amplifies the difference between two devices.
  double tolerance(const Values& values) const override {
    const double slope = std::abs(values.number("output_white") - values.number("output_black")) /
                         (values.number("white") - values.number("black"));
    return 2e-5 * std::max(1.0, slope) * std::max(1.0, values.number("gamma"));
  }

  PreparedPtr prepare(const Values& values, const Picture&, const Target&) const override {
    const double black = values.number("black"), range = values.number("white") - black;
    const double exponent = 1 / values.number("gamma"), output = values.number("output_black");
    const double output_range = values.number("output_white") - output;
    const ChannelChoice chosen = chosen_channels(values);
    const Range4 numbers{static_cast<float>(black),
                         static_cast<float>(1 / range),
                         static_cast<float>(exponent),
                         0,
                         static_cast<float>(output),
                         static_cast<float>(output_range),
                         {0, 0}};
    const bool bends = values.number("gamma") != 1;
    const auto run = [numbers, chosen, bends](const TileJob& job, Passes& passes) {
      Launch launch = point_launch(job.output.plane, passes.form(), 40, job.input.channels);
      launch.options += channel_options(chosen, job.input.channels);
      if (bends) launch.options += " -DGAMMA";
      passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane, numbers);
    };
    return prepared_point(30, run, [=](const float* in, float* out, int channels) {
      for (int c = 0; c < channels; ++c) {
        out[c] = in[c];
        if (!chosen.takes(c, channels)) continue;
        double t = (static_cast<double>(in[c]) - black) / range;
        if (exponent != 1) t = std::copysign(std::pow(std::abs(t), exponent), t);
        out[c] = static_cast<float>(output + output_range * t);
      }
    });
  }

 private:
  static Parameter number(const char* name, const char* label, const char* help, double initial) {
    return Parameter::real(name, label, help, initial, {-1000, 1000}).with_slider({0, 1});
  }

  const FilterInfo info_{
      .id = "levels",
      .label = "Levels",
      .category = "Colour",
      .summary = "Stretches the range from black to white, with a gamma between.",
      .description =
          "What lies between black and white is spread from 0 to 1, raised to 1 / gamma, and "
          "scaled to lie between output-black and output-white. Values outside the range follow "
          "the same curve; integer files clip them, float files keep them.",
      .formula =
          "out = output_black + (output_white − output_black) · g,\n"
          "g = sign(t) · |t|^(1 / gamma),\n"
          "t = (I − black) / (white − black)",
      .source = "The transfer function common to photo editors",
      .version = 1,
      .parameters = with_common(
          "levels",
          {number("black", "Black", "What becomes 0.", 0),
           number("white", "White", "What becomes 1.", 1),
           Parameter::real("gamma", "Gamma", "Above 1 the middle grows brighter.", 1, {0.01, 100})
               .with_slider({0.1, 10})
               .with_law(SliderLaw::logarithmic),
           number("output_black", "Output black", "What 0 becomes in the end.", 0),
           number("output_white", "Output white", "What 1 becomes in the end.", 1),
           channels_word()},
          Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_levels() {
  return std::make_unique<Levels>();
}

}  // namespace sfumato::filters
