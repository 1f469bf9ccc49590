// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A Gaussian blur as a step of another filter, whose kernels include gaussian/gaussian.clh.
#pragma once

#include <algorithm>

#include "filters/filter.hpp"
#include "filters/shared/gaussian/plan.hpp"
#include "filters/shared/run_plan.hpp"

namespace sfumato {

/// What a blur of the whole picture asks for, whatever its kernel: in the storage of its samples.
GaussianRequest gaussian_request(const Picture& picture, Border border, const Target& target);

/// Device memory that a scheme's passes take, in bytes per pixel.
double scratch_per_pixel(const GaussianScheme& scheme);
/// The same of the picture in one piece, which may be smaller than the halo.
double scratch_per_pixel_of_whole(const GaussianScheme& scheme);

/// Blurs float pixels by the fastest method within 1.5e-4 of full scale, chosen once for a picture
/// and a device.
class GaussianStep {
 public:
  /// `sigma` above 0, in px.
  GaussianStep(double sigma, const Picture& picture, const Target& target);

  /// Input pixels needed on every side.
  int halo() const { return scheme_.halo; }
  /// Device memory in bytes per pixel.
  double scratch() const { return scratch_per_pixel(scheme_); }
  /// Blurs the job's input into its output.
  void run(const TileJob& job, Passes& passes) const;

 private:
  GaussianScheme scheme_;
  TilePlans plans_;
};

/// A weighted sum of Gaussian blurs that is added to the colours of a picture: alpha stays, and so
/// do pixels that are fully transparent. The error is at most 1.5e-4 of the sum of the weights.
class GaussianSumStep {
 public:
  /// As can_sum_gaussians() allows.
  GaussianSumStep(const std::vector<GaussianTerm>& terms, Border border, const Picture& picture,
                  const Target& target);

  /// Input pixels needed on every side.
  int halo() const { return scheme_.halo; }
  /// Device memory in bytes per pixel.
  double scratch() const {
    return std::max(scratch_per_pixel(scheme_), scratch_per_pixel_of_whole(scheme_));
  }
  /// Blurs `from`, which has the place of the job's input, and adds the sum to the job's input: the
  /// job's output.
  void run(const TileJob& job, const DeviceImage& from, Passes& passes) const;

 private:
  GaussianScheme scheme_;
  TilePlans plans_;
};

/// The sigma to use where the border repeats the picture. It is capped by the repeated extent: a
/// wider Gaussian differs by less than 3e-9 of the largest value.
double sigma_within(double sigma, Border border, const Picture& picture);

/// The same by definition, between float images, with float64 sums. The reach is
/// gaussian_reference_halo().
void gaussian_reference(double sigma, const ReferenceJob& job);
int gaussian_reference_halo(double sigma);

}  // namespace sfumato
