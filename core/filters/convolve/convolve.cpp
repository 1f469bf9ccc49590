// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// convolve: any matrix of weights, applied as drawn. Sources: Image Convolution, OpenCL assignment
// of the Karlsruhe Institute of Technology (matrices, factor, offset, gray first; it flips the
// matrix, photo tools do not, hence `flip`); factoring: Treitel and Shanks, The Design of
// Multistage Separable Planar Filters, 1971.
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/convolution/convolving_filter.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

bool is_one(const Matrix& m) {
  return m.rows == 1 && m.columns == 1 && m.values[0] == 1;
}

// The matrix, or the product of the column and the row, as it lies over the picture.
Matrix matrix_of(const Values& values) {
  const auto& row = values.get<Matrix>("row");
  const auto& column = values.get<Matrix>("column");
  Matrix out = values.get<Matrix>("matrix");
  if (!is_one(row) || !is_one(column)) {
    out = {static_cast<int>(column.values.size()), row.columns, {}};
    for (const double c : column.values) {
      for (const double r : row.values) out.values.push_back(c * r);
    }
  }
  if (values.get<bool>("flip")) std::reverse(out.values.begin(), out.values.end());
  return out;
}

ConvolutionRequest make_request(const Values& values) {
  ConvolutionRequest request;
  request.matrix = matrix_of(values);
  request.scale = values.number("factor");
  if (values.get<bool>("normalise")) {
    // Weights too small for floats count as 0.
    double largest = 0;
    for (const double w : request.matrix.values) largest = std::max(largest, std::abs(w));
    if (largest > 0 && largest < 1e-6) {
      for (double& w : request.matrix.values) w /= largest;
    }
    request.scale /= weight_sum(request.matrix);
  }
  request.offset = values.number("offset");
  request.gray = values.get<bool>("grayscale");
  request.gray_weights = {0.299f, 0.587f, 0.114f, 0};
  request.method = values.choice("method");
  return request;
}

constexpr double most = 1e6;  // per weight, so that sums stay in the range of a float

class Convolve final : public ConvolvingFilter {
 public:
  const FilterInfo& info() const override { return info_; }

  void check(const Values& values) const override {
    const bool has_vectors =
        !is_one(values.get<Matrix>("row")) || !is_one(values.get<Matrix>("column"));
    if (has_vectors && !is_one(values.get<Matrix>("matrix"))) {
      refuse(info_, "matrix",
             message(
                 {"convolve.matrix_and_rows", "{matrix}: give it, or {row} and {column}, not both"},
                 named(info_, "matrix"), named(info_, "row"), named(info_, "column")));
    }
    for (const char* name : {"matrix", "row", "column"}) {
      for (const double w : values.get<Matrix>(name).values) {
        if (std::abs(w) <= most) continue;
        refuse(info_, name,
               message(
                   {"convolve.large_number", "{parameter}: its numbers may be -1000000 to 1000000"},
                   named(info_, name)));
      }
    }
    if (!values.get<bool>("normalise")) return;
    const Matrix matrix = matrix_of(values);
    double sizes = 0;
    for (const double w : matrix.values) sizes += std::abs(w);
    if (std::abs(weight_sum(matrix)) > 1e-9 * sizes) return;
    if (sizes == 0) {
      refuse(info_, "normalise",
             message({"convolve.no_weight",
                      "{normalise}: every weight is 0, so there is no sum to divide by"},
                     named(info_, "normalise")));
    }
    refuse(info_, "normalise",
           message({"convolve.sum_of_0",
                    "{normalise}: the weights sum to 0, which nothing can be divided by; leave it "
                    "off, and give a factor"},
                   named(info_, "normalise")));
  }

  bool neutral(const Values& values) const override {
    const Matrix matrix = matrix_of(values);
    return matrix.rows == 1 && matrix.columns == 1 && !values.get<bool>("grayscale") &&
           values.number("offset") == 0 && make_request(values).scale * matrix.values[0] == 1;
  }

 protected:
  ConvolutionRequest request(const Values& values) const override { return make_request(values); }

 private:
  const FilterInfo info_{
      .id = "convolve",
      .label = "Convolve",
      .category = "Convolution",
      .summary = "Weights each pixel's neighbours with a matrix and sums them.",
      .description =
          "The matrix is placed over each pixel as drawn (correlation), or turned by 180 degrees "
          "with flip (convolution as mathematics has it), and every pixel under it is multiplied "
          "by its weight. The sum is divided by the sum of the weights if normalise "
          "is on, multiplied by factor, and offset is added; grayscale (Rec. 601) comes first. row "
          "and column stand for the matrix of their products. Large matrices are factored into "
          "products of columns and rows, or go through the frequency domain, whichever is "
          "cheapest; --verbose says which. Results outside 0..1 are kept in float files and "
          "clipped in integer ones. Alpha is kept; a transparent neighbour counts as the pixel "
          "itself.",
      .formula =
          "out(x, y) = factor · Σ m(i, j) I(x + i − ⌊w / 2⌋, y + j − ⌊h / 2⌋) + offset\n"
          "m the matrix of w columns and h rows, or column times row;\n"
          "m(w − 1 − i, h − 1 − j) in its place if flip;\n"
          "the sum is divided by Σ m(i, j) if normalise;\n"
          "I turned gray first if grayscale",
      .source =
          "Image Convolution, OpenCL assignment, Karlsruhe Institute of Technology; Treitel and "
          "Shanks, The Design of Multistage Separable Planar Filters, 1971",
      .version = 1,
      .parameters =
          with_common("convolve",
                      {vocabulary("matrix"), vocabulary("row"), vocabulary("column"),
                       Parameter::boolean("flip", "Flip",
                                          "Turn the matrix by 180 degrees first, as convolution "
                                          "in the strict sense does.",
                                          false),
                       vocabulary("factor"), vocabulary("normalise"), vocabulary("offset"),
                       vocabulary("grayscale"), convolution_method_word()},
                      Light::display, true),
      .exact_method = "direct",
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::full_scale_only,
      .plot = Plot::kernel,
      .tunables = convolution_tunables()};
};

}  // namespace

std::unique_ptr<Filter> make_convolve() {
  return std::make_unique<Convolve>();
}

}  // namespace sfumato::filters
