// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gradient_map: brightness looked up in a gradient of colours.
// Source: ShaderX2 (2003), Night Vision: a gray ramp replaced by colours.
#include <algorithm>
#include <vector>

#include "filters/filter.hpp"
#include "filters/support/point.hpp"
#include "filters/support/weights.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// One part of the gradient, to be added: `change` times how far x is from `from` to `to`, 0..1.
struct Ramp {
  double from = 0, to = 0;
  std::array<double, 4> change{};
};

std::array<double, 4> color_of(const Color& color, Light light) {
  std::array<double, 4> out{color.r, color.g, color.b, color.a};
  if (light != Light::linear) return out;
  for (std::size_t i = 0; i < 3; ++i) out[i] = decode(Coding::srgb(), out[i]);
  return out;
}

// The first colour, then what each further stop changes. Two stops in one place make a step.
std::vector<Ramp> ramps_of(const Values& values) {
  const std::vector<Gradient::Stop>& stops = values.get<Gradient>("gradient").stops;
  const Light light = light_of(values);
  std::vector<Ramp> ramps{{-1, -1, color_of(stops[0].color, light)}};
  for (std::size_t i = 1; i < stops.size(); ++i) {
    Ramp ramp{stops[i - 1].position, stops[i].position, color_of(stops[i].color, light)};
    const auto before = color_of(stops[i - 1].color, light);
    for (std::size_t c = 0; c < 4; ++c) ramp.change[c] -= before[c];
    ramps.push_back(ramp);
  }
  return ramps;
}

double part_of(const Ramp& ramp, double x) {
  if (ramp.to > ramp.from) return std::clamp((x - ramp.from) / (ramp.to - ramp.from), 0.0, 1.0);
  return x >= ramp.to ? 1 : 0;
}

class GradientMap final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  Needs needs(const Values&, const Picture&, const Target&) const override {
    Needs needs;
    needs.reference_work = 30;
    return needs;
  }

  // A steep ramp multiplies what two devices differ by.
  double tolerance(const Values& values) const override {
    double steepest = 1;
    for (const Ramp& r : ramps_of(values)) {
      for (const double change : r.change) {
        if (r.to > r.from) steepest = std::max(steepest, std::abs(change) / (r.to - r.from));
      }
    }
    return 2e-5 * steepest;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const std::vector<Ramp> ramps = ramps_of(job.values);
    std::vector<float> numbers;
    for (const Ramp& r : ramps) {
      const double scale = r.to > r.from ? 1 / (r.to - r.from) : 0;
      for (const double v :
           {r.change[0], r.change[1], r.change[2], r.change[3], r.from, r.to, scale, 0.0}) {
        numbers.push_back(static_cast<float>(v));
      }
    }
    const int count = static_cast<int>(ramps.size());
    const Launch launch =
        point_launch(job.output.plane, passes.form(), 20.0 * count, job.input.channels);
    passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane,
                  passes.table(numbers), count, gray_weights(job.values));
  }

  void reference(const ReferenceJob& job) const override {
    const std::vector<Ramp> ramps = ramps_of(job.values);
    const std::array<float, 4> w = gray_weights(job.values);
    point_reference(job, [&](const float* in, float* out, int channels) {
      const float x = channels == 1 ? in[0] : in[0] * w[0] + in[1] * w[1] + in[2] * w[2];
      std::array<double, 4> color{};
      for (const Ramp& r : ramps) {
        const double part = part_of(r, static_cast<double>(x));
        for (std::size_t c = 0; c < 4; ++c) color[c] += r.change[c] * part;
      }
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
          "the colours at its start, bright ones those at its end; values outside 0 to 1 take its "
          "ends. Opacity is multiplied by the gradient's.",
      .source = "ShaderX2 (2003), Night Vision",
      .version = 1,
      .parameters =
          with_common("gradient_map",
                      {vocabulary("gradient").with_default("0 #000000; 1 #ffffff"), weights_word()},
                      Light::display, false),
      .roles = {},
      .light = Light::display,
      .alpha = AlphaWish::straight,
      .preview = PreviewClass::exact};
};

}  // namespace

std::unique_ptr<Filter> make_gradient_map() {
  return std::make_unique<GradientMap>();
}

}  // namespace sfumato::filters
