// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs passes that were planned as data (pass_plan.hpp) on a tile.
#pragma once

#include "filters/filter.hpp"
#include "filters/shared/pass_plan.hpp"

namespace sfumato {

/// What a plan must know of the device that a filter is run on.
PlanDevice plan_device(const Target& target);

/// Executes the plan on the job's input and output. `work` is the arithmetic of one output pixel in
/// one pass, roughly, for cutting long launches.
void run_pass_plan(const PassPlan& plan, const TileJob& job, Passes& passes, double work);

/// The plan's intermediate buffers, in bytes.
std::size_t scratch_bytes(const PassPlan& plan);

}  // namespace sfumato
