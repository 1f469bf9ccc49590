// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// morphology: exact dilation, erosion and their combinations, for any radius and depth. Sources:
// Serra, Image Analysis and Mathematical Morphology, 1982; van Herk, Pattern Recognition Letters
// 13, 1992, and Gil and Werman, PAMI 15, 1993, for windows of any length at constant cost; Urbach
// and Wilkinson, IEEE Transactions on Image Processing 17, 2008, for chords.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "filters/filter.hpp"
#include "filters/morphology/plan.hpp"
#include "filters/shared/run_plan.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

using Operation = MorphologyOperation;
using Shape = MorphologyShape;

constexpr const char* operation_names[] = {"dilate",   "erode",  "open",    "close",
                                           "gradient", "tophat", "blackhat"};
constexpr const char* shape_names[] = {"square", "disk", "diamond"};

template <typename Names>
int place_of(const Names& names, const std::string& name) {
  return static_cast<int>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

Operation operation_of(const Values& values) {
  return static_cast<Operation>(place_of(operation_names, values.choice("operation")));
}
Shape shape_of(const Values& values) {
  return static_cast<Shape>(place_of(shape_names, values.choice("shape")));
}
int radius_of(const Values& values) {
  return static_cast<int>(values.get<std::int64_t>("radius"));
}
bool is_difference(Operation operation) {
  return operation >= Operation::gradient;
}

MorphologyRequest make_request(const Values& values, const Picture& picture, const Target& target) {
  MorphologyRequest request;
  request.operation = operation_of(values);
  request.shape = shape_of(values);
  request.radius = radius_of(values);
  request.channels = picture.channels;
  request.has_alpha = picture.has_alpha && picture.channels == 4;
  request.storage = pixel_storage(picture);
  request.device = plan_device(target);
  return request;
}

// Maps numbers to integers of the same order, with -0 below 0.
std::int32_t key_of(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

// A picture between two stages.
struct Made {
  std::vector<float> pixels;
  FloatView view;

  Made(const Rect& r, int channels)
      : pixels(static_cast<std::size_t>(r.area()) * static_cast<std::size_t>(channels)),
        view{pixels.data(), {r.x0, r.y0, r.width(), r.height(), r.width(), 0}, channels} {}
};

class PreparedMorphology final : public PreparedFilter {
 public:
  PreparedMorphology(const Values& values, const Picture& picture, const Target& target)
      : request_(make_request(values, picture, target)),
        picture_height_(picture.height),
        on_reference_(target.reference) {}

  Needs needs() const override {
    const int stages = morphology_stages(request_.operation);
    Needs needs;
    needs.halo_x = needs.halo_y = request_.radius * stages;
    needs.scratch_per_pixel =
        on_reference_ ? 8.0 * request_.channels : morphology_scratch(request_);
    if (!on_reference_) {
      const int behind = morphology_row_multiple(request_) - 1;  // pixels, of each row
      needs.scratch = static_cast<std::size_t>(needs.scratch_per_pixel * behind * picture_height_);
    }
    const double side = 2.0 * request_.radius + 1;
    needs.reference_work =
        side * side * 3 * (request_.operation == Operation::gradient ? 2 : stages);
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const double looks = request_.shape == Shape::square ? 8 : 4.0 * request_.radius + 8;
    run_pass_plan(plan_morphology(request_, job.input.plane, job.edge, job.output.plane), job,
                  passes, looks * request_.channels);
  }

  void reference(const ReferenceJob& job) const override {
    const Operation operation = request_.operation;
    const Rect out = job.output.plane.rect();
    const int channels = job.input.channels;
    if (!is_difference(operation)) {
      reference_of(job, operation, job.output);
      return;
    }
    const bool twice = operation == Operation::gradient;
    Made made(out, channels), second(twice ? out : Rect{}, channels);
    reference_of(job,
                 twice                            ? Operation::dilate
                 : operation == Operation::tophat ? Operation::open
                                                  : Operation::close,
                 made.view);
    if (twice) reference_of(job, Operation::erode, second.view);
    const FloatView& high = operation == Operation::tophat ? job.input : made.view;
    const FloatView& low = twice                              ? second.view
                           : operation == Operation::blackhat ? job.input
                                                              : made.view;
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        const float *a = high.at(x, y), *b = low.at(x, y);
        float* to = job.output.at(x, y);
        std::copy_n(a, channels, to);
        if (request_.has_alpha && a[3] == 0.0f) continue;
        for (int c = 0; c < (channels == 4 ? 3 : 1); ++c) to[c] = a[c] - b[c];
      }
    });
  }

  Message explain() const override {
    const int side = 2 * request_.radius + 1;
    switch (request_.shape) {
      case Shape::square:
        return on_reference_ ? message({"morphology.square", "square of {side} px"}, side)
                             : message({"morphology.square_by_lines",
                                        "square of {side} px, rows then columns"},
                                       side);
      case Shape::disk:
        return on_reference_
                   ? message({"morphology.disk", "disk of {side} px"}, side)
                   : message({"morphology.disk_by_chords", "disk of {side} px, by chords"}, side);
      case Shape::diamond:
        break;
    }
    return on_reference_
               ? message({"morphology.diamond", "diamond of {side} px"}, side)
               : message({"morphology.diamond_by_chords", "diamond of {side} px, by chords"}, side);
  }

 private:
  // dilate, erode, open or close.
  void reference_of(const ReferenceJob& job, Operation operation, const FloatView& to) const {
    if (operation == Operation::dilate || operation == Operation::erode) {
      stage(job, operation == Operation::erode, job.input, to);
      return;
    }
    const Rect held =
        job.input.plane.rect().intersected({job.edge.x0, job.edge.y0, job.edge.x1, job.edge.y1});
    const int r = request_.radius;
    // A wrapping window may need the other end of the picture.
    Made middle(
        job.edge.border() == Border::wrap ? held : to.plane.rect().grown(r, r).intersected(held),
        job.input.channels);
    stage(job, operation == Operation::open, job.input, middle.view);
    stage(job, operation != Operation::open, middle.view, to);
  }

  // Finds the largest of the samples around a pixel, in the order of `key ^ flip`.
  struct Element {
    void extreme(int x, int y, float* result) const {
      const int r = static_cast<int>(chords.size()) - 1;
      std::int32_t best[3];
      std::fill_n(best, 3, std::numeric_limits<std::int32_t>::min());
      for (int dy = -r; dy <= r; ++dy) {
        const int half = chords[static_cast<std::size_t>(std::abs(dy))];
        for (int dx = -half; dx <= half; ++dx) take(x + dx, y + dy, best, result);
      }
    }

    // Takes over those colours of this sample that are the best so far.
    void take(int x, int y, std::int32_t* best, float* result) const {
      static constexpr float zeros[4] = {};
      const float* sample = source.at(x, y);
      if (sample == nullptr && source.renormalises()) return;
      if (sample == nullptr) sample = zeros;
      if (weighs && sample[3] == 0.0f) return;
      for (int c = 0; c < colors; ++c) {
        const std::int32_t key = key_of(sample[c]) ^ flip;
        if (std::isnan(sample[c]) || key <= best[c]) continue;
        best[c] = key;
        result[c] = sample[c];
      }
    }

    Sampler source;
    std::vector<int> chords;
    bool weighs;  // alpha
    int colors;
    std::int32_t flip;
  };

  // A dilation or an erosion by definition: the largest, or smallest, sample in the element. Left
  // out are samples of alpha 0 (so, with `zero` and alpha, those outside the picture), those
  // outside with `renormalise`, and NaNs.
  void stage(const ReferenceJob& job, bool erodes, const FloatView& from,
             const FloatView& to) const {
    const Element element{Sampler(from, job.edge),
                          morphology_chords(request_.shape, request_.radius), request_.has_alpha,
                          from.channels == 4 ? 3 : 1, erodes ? -1 : 0};
    const Rect out = to.plane.rect();
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        const float* own = from.at(x, y);
        float* result = to.at(x, y);
        std::copy_n(own, from.channels, result);
        if (!request_.has_alpha || own[3] != 0.0f) element.extreme(x, y, result);
      }
    });
  }

  const MorphologyRequest request_;
  const int picture_height_;
  const bool on_reference_;
};

class Morphology final : public FilterOf<PreparedMorphology> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return radius_of(values) == 0 && !is_difference(operation_of(values));
  }

  // A maximum does not depend on the light; a difference does.
  bool takes_samples(const Values& values, StoredSamples samples, const Target&) const override {
    return samples == StoredSamples::plain || !is_difference(operation_of(values));
  }

  double tolerance(const Values&) const override { return 0; }

 private:
  const FilterInfo info_{
      .id = "morphology",
      .label = "Morphology",
      .category = "Convolution",
      .summary =
          "Grows or shrinks what is bright: the largest or smallest neighbour in a square, disk or "
          "diamond.",
      .description =
          "dilate takes for each channel the largest value of the element around a pixel, erode "
          "the smallest. open erodes, then dilates: bright specks smaller than the element go. "
          "close does the reverse, for dark ones. gradient is the dilated picture less the eroded "
          "one, tophat the picture less the opened one, blackhat the closed one less the picture. "
          "The elements are those of dx and dy with |dx|, |dy| <= radius (square), dx^2 + dy^2 <= "
          "radius^2 (disk) and |dx| + |dy| <= radius (diamond). Outside the picture, clamp, mirror "
          "and renormalise come to the same: nothing there counts. What is not a number is left "
          "out, and so are transparent pixels, which stay as they are; alpha itself is kept.",
      .formula =
          "dilate(p) = max I(q), erode(p) = min I(q), q − p in the element\n"
          "open = dilate(erode(I)), close = erode(dilate(I)),\n"
          "gradient = dilate(I) − erode(I),\n"
          "tophat = I − open(I), blackhat = close(I) − I",
      .source =
          "Serra, Image Analysis and Mathematical Morphology, 1982; van Herk, 1992; Gil and "
          "Werman, 1993; Urbach and Wilkinson, 2008",
      .version = 1,
      .parameters = with_common(
          "morphology",
          {vocabulary("operation")
               .with_choices(
                   {{"dilate", "Dilate", "the largest neighbour: bright parts grow"},
                    {"erode", "Erode", "the smallest neighbour: dark parts grow"},
                    {"open", "Open", "erode, then dilate: small bright parts go"},
                    {"close", "Close", "dilate, then erode: small dark parts go"},
                    {"gradient", "Gradient", "dilated less eroded: edges"},
                    {"tophat", "Top hat", "the picture less the opened one: small bright parts"},
                    {"blackhat", "Black hat", "the closed one less the picture: small dark parts"}})
               .with_halo(true),
           vocabulary("shape").with_choices(
               {{"square", "Square", "2 radius + 1 pixels wide and high"},
                {"disk", "Disk", "all within the radius, in a straight line"},
                {"diamond", "Diamond", "all within the radius, along rows and columns"}}),
           vocabulary("radius").with_default(2)},
          Light::display, true),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_morphology() {
  return std::make_unique<Morphology>();
}

}  // namespace sfumato::filters
