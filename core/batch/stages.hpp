// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The stages through which each picture of a batch goes.
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

/// A stage that throws ends its item: FileError, EngineError, Cancelled or std::bad_alloc. Any
/// thread, but one at a time for each item.
class Stages {
 public:
  /// `cpu` is the CPU device or the reference, which work in main memory. All arguments must
  /// outlive this object.
  Stages(const Recipe& recipe, const BatchOptions& options, const std::optional<Target>& cpu,
         WorkQueue& queue, RunReport& report)
      : recipe_(recipe), options_(options), cpu_(cpu), queue_(queue), report_(report) {}

  /// Estimates how much memory opening the file will take, as that may be a lot.
  void probe(Work& work) const;
  /// Opens the input and starts the output; returns the bytes that the open input holds.
  std::size_t open(Work& work);
  /// Decodes the input, unless it is streamed.
  void read(Work& work);
  void filter(Renderer& renderer, Work& work);
  /// Encodes the result, and renames the temporary to the output.
  void write(Work& work);

  Movies& movies() { return *movies_; }

 private:
  /// `work` must outlive the job.
  FileJob job_of(Work& work);
  std::size_t open_animation(Work& work);
  static void take(const RenderReport& report, Work& work);
  void plan_memory(Work& work, std::size_t held) const;
  std::size_t limit_for(std::size_t bytes) const;
  [[noreturn]] void refuse_whole(const InputPicture& input, std::size_t bytes) const;

  const Recipe& recipe_;
  const BatchOptions& options_;
  const std::optional<Target>& cpu_;
  WorkQueue& queue_;
  RunReport& report_;
  const std::shared_ptr<Movies> movies_ = std::make_shared<Movies>(
      MoviePrograms{[this] { return queue_.cancelled(); }, options_.read.contained});
};

}  // namespace sfumato
