// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters that apply several windows to a picture in turn.
#pragma once

#include <functional>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// Reach of one window, in pixels on each side.
struct Stage {
  int reach_x = 0, reach_y = 0;
};

/// Windows of `radius` in both directions, `iterations` times; `separable`: rows, then columns.
std::vector<Stage> square_stages(int radius, std::size_t iterations, bool separable);

/// The region that each stage must compute for the last one to be complete.
std::vector<Rect> stage_regions(const std::vector<Stage>& stages, const Plane& in, const Edge& edge,
                                const Plane& out);

/// Bytes per pixel of the intermediate pictures of `stages` windows.
double stage_scratch(std::size_t stages, int channels);

/// Runs `body` once per stage, from the job's input through intermediate pictures to its output.
void run_stages(const TileJob& job, Passes& passes, const std::vector<Stage>& stages,
                const std::function<void(const TileJob&, const Stage&)>& body);

/// The same in scalar code.
void run_stages(const ReferenceJob& job, const std::vector<Stage>& stages,
                const std::function<void(const ReferenceJob&, const Stage&)>& body);

}  // namespace sfumato
