// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Derives Canny's numbers from the parameter values.
#include "filters/canny/settings.hpp"

#include <cmath>
#include <string>

#include "filters/shared/gaussian/plan.hpp"

namespace sfumato {
namespace {

// The Gaussian reaches 4 sigma, where its weight is 3e-4 of the centre's.
int canny_radius(const Values& values) {
  return static_cast<int>(std::ceil(4 * values.number("sigma")));
}

std::vector<float> canny_taps(const Values& values) {
  if (canny_radius(values) == 0) return {1.0f};
  const std::vector<double> half = gaussian_taps(values.number("sigma"), canny_radius(values));
  return {half.begin(), half.end()};
}

// A threshold within 1e-9 of a possible value counts as that value.
std::int64_t canny_limit(double threshold, int colors, bool narrow) {
  const double steps = threshold * 2040 * colors;
  const double per_step = narrow ? 1 : canny_units / 255;
  return static_cast<std::int64_t>(std::floor(steps * steps * (1 + 1e-9) * per_step * per_step));
}

}  // namespace

CannyOperator canny_operator(const Values& values) {
  return values.choice("operator") == "sobel" ? CannyOperator::sobel : CannyOperator::two_by_two;
}

CannyShow canny_show(const Values& values) {
  const std::string& name = values.choice("show");
  return name == "magnitude"   ? CannyShow::magnitude
         : name == "direction" ? CannyShow::direction
         : name == "thinned"   ? CannyShow::thinned
                               : CannyShow::edges;
}

CannySettings::CannySettings(const Values& values, const Picture& of)
    : picture(of),
      kind(canny_operator(values)),
      show(canny_show(values)),
      radius(canny_radius(values)),
      taps(canny_taps(values)),
      close_gaps(static_cast<int>(values.get<std::int64_t>("close_gaps"))),
      missing(of.has_alpha || border_of(values) == Border::renormalise),
      narrow(of.samples != StoredSamples::none && radius == 0),
      low(canny_limit(values.number("low_threshold"), colors(), narrow)),
      high(canny_limit(values.number("high_threshold"), colors(), narrow)) {}

Rect CannySettings::measured(const Rect& out) const {
  if (show == CannyShow::edges) return picture.rect();
  const int reach = show == CannyShow::thinned ? 1 : 0;
  return out.grown(reach, reach).intersected(picture.rect());
}

}  // namespace sfumato
