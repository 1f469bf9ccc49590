// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is done to one picture of a batch, stage by stage.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "batch/run_report.hpp"
#include "batch/runner.hpp"
#include "batch/work.hpp"
#include "batch/work_queue.hpp"
#include "engine/renderer.hpp"
#include "io/movie.hpp"

namespace sfumato {

/// Each stage throws what ends the item: FileError, EngineError, Cancelled, std::bad_alloc. Any
/// thread, an item on one at a time.
class Stages {
 public:
  /// `cpu` is the device whose memory is ours. All must outlive this.
  Stages(const Recipe& recipe, const BatchOptions& options, const std::optional<Target>& cpu,
         WorkQueue& queue, RunReport& report)
      : recipe_(recipe), options_(options), cpu_(cpu), queue_(queue), report_(report) {}

  /// Sees what opening the file will take, as that may be much.
  void look_at(Work& work) const;
  /// Opens the input and begins the output; returns the bytes that they hold.
  std::size_t open(Work& work);
  /// Decodes the input, unless it is streamed.
  void read(Work& work);
  void filter(Renderer& renderer, Work& work);
  /// Encodes what was filtered, and gives the output its name.
  void write(Work& work);

  Movies& movies() { return *movies_; }

 private:
  /// `work` must outlive the job.
  FileJob job_of(Work& work);
  void plan_memory(Work& work, std::size_t held) const;

  const Recipe& recipe_;
  const BatchOptions& options_;
  const std::optional<Target>& cpu_;
  WorkQueue& queue_;
  RunReport& report_;
  const std::shared_ptr<Movies> movies_ = std::make_shared<Movies>();
};

}  // namespace sfumato
