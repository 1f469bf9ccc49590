// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// canny: edges one pixel wide, kept if they are connected to a strong one. Sources: Canny, "A
// Computational Approach to Edge Detection", 1986; ShaderX2, "Advanced Image Processing with
// DirectX 9 Pixel Shaders", for the 2x2 operator, the four sectors and the closing of gaps; the
// rules for equal values are those of OpenCV's Canny.
//
// Thresholds are discontinuous: the smallest difference in a sum may turn an edge on or off.
// Everything before them is therefore computed in integers, and the Gaussian in a fixed order with
// fma only (unlike the filter gaussian). From equal numbers, devices, tiles and the reference find
// bit-identical edges.
#include "filters/canny/passes.hpp"
#include "filters/canny/reference.hpp"
#include "filters/canny/settings.hpp"
#include "filters/filter.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

class PreparedCanny final : public PreparedFilter {
 public:
  PreparedCanny(const FilterInfo& info, const Values& values, const Picture& picture,
                const Target& target)
      : settings_(values, picture),
        on_reference_(target.reference),
        operator_(named(info, "operator", values.choice("operator"))) {}

  Needs needs() const override {
    const int r = settings_.radius;
    Needs needs;
    needs.whole_image = settings_.show == CannyShow::edges;
    needs.halo_x = needs.halo_y = r + 2;
    // Gray; for the Gaussian values, sums and the result, with weights of the first two; blocks,
    // labels and edges.
    needs.scratch_per_pixel = on_reference_ ? 32
                                            : 4 + (r > 0 ? (settings_.missing ? 20 : 12) : 0) +
                                                  (needs.whole_image ? 5 : 0);
    // Padding around a picture, or a tile of typical height.
    const Picture& picture = settings_.picture;
    const double rows = needs.whole_image ? picture.height + 2.0 * r + 2 : 1024;
    const double around =
        rows * (96 + 2.0 * r) + (needs.whole_image ? (2.0 * r + 2) * picture.width : 0);
    needs.scratch = static_cast<std::size_t>(needs.scratch_per_pixel * around);
    needs.reference_work = 60.0 + 8.0 * r;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override { run_canny(settings_, job, passes); }

  void reference(const ReferenceJob& job) const override { canny_reference(settings_, job); }

  Message explain() const override {
    Message how =
        settings_.radius > 0
            ? message({"canny.blurred", "{operator} operator after a Gaussian of {taps} taps"},
                      operator_, 2 * settings_.radius + 1)
            : message({"canny.operator", "{operator} operator"}, operator_);
    if (settings_.show == CannyShow::edges) {
      how = message({"canny.whole", "{how}, the whole picture at once"}, how);
    }
    if (settings_.narrow) how = message({"canny.narrow", "{how}, on 8-bit samples"}, how);
    return how;
  }

 private:
  const CannySettings settings_;
  const bool on_reference_;
  const MessageValue operator_;
};

class Canny final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  void check(const Values& values) const override {
    if (values.number("low_threshold") <= values.number("high_threshold")) return;
    refuse(info_, "low_threshold",
           message({"canny.low_above_high",
                    "{low}: it must not be above {high}; equal ones make a single threshold"},
                   named(info_, "low_threshold"), named(info_, "high_threshold")));
  }

  bool gives_data(const Values& values) const override {
    return canny_show(values) != CannyShow::edges;
  }

  bool takes_samples(const Values&, StoredSamples samples, const Target&) const override {
    return samples == StoredSamples::plain;
  }

  PreparedPtr prepare(const Values& values, const Picture& picture,
                      const Target& target) const override {
    return std::make_unique<PreparedCanny>(info_, values, picture, target);
  }

  double tolerance(const Values&) const override { return 0; }

 private:
  const FilterInfo info_{
      .id = "canny",
      .label = "Canny edges",
      .category = "Edges",
      .summary = "Draws edges one pixel wide, without those caused by noise.",
      .description =
          "The picture is turned gray (the mean of red, green and blue) and blurred by sigma. "
          "Where its gradient is greater than at both neighbours across the edge, and above "
          "low-threshold, there may be an edge; it is kept if it is above high-threshold, or "
          "connected to such a place by a chain of others, however long. Edges are 1 on 0. On "
          "8-bit gray pictures at sigma 0 they are those of OpenCV's Canny (L2gradient), whose "
          "thresholds are 2040 times these. Gray values are rounded to 1/262140, where all 8-bit "
          "and 16-bit values lie, so that every device finds the same edges; values beyond +-170 "
          "are clipped. Transparent pixels have no gradient and give none to others; alpha is "
          "kept. magnitude, direction and thinned are data: direction is 0 to 1 for half a turn, "
          "counterclockwise from the right.",
      .formula =
          "M = √(P² + Q²), of the blurred gray c and its neighbours n, ne, e, ...\n"
          "sobel: P = ((ne − nw) + 2 (e − w) + (se − sw)) / 8,\n"
          "       Q = ((sw − nw) + 2 (s − n) + (se − ne)) / 8\n"
          "2x2: P = ((e − c) + (se − s)) / 2, Q = ((s − c) + (se − e)) / 2\n"
          "out = 1 where M > low_threshold and M is greatest along (P, Q),\n"
          "if M > high_threshold\n"
          "there, or at a place that a chain of such neighbours leads to",
      .source =
          "Canny, A Computational Approach to Edge Detection, 1986; ShaderX2, Advanced Image "
          "Processing with DirectX 9 Pixel Shaders",
      .version = 1,
      .parameters = with_common(
          "canny",
          {vocabulary("sigma").with_default(1.4).with_valid({0, 50}).with_slider({0, 10}).with_help(
               "Standard deviation of the blur that is applied first; 0 does not blur."),
           vocabulary("low_threshold").with_default(0.02),
           vocabulary("high_threshold").with_default(0.06),
           vocabulary("operator")
               .with_choices(
                   {{"sobel", "Sobel", "3 x 3 pixels, divided by 8: a gradient per pixel"},
                    {"2x2", "2 x 2",
                     "the differences of 2 x 2 pixels, divided by 2: finer, and half a "
                     "pixel to the lower right"}}),
           vocabulary("close_gaps").visible_when("show = edges"),
           vocabulary("show").with_choices(
               {{"edges", "Edges", "the edges that are kept"},
                {"magnitude", "Magnitude", "the length of the gradient"},
                {"direction", "Direction", "where the gradient points, folded to half a turn"},
                {"thinned", "Thinned", "the magnitude where it is greatest across the edge"}})},
          Light::display, true),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_canny() {
  return std::make_unique<Canny>();
}

}  // namespace sfumato::filters
