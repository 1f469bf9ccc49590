// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sharpen: each pixel against its eight neighbours.
// Source: Image Convolution, OpenCL assignment of the Karlsruhe Institute of Technology: the matrix
// [-k -k -k; -k 8k+1 -k; -k -k -k].
#include "filters/filter.hpp"
#include "filters/support/convolving_filter.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

ConvolutionAsk ask_for(const Values& values) {
  const double k = values.number("amount") / 8;
  ConvolutionAsk ask;
  ask.matrix = {3, 3, {-k, -k, -k, -k, 8 * k + 1, -k, -k, -k, -k}};
  return ask;
}

class Sharpen final : public ConvolvingFilter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override { return values.number("amount") == 0; }

 protected:
  ConvolutionAsk ask(const Values& values) const override { return ask_for(values); }

 private:
  const FilterInfo info_{
      .id = "sharpen",
      .label = "Sharpen",
      .category = "Convolution",
      .summary = "Adds to each pixel what sets it apart from its eight neighbours.",
      .description =
          "The matrix -k all around and 8k + 1 in the middle, k being amount / 8: at 1 the mean of "
          "the neighbours' differences is added once. Alpha is kept; a transparent neighbour "
          "counts as the pixel itself.",
      .source = "Image Convolution, OpenCL assignment, Karlsruhe Institute of Technology",
      .version = 1,
      .parameters = with_common("sharpen", {vocabulary("amount")}, Light::display, true),
      .roles = {},
      .light = Light::display,
      .alpha = AlphaWish::premultiplied,
      .preview = PreviewClass::full_scale_only};
};

}  // namespace

std::unique_ptr<Filter> make_sharpen() {
  return std::make_unique<Sharpen>();
}

}  // namespace sfumato::filters
