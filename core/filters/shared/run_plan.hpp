// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs passes that were planned as data (pass_plan.hpp) on a tile.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "filters/filter.hpp"
#include "filters/shared/pass_plan.hpp"

namespace sfumato {

/// What a plan must know of the device that a filter is run on.
PlanDevice plan_device(const Target& target);

/// How the pixels of a picture lie in the buffers that the filter is handed.
PixelStorage pixel_storage(const Picture& picture);

/// Executes the plan on the job's input and output. `work` is the arithmetic of one output pixel in
/// one pass, roughly, for cutting long launches.
void run_pass_plan(const PassPlan& plan, const TileJob& job, Passes& passes, double work);

/// The pass plans of a prepared filter, by where the pixels of its tiles lie: plans that cost more
/// to lay than to run. Any number of threads may use it at a time.
class TilePlans {
 public:
  /// The plan for a tile whose pixels lie as the job's; `lay` makes it at first and may be called
  /// by several threads at once.
  std::shared_ptr<const PassPlan> of(const TileJob& job,
                                     const std::function<PassPlan()>& lay) const;

 private:
  static constexpr std::size_t most = 64;

  struct Entry {
    Plane input, output;
    Edge edge;
    std::shared_ptr<const PassPlan> plan;
  };
  mutable std::mutex mutex_;
  mutable std::vector<Entry> entries_;
};

/// The plan's intermediate buffers, in bytes.
std::size_t scratch_bytes(const PassPlan& plan);

}  // namespace sfumato
