// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Shared by point filters: a launch, a reference loop, and a plain copy.
#pragma once

#include <memory>
#include <utility>

#include "filters/filter.hpp"

namespace sfumato {

/// A launch of the kernel `point` of cl/shared/point_pass.clh over `plane`, for images of 4 or 1
/// channels. `work`: arithmetic operations per pixel, roughly; long launches are cut by it.
inline Launch point_launch(const Plane& plane, Form form, double work, int channels = 4) {
  const std::size_t span = form == Form::cpu ? 512 : 1;
  Launch launch;
  launch.kernel = "point";
  launch.options = form == Form::cpu ? "-DFORM_CPU" : "";
  if (channels == 1) launch.options += " -DCHANNELS=1";
  launch.local = {form == Form::cpu ? 1u : 64u, 1};
  launch.global = {(static_cast<std::size_t>(plane.width) + span - 1) / span,
                   static_cast<std::size_t>(plane.height)};
  launch.work = work * static_cast<double>(span);
  return launch;
}

/// Calls body(in, out, channels) for every pixel of the tile.
template <typename Body>
void point_reference(const ReferenceJob& job, Body&& body) {
  const Plane& out = job.output.plane;
  job.rows.run(out.y, out.y + out.height, [&](int y) {
    for (int x = out.x; x < out.x + out.width; ++x) {
      body(job.input.at(x, y), job.output.at(x, y), job.input.channels);
    }
  });
}

template <typename Run, typename Body>
class PreparedPoint final : public PreparedFilter {
 public:
  PreparedPoint(double work, Run run, Body body)
      : work_(work), run_(std::move(run)), body_(std::move(body)) {}

  Needs needs() const override { return {.reference_work = work_}; }
  void run(const TileJob& job, Passes& passes) const override { run_(job, passes); }
  void reference(const ReferenceJob& job) const override { point_reference(job, body_); }

 private:
  const double work_;
  const Run run_;
  const Body body_;
};

/// A prepared point filter: `run(job, passes)` launches its pass, and body(in, out, channels)
/// computes a pixel of the reference in `work` operations, roughly. Both capture shared data by
/// value.
template <typename Run, typename Body>
PreparedPtr prepared_point(double work, Run run, Body body) {
  return std::make_unique<PreparedPoint<Run, Body>>(work, std::move(run), std::move(body));
}

/// Copies the pixels of `to` from the window `from`, in a filter whose kernels include
/// point_pass.clh.
void copy_window(const DeviceImage& from, const DeviceImage& to, Passes& passes);

}  // namespace sfumato
