// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The bilateral filter at a cost independent of its radius: the survey of the picture, and the
// kernel launches.
//
// The weight of two colours is approximated through K colours c_k that represent the picture's own
// (the Nystrom method): w(p, q) = sum_k a_k(p) w(c_k, q), a = (W + reg I)^-1 w(c, p). The filter
// becomes K Gaussian blurs of w(c_k, q) (RGB, 1), weighted by a. The blurs run on a grid of cells:
// every pixel is spread over the four cells around it with linear weights, cells are blurred, and
// results are interpolated linearly between cells. Where the distance compares one number (the
// luminance, or each channel by itself), the centres are levels of it, and few suffice. Source:
// Nair and Chaudhury, Fast High-Dimensional Kernel Filtering, 2019.
#pragma once

#include <memory>
#include <vector>

#include "filters/bilateral/plan.hpp"
#include "filters/filter.hpp"

namespace sfumato {

/// The most centres that a survey decides on; their number is a multiple of 16.
constexpr int bilateral_most_centres = 128;

/// What a survey of the picture decides. Without centres, every second tap is summed.
struct BilateralSurveyResult final : SurveyResult {
  bool exact = false;          ///< no approximation is good enough; the other members are unused
  int places = 3;              ///< coordinates of a centre: 3 for colours, 1 for levels
  std::vector<float> centres;  ///< representative colours or levels, K times `places`
  std::vector<float> fold;     ///< (W + reg I)^-1, K by K
  double range = 1e30;         ///< of the channels' values: no colour changes by more
  int spread_step = 1;         ///< 2: only every second pixel is spread, at double weight
  double decibels = 0;         ///< measured against the exact filter on the survey's windows

  int count() const { return static_cast<int>(centres.size()) / places; }
};

/// How the spatial window is sampled at low resolution.
struct BilateralGrid {
  int cell = 1;             ///< pixels per cell, counted from the picture's origin
  std::vector<float> taps;  ///< of the blur over cells: centre first, then outwards
  double own = 0;           ///< weight of the pixel itself in its normalised window
  int reach() const { return static_cast<int>(taps.size()) - 1; }
};

/// The grid whose taps are nearest to the truncated window, in the least-squares sense over all
/// positions of a pixel in its cell.
BilateralGrid bilateral_grid(const BilateralRequest& request);

/// If the total weight is below this, a pixel is blended towards its own colour.
double bilateral_fast_guard(const BilateralGrid& grid);
/// No channel changes by more than this many range sigmas, if the distance compares it.
inline constexpr double bilateral_fast_limit = 4;
/// The largest change of a channel, in the numbers of the picture.
double bilateral_fast_most(const BilateralRequest& request);

/// The survey that survey_bilateral() needs.
SurveyRequest bilateral_survey(const BilateralRequest& request);

/// The promised quality in dB: 45, or 50 for distances of one number.
double bilateral_fast_promise(const BilateralRequest& request);

/// Chooses the cheapest approximation, among 16 to 128 centres and the lattice, that keeps the
/// promise against the exact filter on the survey's windows after all iterations; centres must also
/// represent rare colours. If none qualifies, the result is exact. Non-finite and transparent
/// samples have no weight.
std::shared_ptr<const BilateralSurveyResult> survey_bilateral(const BilateralRequest& request,
                                                              const Survey& survey,
                                                              int iterations = 1);

/// The quality in dB under two independent errors, each of which alone leaves `a` and `b` dB.
double combined_decibels(double a, double b);

/// Input pixels needed on every side, and scratch bytes per pixel.
int bilateral_fast_halo(const BilateralGrid& grid);
double bilateral_fast_scratch(const BilateralRequest& request, const BilateralGrid& grid,
                              const BilateralSurveyResult& surveyed);

/// The passes that compute exactly `out` from `in`; `grid` is bilateral_grid(request), and the
/// survey result has centres.
PassPlan plan_bilateral_fast(const BilateralRequest& request, const BilateralGrid& grid,
                             const BilateralSurveyResult& surveyed, const Plane& in,
                             const Edge& edge, const Plane& out);

}  // namespace sfumato
