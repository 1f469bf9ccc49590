// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The Gaussian inside other filters.
#include "filters/shared/gaussian/step.hpp"

#include <algorithm>
#include <cmath>

#include "filters/shared/gaussian/sizes.hpp"
#include "filters/shared/separable_convolution.hpp"

namespace sfumato {

GaussianRequest gaussian_request(const Picture& picture, Border border, const Target& target) {
  GaussianRequest request;
  request.border = border;
  request.picture = picture.rect();
  request.channels = picture.channels;
  request.source = request.result = pixel_storage(picture);
  request.srgb_samples = picture.samples == StoredSamples::srgb;
  request.device = plan_device(target);
  return request;
}

double scratch_per_pixel(const GaussianScheme& scheme) {
  const int side = 2 * scheme.halo + 256;
  const Plane in{0, 0, side, side, side, 0};
  const Plane out{scheme.halo, scheme.halo, 256, 256, 256, 0};
  const PassPlan plan = plan_gaussian(scheme, in, Edge(in.rect(), Border::clamp), out);
  return static_cast<double>(scratch_bytes(plan)) / (static_cast<double>(side) * side);
}

double scratch_per_pixel_of_whole(const GaussianScheme& scheme) {
  const Rect& all = scheme.request.picture;
  const Plane plane{all.x0, all.y0, all.width(), all.height(), all.width(), 0};
  const PassPlan plan = plan_gaussian(scheme, plane, Edge(all, scheme.request.border), plane);
  return static_cast<double>(scratch_bytes(plan)) /
         (static_cast<double>(all.width()) * all.height());
}

namespace {

// What a blur of float pixels asks for.
GaussianRequest step_request(const Picture& picture, const Target& target) {
  GaussianRequest request;
  request.picture = picture.rect();
  request.channels = picture.channels;
  request.device = plan_device(target);
  request.sizes = gaussian_sizes(target);
  return request;
}

// Rough operations per output pixel and pass.
double work_of(const GaussianScheme& scheme) {
  return 2.0 * scheme.request.channels * (2 * (2 * scheme.radius + 1) + 8);
}

}  // namespace

GaussianStep::GaussianStep(double sigma, const Picture& picture, const Target& target) {
  GaussianRequest request = step_request(picture, target);
  request.sigma = sigma;
  scheme_ = choose_gaussian(request);
}

void GaussianStep::run(const TileJob& job, Passes& passes) const {
  const auto plan = plans_.of(
      job, [&] { return plan_gaussian(scheme_, job.input.plane, job.edge, job.output.plane); });
  run_pass_plan(*plan, job, passes, work_of(scheme_));
}

GaussianSumStep::GaussianSumStep(const std::vector<GaussianTerm>& terms, Border border,
                                 const Picture& picture, const Target& target) {
  GaussianRequest request = step_request(picture, target);
  request.border = border;
  scheme_ = choose_gaussian_sum(request, terms);
}

void GaussianSumStep::run(const TileJob& job, const DeviceImage& from, Passes& passes) const {
  const auto plan = plans_.of(job, [&] {
    return plan_gaussian(scheme_, from.plane, job.edge, job.output.plane, job.input.plane);
  });
  TileJob blur = job;
  blur.input = from;
  run_pass_plan(*plan, blur, passes, work_of(scheme_), job.input);
}

int gaussian_reference_halo(double sigma) {
  return static_cast<int>(std::ceil(6 * sigma)) + 1;
}

double sigma_within(double sigma, Border border, const Picture& picture) {
  const double longest = std::max(picture.width, picture.height);
  if (border == Border::wrap) return std::min(sigma, longest);
  return border == Border::mirror ? std::min(sigma, 2 * longest) : sigma;
}

void gaussian_reference(double sigma, const ReferenceJob& job) {
  separable_reference(job, gaussian_taps(sigma, gaussian_reference_halo(sigma)));
}

}  // namespace sfumato
