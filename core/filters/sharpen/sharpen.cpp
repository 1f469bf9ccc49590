// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sharpen: each pixel against its eight neighbours. Source: Image Convolution, OpenCL assignment of
// the Karlsruhe Institute of Technology: the matrix [-k -k -k; -k 8k+1 -k; -k -k -k].
#include "filters/filter.hpp"

#include <nlohmann/json.hpp>
#include "filters/shared/convolution/convolving_filter.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

ConvolutionRequest make_request(const Values& values) {
  const double k = values.number("amount");
  ConvolutionRequest request;
  request.matrix = {3, 3, {-k, -k, -k, -k, 8 * k + 1, -k, -k, -k, -k}};
  return request;
}

class Sharpen final : public ConvolvingFilter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override { return values.number("amount") == 0; }

  Migration migration(int from) const override {
    if (from != 1) return {};
    return [](nlohmann::ordered_json& values) {  // the amount used to be 8 k
      nlohmann::ordered_json& amount = values["amount"];
      if (amount.is_number()) amount = amount.get<double>() / 8;
      if (amount.is_null()) amount = 0.125;
    };
  }

 protected:
  ConvolutionRequest request(const Values& values) const override { return make_request(values); }

 private:
  const FilterInfo info_{
      .id = "sharpen",
      .label = "Sharpen",
      .category = "Convolution",
      .summary = "Strengthens the difference between each pixel and its eight neighbours.",
      .description =
          "The matrix -k all around and 8k + 1 in the middle, k being the amount: at 0.125 the "
          "mean of the neighbours' differences is added once, and 1 is the literature's matrix of "
          "-1 around 9. Alpha is kept; a transparent neighbour counts as the pixel itself.",
      .formula = "out(p) = (1 + 8 amount) I(p) − amount · Σ I(q), q the eight around p",
      .source = "Image Convolution, OpenCL assignment, Karlsruhe Institute of Technology",
      .version = 2,
      .parameters = with_common("sharpen",
                                {vocabulary("amount")
                                     .with_help("How much of each of the eight neighbours is "
                                                "subtracted; 0 leaves the picture unchanged.")
                                     .with_valid({0, 12.5})
                                     .with_default(0.125)
                                     .with_slider({0, 0.5})
                                     .with_step(0.005)},
                                Light::display, true),
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::full_scale_only,
      .plot = Plot::kernel};
};

}  // namespace

std::unique_ptr<Filter> make_sharpen() {
  return std::make_unique<Sharpen>();
}

}  // namespace sfumato::filters
