// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters that run several windows over a picture, one after the other.
#pragma once

#include <functional>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// How far one window reaches, in pixels on each side.
struct Stage {
  int reach_x = 0, reach_y = 0;
};

/// Windows of `radius` each way, so many times; `separable`: rows, then columns.
std::vector<Stage> square_stages(int radius, std::size_t iterations, bool separable);

/// What each stage must compute, so that the last one has all it asks for.
std::vector<Rect> stage_regions(const std::vector<Stage>& stages, const Plane& in, const Edge& edge,
                                const Plane& out);

/// Bytes per pixel of the pictures between `stages` windows.
double stage_scratch(std::size_t stages, int channels);

/// Runs `body` once for each stage, from the job's input by pictures between to its output.
void run_stages(const TileJob& job, Passes& passes, const std::vector<Stage>& stages,
                const std::function<void(const TileJob&, const Stage&)>& body);

/// The same in scalar code.
void run_stages(const ReferenceJob& job, const std::vector<Stage>& stages,
                const std::function<void(const ReferenceJob&, const Stage&)>& body);

}  // namespace sfumato
