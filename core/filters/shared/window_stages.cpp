// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Regions and intermediate pictures of the stages.
#include "filters/shared/window_stages.hpp"

namespace sfumato {

std::vector<Stage> square_stages(int radius, std::size_t iterations, bool separable) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < iterations; ++i) {
    if (separable) {
      stages.push_back({radius, 0});
      stages.push_back({0, radius});
    } else {
      stages.push_back({radius, radius});
    }
  }
  return stages;
}

std::vector<Rect> stage_regions(const std::vector<Stage>& stages, const Plane& in, const Edge& edge,
                                const Plane& out) {
  const Rect held = in.rect().intersected({edge.x0, edge.y0, edge.x1, edge.y1});
  std::vector<Rect> regions(stages.size());
  Rect region = out.rect();
  for (std::size_t i = stages.size(); i-- > 0;) {
    regions[i] = region;
    // A wrapping window may need the other end of the picture.
    region = edge.border() == Border::wrap
                 ? held
                 : region.grown(stages[i].reach_x, stages[i].reach_y).intersected(held);
  }
  return regions;
}

double stage_scratch(std::size_t stages, int channels) {
  // A stage reads one picture and writes another.
  const double pictures = stages > 2 ? 2 : stages > 1 ? 1 : 0;
  return 4.0 * channels * pictures;
}

void run_stages(const TileJob& job, Passes& passes, const std::vector<Stage>& stages,
                const std::function<void(const TileJob&, const Stage&)>& body) {
  const std::vector<Rect> regions =
      stage_regions(stages, job.input.plane, job.edge, job.output.plane);
  TileJob step = job;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const bool last = i + 1 == stages.size();
    step.output = last ? job.output : passes.scratch(regions[i], job.input.channels);
    body(step, stages[i]);
    step.input = step.output;
  }
}

void run_stages(const ReferenceJob& job, const std::vector<Stage>& stages,
                const std::function<void(const ReferenceJob&, const Stage&)>& body) {
  const std::vector<Rect> regions =
      stage_regions(stages, job.input.plane, job.edge, job.output.plane);
  const int channels = job.input.channels;
  ReferenceJob step = job;
  std::vector<float> kept;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    std::vector<float> made;
    step.output = job.output;
    if (i + 1 < stages.size()) {
      const Rect& r = regions[i];
      made.resize(static_cast<std::size_t>(r.area()) * static_cast<std::size_t>(channels));
      step.output = {made.data(), {r.x0, r.y0, r.width(), r.height(), r.width(), 0}, channels};
    }
    body(step, stages[i]);
    kept.swap(made);
    step.input = step.output;
  }
}

}  // namespace sfumato
