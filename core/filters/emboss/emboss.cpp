// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// emboss: brightness as height, lit from one side. Sources: the emboss matrix of Image Convolution,
// OpenCL assignment of the Karlsruhe Institute of Technology, turned to any direction with the
// derivative of Scharr, Optimale Operatoren in der Digitalen Bildverarbeitung, 2000.
#include <cmath>
#include <numbers>

#include "filters/filter.hpp"
#include "filters/shared/convolution/convolving_filter.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// Minus the slope towards the light, with y pointing down.
ConvolutionRequest make_request(const Values& values) {
  const double angle = values.number("angle") * std::numbers::pi / 180;
  const double amount = values.number("amount");
  const double x = -amount * std::cos(angle) / 32, y = amount * std::sin(angle) / 32;
  ConvolutionRequest request;
  request.matrix = {3,
                    3,
                    {-3 * x - 3 * y, -10 * y, 3 * x - 3 * y,  //
                     -10 * x, 0, 10 * x,                      //
                     -3 * x + 3 * y, 10 * y, 3 * x + 3 * y}};
  request.offset = 0.5;
  request.gray = values.get<bool>("grayscale");
  request.gray_weights = {0.299f, 0.587f, 0.114f, 0};
  return request;
}

class Emboss final : public ConvolvingFilter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values&) const override { return false; }

 protected:
  ConvolutionRequest request(const Values& values) const override { return make_request(values); }

 private:
  const FilterInfo info_{
      .id = "emboss",
      .label = "Emboss",
      .category = "Convolution",
      .summary = "Shows brightness as height, lit from one side.",
      .description =
          "The slope of the brightness towards the light, times amount, over a middle gray of 0.5: "
          "what rises towards the side away from the light is bright. The slope is Scharr's, 1 for "
          "a change of 1 per pixel. angle is where the light comes from, measured counterclockwise "
          "from the right. Without grayscale every channel has its own relief.",
      .formula =
          "out = 0.5 − amount · (gx cos(angle) − gy sin(angle))\n"
          "gx = (3 (ne − nw) + 10 (e − w) + 3 (se − sw)) / 32,\n"
          "gy = (3 (sw − nw) + 10 (s − n) + 3 (se − ne)) / 32,\n"
          "n, ne, e, se, s, sw, w, nw the neighbours; I turned gray first\n"
          "if grayscale",
      .source =
          "Image Convolution, OpenCL assignment, Karlsruhe Institute of Technology; Scharr, "
          "Optimale Operatoren in der Digitalen Bildverarbeitung, 2000",
      .version = 1,
      .parameters = with_common("emboss",
                                {vocabulary("angle").with_default(135.0),
                                 vocabulary("amount").with_default(2.0).with_help(
                                     "How steep the relief is; 0 leaves an even gray."),
                                 vocabulary("grayscale").with_default(true)},
                                Light::display, true),
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::full_scale_only,
      .plot = Plot::kernel};
};

}  // namespace

std::unique_ptr<Filter> make_emboss() {
  return std::make_unique<Emboss>();
}

}  // namespace sfumato::filters
