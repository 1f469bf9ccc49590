// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The bilateral filter at a cost that does not grow with its radius: what is learned of a picture,
// and the kernel launches.
//
// The weight of two colours is approximated from K colours c_k that stand for the picture's own
// (the Nystrom method): w(p, q) = sum_k a_k(p) w(c_k, q), a = (W + reg I)^-1 w(c, p). The filter
// then is K Gaussian blurs of w(c_k, q) (RGB, 1), weighted by a. The blurs are computed on a grid
// of cells: every pixel is spread over the four cells around it by linear weights, cells are
// blurred, and results are interpolated linearly between them. Source: Nair and Chaudhury, Fast
// High-Dimensional Kernel Filtering, 2019.
#pragma once

#include <memory>
#include <vector>

#include "filters/bilateral/plan.hpp"
#include "filters/filter.hpp"

namespace sfumato {

/// What a survey of the picture decides. Without centres, every second tap is summed.
struct BilateralSurveyResult final : SurveyResult {
  bool exact = false;          ///< no approximation keeps the promise: the rest means nothing
  int colors = 3;              ///< of a centre
  std::vector<float> centres;  ///< representative colours, K times `colors`
  std::vector<float> fold;     ///< (W + reg I)^-1, K by K
  int spread_step = 1;         ///< 2: of a cell's pixels every second one is spread, for two
  double decibels = 0;         ///< as measured on the survey's windows, against the exact filter

  int count() const { return static_cast<int>(centres.size()) / colors; }
};

/// How the spatial window is sampled at low resolution.
struct BilateralGrid {
  int cell = 1;             ///< pixels from one cell to the next, from the picture's origin on
  std::vector<float> taps;  ///< of the blur over cells: middle, then outwards
  double own = 0;           ///< weight of a pixel's own place in its normalised window
  int reach() const { return static_cast<int>(taps.size()) - 1; }
};

/// The grid whose taps come nearest to the truncated window, in the sense of least squares over all
/// positions of a pixel in its cell.
BilateralGrid bilateral_grid(const BilateralRequest& request);

/// Below this weight a pixel keeps its own colour, the more so the less of it there is.
double bilateral_fast_guard(const BilateralGrid& grid);
/// No channel moves further than this many range sigmas.
inline constexpr double bilateral_fast_limit = 4;

/// What survey_bilateral() must see.
SurveyRequest bilateral_survey(const BilateralRequest& request);

/// Chooses the cheapest of the approximations by 16 to 128 centres and of the lattice that promises
/// 45 dB against the exact filter on the windows of the survey, centres only where they stand for
/// rare colours too, or that none does. The promise holds for so many iterations. Bad numbers and
/// transparent samples weigh nothing.
std::shared_ptr<const BilateralSurveyResult> survey_bilateral(const BilateralRequest& request,
                                                              const Survey& survey,
                                                              int iterations = 1);

/// Input pixels needed on every side, and scratch bytes per pixel.
int bilateral_fast_halo(const BilateralGrid& grid);
double bilateral_fast_scratch(const BilateralGrid& grid, const BilateralSurveyResult& surveyed);

/// The passes that compute exactly `out` from `in`; `grid` is bilateral_grid(ask), and `knowledge`
/// has centres.
PassPlan plan_bilateral_fast(const BilateralRequest& request, const BilateralGrid& grid,
                             const BilateralSurveyResult& surveyed, const Plane& in,
                             const Edge& edge, const Plane& out);

}  // namespace sfumato
