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
#include "io/render_animation.hpp"

namespace sfumato {

/// An item in progress. At any time, one thread or one queue owns it.
struct Work {
  using Clock = std::chrono::steady_clock;

  /// Its share of the batch's memory.
  struct Share {
    std::size_t bytes = 0;
    bool opening = false;           ///< it is being opened
    std::size_t opening_bytes = 0;  ///< reserved for that
  };

  const BatchItem* item = nullptr;
  Clock::time_point stage_start;     ///< of the current stage; time in queues is not counted
  std::optional<FileRender> render;  ///< set when opening starts
  /// The same for an item of many pictures, instead of `render`.
  std::optional<AnimationRender> animation;
  std::optional<std::size_t> opening;  ///< bytes that opening takes, if its head tells
  std::size_t bytes = 0;               ///< that it takes in all
  bool streamed = false;               ///< too large to be held: processed in strips
  Share share;
  ItemResult result;

  /// Adds the time of the stage to the result.
  void count_time() {
    result.seconds += std::chrono::duration<double>(Clock::now() - stage_start).count();
  }
  /// Adds a warning, once.
  void warn(const Message& warning);
};
using WorkPtr = std::unique_ptr<Work>;

}  // namespace sfumato
