// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One item of a batch on its way through the stages.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "batch/journal.hpp"
#include "batch/plan.hpp"
#include "io/render_file.hpp"

namespace sfumato {

/// An item in work. One thread at a time has it, or a queue.
struct Work {
  using Clock = std::chrono::steady_clock;

  /// What it has of the batch's memory.
  struct Share {
    std::size_t bytes = 0;
    bool opening = false;           ///< it is being opened
    std::size_t opening_bytes = 0;  ///< what it has for that
  };

  const BatchItem* item = nullptr;
  Clock::time_point stage_start;     ///< the stage it is in; what it waits in queues does not count
  std::optional<FileRender> render;  ///< once it is being opened
  std::optional<std::size_t> opening;  ///< what opening it will take, if its head tells
  std::size_t bytes = 0;               ///< that it needs in all
  bool streamed = false;               ///< too large to be held: strips go through it
  Share share;
  ItemResult result;

  /// Adds what the stage took to the result.
  void count_time() {
    result.seconds += std::chrono::duration<double>(Clock::now() - stage_start).count();
  }
  /// Each warning once.
  void warn(const Message& warning);
};
using WorkPtr = std::unique_ptr<Work>;

}  // namespace sfumato
