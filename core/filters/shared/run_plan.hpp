// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs passes planned as data (pass_plan.hpp) on a tile.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "filters/filter.hpp"
#include "filters/shared/pass_plan.hpp"

namespace sfumato {

/// What planning needs to know of the device that a filter runs on.
PlanDevice plan_device(const Target& target);

/// How the filter's input and output store the pixels of a picture.
PixelStorage pixel_storage(const Picture& picture);

/// Executes the plan on the job's input and output. `work` is the rough number of operations per
/// output pixel and pass, for cutting long launches. `base` is the picture to which the plan adds
/// its result, if it does.
void run_pass_plan(const PassPlan& plan, const TileJob& job, Passes& passes, double work,
                   const DeviceImage& base = {});

/// The pass plans of a prepared filter, cached by the layout of its tiles, for plans that cost more
/// to make than to run. Any number of threads may use it at once.
class TilePlans {
 public:
  /// The plan for a tile with the job's layout. `lay` makes it on first use and may be called by
  /// several threads at once.
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

/// The size of the plan's intermediate buffers, in bytes.
std::size_t scratch_bytes(const PassPlan& plan);

}  // namespace sfumato
