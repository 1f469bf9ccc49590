// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// median: the exact middle value of a square window, for any radius and depth. Sources: Tukey,
// Exploratory Data Analysis, 1977; ShaderX2, "Advanced Image Processing with DirectX 9 Pixel
// Shaders", for the median of row medians and the second pass.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "filters/filter.hpp"
#include "filters/median/plan.hpp"
#include "filters/shared/run_plan.hpp"
#include "filters/shared/window_stages.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// Maps numbers to integers of the same order: -0 below 0, and NaNs above all numbers.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return 0xffffffffu;
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}
float value_of(std::uint32_t key) {
  return std::bit_cast<float>(key ^ ((key >> 31) != 0 ? 0x80000000u : 0xffffffffu));
}

// Computed with the same rounding everywhere.
float luminance_of(const float* pixel) {
  return std::fma(0.0722f, pixel[2], std::fma(0.7152f, pixel[1], 0.2126f * pixel[0]));
}

int radius_of(const Values& values) {
  return static_cast<int>(values.get<std::int64_t>("radius"));
}
int iterations_of(const Values& values) {
  return static_cast<int>(values.get<std::int64_t>("iterations"));
}
bool is_separable(const Values& values) {
  return values.choice("method") == "separable";
}

MedianRequest make_request(const Values& values, const Picture& picture, const Target& target) {
  MedianRequest request;
  request.reach_x = request.reach_y = radius_of(values);
  request.channels = picture.channels;
  request.luminance = values.choice("channels") == "luminance" && picture.channels == 4;
  request.has_alpha = picture.has_alpha && picture.channels == 4;
  request.storage = pixel_storage(picture);
  request.device = plan_device(target);
  request.global_memory = target.global_memory;
  return request;
}

class PreparedMedian final : public PreparedFilter {
 public:
  PreparedMedian(const Values& values, const Picture& picture, const Target& target)
      : request_(make_request(values, picture, target)),
        width_(picture.width),
        height_(picture.height),
        iterations_(iterations_of(values)),
        separable_(is_separable(values)),
        stages_(
            square_stages(request_.reach_x, static_cast<std::size_t>(iterations_), separable_)) {}

  Needs needs() const override {
    Needs needs;
    needs.halo_x = needs.halo_y = request_.reach_x * iterations_;
    // One after another, the stages share their memory.
    for (const Stage& stage : stages_) {
      const MedianRequest request = request_of(stage);
      needs.scratch_per_pixel = std::max(needs.scratch_per_pixel, median_scratch(request));
      needs.scratch =
          std::max(needs.scratch, median_slots(request) + median_margin(request, width_, height_));
    }
    needs.scratch_per_pixel += stage_scratch(stages_.size(), request_.channels);
    const double side = 2.0 * request_.reach_x + 1;
    needs.reference_work = (separable_ ? 2 * side : side * side) * 13 * iterations_;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    run_stages(job, passes, stages_, [&](const TileJob& step, const Stage& stage) {
      const MedianRequest request = request_of(stage);
      const double window = (2.0 * request.reach_x + 1) * (2.0 * request.reach_y + 1);
      run_pass_plan(plan_median(request, step.input.plane, job.edge, step.output.plane), step,
                    passes, 100 + window * 4);
    });
  }

  void reference(const ReferenceJob& job) const override {
    run_stages(job, stages_, [&](const ReferenceJob& step, const Stage& stage) {
      const Plane& to = step.output.plane;
      job.rows.run(to.y, to.y + to.height, [&](int y) {
        const Sampler source(step.input, job.edge);
        for (int x = to.x; x < to.x + to.width; ++x) {
          pixel(source, stage, x, y, step.input, request_.has_alpha, request_.luminance,
                step.output.at(x, y));
        }
      });
    });
  }

  Message explain() const override {
    const int side = 2 * request_.reach_x + 1;
    if (!separable_) {
      return message({"median.exact", "exact, window of {side} x {side} px, {how}"}, side,
                     median_method(request_));
    }
    return message({"median.separable", "separable, window of {side} x {side} px, {how}"}, side,
                   median_method(request_of(stages_.front())));
  }

 private:
  MedianRequest request_of(const Stage& stage) const {
    MedianRequest request = request_;
    request.reach_x = stage.reach_x;
    request.reach_y = stage.reach_y;
    return request;
  }

  // One pixel by definition. Left out are samples of alpha 0 (so, with `zero` and alpha, those
  // outside the picture) and, with `renormalise`, those outside.
  static void pixel(const Sampler& source, const Stage& stage, int x, int y, const FloatView& from,
                    bool has_alpha, bool luminance, float* to) {
    static constexpr float zeros[4] = {};
    const int channels = from.channels, colors = channels == 4 ? 3 : 1;
    const bool weighs = has_alpha && channels == 4;
    const float* own = from.at(x, y);
    std::copy_n(own, channels, to);
    if (weighs && own[3] == 0.0f) return;

    std::vector<const float*> samples;
    for (int dy = -stage.reach_y; dy <= stage.reach_y; ++dy) {
      for (int dx = -stage.reach_x; dx <= stage.reach_x; ++dx) {
        const float* sample = source.at(x + dx, y + dy);
        if (sample == nullptr && source.renormalises()) continue;
        if (sample == nullptr) sample = zeros;
        if (weighs && sample[3] == 0.0f) continue;
        samples.push_back(sample);
      }
    }
    std::vector<std::uint32_t> keys(samples.size());
    const auto middle_key = [&](auto&& key) {
      std::transform(samples.begin(), samples.end(), keys.begin(), key);
      // The lower of two middle values.
      const auto middle = keys.begin() + static_cast<std::ptrdiff_t>((keys.size() - 1) / 2);
      std::nth_element(keys.begin(), middle, keys.end());
      return *middle;
    };
    if (luminance) {
      const auto key = [](const float* s) { return key_of(luminance_of(s)); };
      const std::uint32_t middle = middle_key(key);
      // The first of equal values, row by row.
      const auto found = std::find_if(samples.begin(), samples.end(),
                                      [&](const float* s) { return key(s) == middle; });
      std::copy_n(*found, colors, to);
      return;
    }
    for (int c = 0; c < colors; ++c) {
      to[c] = value_of(middle_key([c](const float* s) { return key_of(s[c]); }));
    }
  }

  const MedianRequest request_;
  const int width_, height_;
  const int iterations_;
  const bool separable_;
  const std::vector<Stage> stages_;  // successive windows over the picture
};

class Median final : public FilterOf<PreparedMedian> {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override { return radius_of(values) == 0; }

  // Ranks do not depend on the light, and samples are ordered like their values.
  bool takes_samples(const Values& values, StoredSamples, const Target&) const override {
    return values.choice("channels") == "each" && iterations_of(values) == 1 &&
           !is_separable(values);
  }

  double tolerance(const Values&) const override { return 0; }

 private:
  const FilterInfo info_{
      .id = "median",
      .label = "Median",
      .category = "Edge-preserving",
      .summary =
          "Replaces each pixel by the middle value of its neighbours: removes specks and "
          "keeps edges.",
      .description =
          "Each channel of a pixel becomes the middle one of the (2 radius + 1) x (2 radius + 1) "
          "values around it; of an even number of values, the lower of the two middle ones. With "
          "channels luminance, the whole pixel of middle luminance (Rec. 709) is taken; of equal "
          "ones, the first in the order of rows. A value that is not a number counts as larger "
          "than all numbers. Transparent pixels are left out and stay as they are, and alpha "
          "itself is kept. A radius of 0 changes nothing.",
      .formula =
          "out(p) = s[⌊(n − 1) / 2⌋], s[0] ≤ s[1] ≤ ... the n samples I(q),\n"
          "all q with |q.x − p.x|, |q.y − p.y| ≤ radius",
      .source =
          "Tukey, Exploratory Data Analysis, 1977; ShaderX2, Advanced Image Processing with "
          "DirectX 9 Pixel Shaders",
      .version = 1,
      .parameters = with_common(
          "median",
          {vocabulary("radius").with_default(1).with_valid({0, 500}).with_slider({0, 100}),
           vocabulary("channels")
               .with_choices(
                   {{"each", "Each", "every channel on its own"},
                    {"luminance", "Luminance", "whole pixels by their luminance: no new colours"}}),
           vocabulary("method").with_choices({{"auto", "Automatic", "the same as exact"},
                                              {"exact", "Exact", "every neighbour of the square"},
                                              {"separable", "Separable",
                                               "the middle of the columns of the rows' middles: "
                                               "close to exact, for its look; exact is as "
                                               "fast or faster"}}),
           vocabulary("iterations")},
          Light::display, true),
      .exact_method = "exact",
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_median() {
  return std::make_unique<Median>();
}

}  // namespace sfumato::filters
