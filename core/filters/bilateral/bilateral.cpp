// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bilateral: the mean of neighbours that are close in both position and colour. Sources: Tomasi and
// Manduchi, ICCV 1998; Practical Rendering and Computation with Direct3D 11, ch. 10, for the
// window, the separable form (10.5) and the per-channel distance of its listing.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "filters/bilateral/fast.hpp"
#include "filters/bilateral/plan.hpp"
#include "filters/filter.hpp"
#include "filters/shared/run_plan.hpp"
#include "filters/shared/window_stages.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

std::size_t iterations_of(const Values& values) {
  return static_cast<std::size_t>(values.get<std::int64_t>("iterations"));
}

// The largest radius at which `auto` stays exact: that of the default sigma. It takes two CPU cores
// about 0.4 s for 6 MP.
constexpr int exact_radius = 9;

// Whether the method is fast, or auto may choose it.
bool wants_fast(const Values& values, int radius) {
  const std::string& method = values.choice("method");
  return method == "fast" ||
         (method == "auto" && values.choice("distance") == "color" && radius > exact_radius);
}

const std::vector<Tunable>& tunables() {
  static const std::vector<TuningCase> usual{{{"radius", "5"}}},
      tall{{{"radius", "14"}, {"method", "exact"}}};
  static const std::vector<Tunable> all{
      {"results", "results per item, windows up to 25 rows", {1, 2, 4, 8}, 8, 0, usual},
      {"group_columns", "columns per group", {16, 32, 64}, 32, 0, usual},
      {"group_rows", "rows of items per group", {1, 2, 4}, 4, 0, usual},
      {"results_tall", "results per item, taller windows", {1, 2, 4, 8}, 4, 0, tall},
      {"strip_columns", "pixels across a strip", {32, 64, 128, 256}, 0, 64, usual},
      {"strip_rows", "rows of a strip", {8, 16, 32, 64}, 0, 16, usual}};
  return all;
}

BilateralSizes sizes_for(const Target& target) {
  const auto size = [&](const char* name) { return target.tuned("bilateral", tunables(), name); };
  BilateralSizes sizes;
  if (target.form == Form::gpu) {
    sizes.results = size("results");
    sizes.results_tall = size("results_tall");
    sizes.group_columns = size("group_columns");
    sizes.group_rows = size("group_rows");
  } else {
    sizes.strip_columns = size("strip_columns");
    sizes.strip_rows = size("strip_rows");
  }
  return sizes;
}

// Narrower ranges behave like this one: only equal colours mix.
constexpr double least_range_sigma = 1e-6;

// How it is computed.
enum class Method { exact, separable, centres, lattice };

const BilateralSurveyResult* survey_of(const Picture& picture) {
  return static_cast<const BilateralSurveyResult*>(picture.surveyed.get());
}

Method method_of(const Values& values, const Picture& picture, const Target& target) {
  const std::string& method = values.choice("method");
  if (method == "separable") return Method::separable;
  // The scalar code always computes the exact sums.
  if (method == "exact" || target.reference) return Method::exact;
  if (const BilateralSurveyResult* surveyed = survey_of(picture)) {
    if (surveyed->exact) return Method::exact;
    return surveyed->count() > 0 ? Method::centres : Method::lattice;
  }
  // Before the survey, assumes every second tap, which suits most pictures.
  return method == "fast" ? Method::lattice : Method::exact;
}

BilateralRequest make_request(const Values& values, const Picture& picture, const Target& target) {
  BilateralRequest request;
  request.sigma = values.number("sigma");
  request.range_sigma = std::max(values.number("range_sigma"), least_range_sigma);
  request.radius = static_cast<int>(values.get<std::int64_t>("radius"));
  const std::string& distance = values.choice("distance");
  request.distance = distance == "color"     ? BilateralDistance::color
                     : distance == "channel" ? BilateralDistance::channel
                                             : BilateralDistance::luminance;
  request.separable = values.choice("method") == "separable";
  request.lattice = method_of(values, picture, target) == Method::lattice;
  request.channels = picture.channels;
  request.has_alpha = picture.has_alpha;
  request.longer_side = std::max(picture.width, picture.height);
  request.device = plan_device(target);
  request.sizes = sizes_for(target);
  return request;
}

// The weighted sums of one pixel, in float64.
class Sums {
 public:
  Sums(const float* centre, int channels, BilateralDistance distance, double range_sigma,
       bool has_alpha)
      : centre_(centre),
        colors_(channels == 4 ? 3 : 1),
        distance_(distance),
        falloff_(0.5 / (range_sigma * range_sigma)),
        has_alpha_(has_alpha) {}

  // `pixel` may be null: a sample of zeros. Non-finite samples are left out.
  void add(const float* pixel, double place) {
    static constexpr float zeros[4] = {};
    const float* q = pixel != nullptr ? pixel : zeros;
    const double alpha = has_alpha_ ? static_cast<double>(q[3]) : 1.0;
    if (!std::isfinite(alpha)) return;
    if (distance_ == BilateralDistance::channel) {
      for (int c = 0; c < colors_; ++c) {
        if (!std::isfinite(q[c])) continue;
        const double d = difference(q, c);
        add_color(q, c, place * std::exp(-d * d * falloff_), alpha);
      }
      return;
    }
    if (!is_sound(q)) return;
    double squared = 0;
    if (distance_ == BilateralDistance::luminance && colors_ == 3) {
      const double d =
          0.2126 * difference(q, 0) + 0.7152 * difference(q, 1) + 0.0722 * difference(q, 2);
      squared = d * d;
    } else {
      for (int c = 0; c < colors_; ++c) squared += difference(q, c) * difference(q, c);
      // Gray counts as three equal channels.
      if (colors_ == 1 && distance_ == BilateralDistance::color) squared *= 3;
    }
    const double w = place * std::exp(-squared * falloff_);
    for (int c = 0; c < colors_; ++c) add_color(q, c, w, alpha);
  }

  void write(float* to) const {
    // If no sample has any weight (all are transparent), or where the result is not finite, the
    // pixel keeps its own colour. Alpha is not filtered, since its edges matter too.
    const bool whole = distance_ != BilateralDistance::channel;
    for (int c = 0; c < colors_; ++c) {
      const bool sound = whole ? is_sound(centre_) : std::isfinite(centre_[c]);
      to[c] = sound && weight_[c] != 0 ? static_cast<float>(color_[c] / weight_[c]) : centre_[c];
    }
    if (colors_ == 3) to[3] = centre_[3];
  }

 private:
  bool is_sound(const float* q) const {
    return std::all_of(q, q + colors_, [](float v) { return std::isfinite(v); });
  }
  double difference(const float* q, int c) const {
    return static_cast<double>(centre_[c]) - static_cast<double>(q[c]);
  }
  void add_color(const float* q, int c, double w, double alpha) {
    weight_[c] += w * alpha;
    color_[c] += w * alpha * static_cast<double>(q[c]);
  }

  const float* centre_;
  int colors_;
  BilateralDistance distance_;
  double falloff_;
  bool has_alpha_;
  double weight_[3] = {}, color_[3] = {};
};

class PreparedBilateral final : public PreparedFilter {
 public:
  PreparedBilateral(const Values& values, const Picture& picture, const Target& target)
      : request_(make_request(values, picture, target)),
        method_(method_of(values, picture, target)),
        on_reference_(target.reference),
        iterations_(iterations_of(values)),
        picture_(picture) {
    if (method_ == Method::centres) grid_ = bilateral_grid(request_);
  }

  Needs needs() const override {
    const int times = static_cast<int>(iterations_);
    Needs needs;
    needs.scratch_per_pixel = stage_scratch(iterations_, request_.channels);
    if (method_ == Method::centres) {
      needs.halo_x = needs.halo_y = bilateral_fast_halo(grid_) * times;
      needs.scratch_per_pixel += bilateral_fast_scratch(request_, grid_, *survey_of(picture_));
      return needs;
    }
    const int radius = bilateral_radius(request_);
    needs.halo_x = needs.halo_y = (on_reference_ ? radius : bilateral_halo(request_)) * times;
    needs.scratch_per_pixel += 4.0 * request_.channels * (request_.separable ? 2 : 1);
    const double side = 2.0 * radius + 1;
    needs.reference_work = (request_.separable ? 2 * side : side * side) * 5 * times;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    if (method_ == Method::centres) {
      const BilateralSurveyResult& surveyed = *survey_of(picture_);
      const int halo = bilateral_fast_halo(grid_);
      // Averaged colours lie between the picture's own, so later iterations can use the same
      // centres.
      run_stages(job, passes, {iterations_, {halo, halo}}, [&](const TileJob& step, const Stage&) {
        run_pass_plan(plan_bilateral_fast(request_, grid_, surveyed, step.input.plane, job.edge,
                                          step.output.plane),
                      step, passes, 40.0 * surveyed.count());
      });
      return;
    }
    const double side = 2.0 * bilateral_radius(request_) + 1;
    const int halo = bilateral_halo(request_);
    run_stages(job, passes, {iterations_, {halo, halo}}, [&](const TileJob& step, const Stage&) {
      run_pass_plan(plan_bilateral(request_, step.input.plane, job.edge, step.output.plane), step,
                    passes, (request_.separable ? side : side * side) * 12);
    });
  }

  void reference(const ReferenceJob& job) const override {
    run_stages(job, square_stages(bilateral_radius(request_), iterations_, request_.separable),
               [&](const ReferenceJob& step, const Stage& stage) { window(step, stage); });
  }

  Message explain() const override {
    const int side = 2 * bilateral_radius(request_) + 1;
    if (iterations_ == 1) {
      return message({"bilateral.window", "{how}, window of {side} x {side} px"}, method_in_words(),
                     side);
    }
    return message({"bilateral.windows", "{how}, window of {side} x {side} px, {times} times"},
                   method_in_words(), side, iterations_);
  }

 private:
  Message method_in_words() const {
    const BilateralSurveyResult* surveyed = survey_of(picture_);
    const int decibels = surveyed != nullptr ? static_cast<int>(surveyed->decibels) : 0;
    switch (method_) {
      case Method::centres:
        if (request_.distance != BilateralDistance::color) {
          return surveyed->spread_step == 2
                     ? message({"bilateral.by_sparse_levels",
                                "fast by {count} levels of every second pixel, some {decibels} dB"},
                               surveyed->count(), decibels)
                     : message(
                           {"bilateral.by_levels", "fast by {count} levels, some {decibels} dB"},
                           surveyed->count(), decibels);
        }
        return surveyed->spread_step == 2
                   ? message({"bilateral.by_sparse_colours",
                              "fast by {count} colours of every second pixel, some {decibels} dB"},
                             surveyed->count(), decibels)
                   : message(
                         {"bilateral.by_colours", "fast by {count} colours, some {decibels} dB"},
                         surveyed->count(), decibels);
      case Method::lattice:
        return surveyed == nullptr ? message({"bilateral.by_taps", "fast by every second tap"})
                                   : message({"bilateral.by_taps_within",
                                              "fast by every second tap, some {decibels} dB"},
                                             decibels);
      case Method::separable:
        return message({"bilateral.separable", "separable"});
      case Method::exact:
        break;
    }
    return message({"bilateral.exact", "exact"});
  }

  void window(const ReferenceJob& job, const Stage& stage) const {
    const FloatView &from = job.input, &to = job.output;
    const Sampler source(from, job.edge);
    const Plane& out = to.plane;
    job.rows.run(out.y, out.y + out.height, [&](int y) {
      for (int x = out.x; x < out.x + out.width; ++x) {
        Sums sums(from.at(x, y), from.channels, request_.distance, request_.range_sigma,
                  request_.has_alpha);
        add_window(sums, source, x, y, stage);
        sums.write(to.at(x, y));
      }
    });
  }

  void add_window(Sums& sums, const Sampler& source, int x, int y, const Stage& stage) const {
    const double falloff = 0.5 / (request_.sigma * request_.sigma);
    for (int dy = -stage.reach_y; dy <= stage.reach_y; ++dy) {
      for (int dx = -stage.reach_x; dx <= stage.reach_x; ++dx) {
        const float* pixel = source.at(x + dx, y + dy);
        if (pixel == nullptr && source.renormalises()) continue;
        sums.add(pixel, std::exp(-(dx * dx + dy * dy) * falloff));
      }
    }
  }

  const BilateralRequest request_;
  const Method method_;
  const bool on_reference_;
  const std::size_t iterations_;
  const Picture picture_;  // includes the survey result
  BilateralGrid grid_;     // for the method `centres`
};

class Bilateral final : public FilterOf<PreparedBilateral> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override {
    return values.number("sigma") < least_sigma || values.number("range_sigma") == 0.0;
  }

  // The fast method promises 45 or 50 dB against the exact one over the whole picture, and its
  // tests measure that. A single pixel of a unique colour may be off by the largest possible
  // change.
  double tolerance(const Values& values) const override {
    const BilateralRequest request = make_request(values, {}, {});
    const bool fast = wants_fast(values, bilateral_radius(request));
    const double once = fast ? std::clamp(bilateral_fast_most(request), 2e-5, 4.0) : 2e-5;
    return once * static_cast<double>(iterations_of(values));
  }

  std::optional<SurveyRequest> survey(const Values& values, const Picture& picture,
                                      const Target& target) const override {
    const BilateralRequest request = make_request(values, picture, target);
    // The scalar code computes the exact sums for either method.
    if (target.reference || !wants_fast(values, bilateral_radius(request))) return std::nullopt;
    return bilateral_survey(request);
  }

  std::shared_ptr<const SurveyResult> evaluate(const Values& values, const Picture& picture,
                                               const Survey& seen) const override {
    return survey_bilateral(make_request(values, picture, {}), seen,
                            static_cast<int>(iterations_of(values)));
  }

  Migration migration(int from) const override {
    if (from != 1) return {};
    return [](nlohmann::ordered_json& values) {  // auto used to be exact
      if (!values.contains("method") || values.at("method") == "auto") values["method"] = "exact";
    };
  }

 private:
  const FilterInfo info_{
      .id = "bilateral",
      .label = "Bilateral",
      .category = "Edge-preserving",
      .summary = "Smooths while keeping edges: nearby pixels of similar colour count most.",
      .description =
          "Each pixel becomes the mean of its (2 radius + 1) x (2 radius + 1) neighbours, weighted "
          "by a Gaussian of their distance in the picture (sigma) and one of their difference in "
          "colour (range_sigma, as a fraction of full scale). Transparent pixels and values that "
          "are not finite have no weight; alpha itself is kept, and so is a colour that is not "
          "finite. Each iteration filters the result of the one before, which flattens areas into "
          "patches of one colour. The fast method looks at the picture first, and takes the "
          "cheaper of two ways that promise at least 45 dB against the exact sums (50 dB for "
          "distance "
          "channel and luminance): by a few colours or levels that represent the picture's, at "
          "about "
          "the same cost for any radius (in wide windows from every second pixel, where those "
          "represent the rest), or by every second neighbour in each direction. Where neither "
          "keeps "
          "the promise, it is exact. The promise is for all iterations together.",
      .formula =
          "out(p) = Σ w(p, q) I(q) / Σ w(p, q), q.x and q.y within r of p,\n"
          "r = radius, or ⌈3 sigma⌉ where radius is 0\n"
          "w(p, q) = exp(−|q − p|² / (2 sigma²) − d² / (2 range_sigma²)) · alpha(q)\n"
          "d = |I(q) − I(p)| over R, G, B (color), of one channel (channel),\n"
          "or of 0.2126 R + 0.7152 G + 0.0722 B (luminance)",
      .source =
          "Tomasi and Manduchi, ICCV 1998; Practical Rendering and Computation with "
          "Direct3D 11, ch. 10; Nair and Chaudhury, Fast High-Dimensional Kernel Filtering, 2019",
      .version = 2,
      .parameters = with_common(
          "bilateral",
          {vocabulary("sigma").with_default(3.0).with_valid({0, 333}).with_slider({0, 30}),
           vocabulary("range_sigma").with_default(0.1),
           vocabulary("radius")
               .with_default(0)
               .with_help("Half-width of the window; 0 stands for 3 sigma, rounded up.")
               .with_valid({0, 1000}),
           vocabulary("distance"), vocabulary("iterations"),
           vocabulary("method").with_choices(
               {{"auto", "Automatic",
                 "exact up to radius 9 and for distances other than color, else fast"},
                {"exact", "Exact", "every neighbour of the square"},
                {"fast", "Fast",
                 "at about the same cost for any radius, 45 dB or better against exact"},
                {"separable", "Separable",
                 "rows, then columns: much faster, close, with faint "
                 "streaks along the axes"}})},
          Light::display, true),
      .exact_method = "exact",
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate,
      .non_finite = NonFinite::left_out,
      .tunables = tunables()};
};

}  // namespace

std::unique_ptr<Filter> make_bilateral() {
  return std::make_unique<Bilateral>();
}

}  // namespace sfumato::filters
