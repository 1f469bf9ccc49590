// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// grayscale: a weighted sum of red, green and blue, in all three channels.
// Sources: see filters/shared/luma_weights.hpp.
#include <array>

#include "filters/filter.hpp"
#include "filters/shared/luma_weights.hpp"
#include "filters/shared/point_pass.hpp"

namespace sfumato::filters {
namespace {

class Grayscale final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values&) const override { return false; }

  PreparedPtr prepare(const Values& values, const Picture&, const Target&) const override {
    const std::array<float, 4> w = gray_weights(values);
    const auto run = [w](const TileJob& job, Passes& passes) {
      if (job.input.channels == 1) {  // already gray, since the weights sum to 1
        copy_window(job.input, job.output, passes);
        return;
      }
      passes.launch(point_launch(job.output.plane, passes.form(), 6), job.input, job.input.plane,
                    job.output, job.output.plane, w);
    };
    return prepared_point(3, run, [w](const float* in, float* out, int channels) {
      if (channels == 1) {
        out[0] = in[0];
        return;
      }
      const float g = in[0] * w[0] + in[1] * w[1] + in[2] * w[2];
      out[0] = out[1] = out[2] = g;
      out[3] = in[3];
    });
  }

 private:
  const FilterInfo info_{
      .id = "grayscale",
      .label = "Grayscale",
      .category = "Colour",
      .summary = "Turns colour to gray by a choice of weights for red, green and blue.",
      .description =
          "Each pixel becomes the weighted sum of its red, green and blue, in all three channels. "
          "In display light (the default) rec601 and rec709 give luma; in linear light rec709 "
          "gives luminance.",
      .formula = "R = G = B = a R + b G + c B, (a, b, c) the weights",
      .source = "ITU-R BT.601-7, BT.709-6; ShaderX2 (2003), Night Vision",
      .version = 1,
      .parameters = with_common("grayscale", {weights_word()}, Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::exact};
};

}  // namespace

std::unique_ptr<Filter> make_grayscale() {
  return std::make_unique<Grayscale>();
}

}  // namespace sfumato::filters
