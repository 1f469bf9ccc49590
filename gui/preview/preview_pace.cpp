// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Seconds per pixel by recipe and reduction, interpolated between reductions.
#include "preview/preview_pace.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "filters/registry.hpp"

namespace sfumato::gui {
namespace {

constexpr int unknown_coarser = 4;     // for unknown recipes
constexpr double least_pixels = 2000;  // fewer pixels are useless as a preview

const FilterInfo& info_of(const Step& step) {
  return Registry::get().at(step.filter).filter->info();
}

// The part of a recipe that determines its cost, without numbers, which change while a slider is
// dragged.
std::string shape_of(const Recipe& recipe) {
  std::string shape;
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    shape += step.filter + ';';
    for (const Parameter& p : info_of(step).parameters) {
      if (p.kind == Kind::choice) shape += std::get<Choice>(step.values.at(p.name)).id + ';';
    }
  }
  return shape;
}

// From the nearest known reduction: finer previews have larger windows; coarser ones are assumed to
// cost the same per pixel.
double per_pixel(const std::map<int, double>& known, int reduction) {
  const auto distance = [&](int other) {
    return std::abs(std::log2(static_cast<double>(other) / reduction));
  };
  const auto nearest = std::min_element(
      known.begin(), known.end(),
      [&](const auto& a, const auto& b) { return distance(a.first) < distance(b.first); });
  return nearest->second * std::max(1.0, static_cast<double>(nearest->first) / reduction);
}

}  // namespace

bool does_nothing(const Recipe& recipe) {
  return std::none_of(recipe.steps.begin(), recipe.steps.end(),
                      [](const Step& step) { return step.enabled; });
}

int PreviewPace::coarser(const Recipe& recipe, int reduction, double pixels, int coarsest) const {
  const auto fits = [&](int times) {
    return 2 * times <= coarsest && pixels / (4.0 * times * times) >= least_pixels;
  };
  int times = 1;
  const auto known = known_.find(shape_of(recipe));
  if (known != known_.end()) {
    const auto seconds = [&] {
      return per_pixel(known->second, reduction * times) * pixels / (times * times);
    };
    while (fits(times) && seconds() > soon) times *= 2;
    return times;
  }
  // Filters that are exact at every scale are point filters.
  const bool quick = std::all_of(recipe.steps.begin(), recipe.steps.end(), [](const Step& step) {
    return !step.enabled || info_of(step).preview == PreviewClass::exact;
  });
  while (!quick && fits(times) && times < unknown_coarser) times *= 2;
  return times;
}

void PreviewPace::add_measurement(const Recipe& recipe, int reduction, double pixels,
                                  double seconds) {
  known_[shape_of(recipe)][reduction] = seconds / std::max(1.0, pixels);
}

void PreviewPace::add_lower_bound(const Recipe& recipe, int reduction, double pixels,
                                  double seconds) {
  double& known = known_[shape_of(recipe)][reduction];
  known = std::max(known, seconds / std::max(1.0, pixels));
}

}  // namespace sfumato::gui
