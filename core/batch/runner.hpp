// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Runs a plan: reading, filtering and writing overlap, on every device, within a limit of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "batch/journal.hpp"
#include "batch/plan.hpp"
#include "engine/session.hpp"

namespace sfumato {

struct BatchOptions {
  /// Each OpenCL device that `device` stands for ("auto" or empty: all of the machine) gets its own
  /// session; the other options apply to each session. `log` is replaced by BatchListener::said().
  SessionOptions session = {};
  ReadOptions read = {};
  WriteOptions write = {};  ///< the same as in the BatchRequest
  /// Bytes of main memory that the program may take; 0: half of usable_memory(). It takes at least
  /// about 600 MB, for itself, a device's tiles and a picture's strips, and warns if the limit is
  /// lower. A picture that would exceed the limit is read, filtered and written in strips, while no
  /// other is processed; one whose decoder takes more (PictureInfo::working_bytes) is refused if
  /// the limit was set. Recipes that take the whole picture at once may then exceed it.
  std::size_t memory_limit = 0;
  int jobs = 0;  ///< threads that read and write; 0: one for each processor, and one more
};

/// The stage that an item is in.
enum class ItemStage { reading, filtering, writing };

/// Receives the events of a run. Its functions are called on any of the runner's threads, one at a
/// time. The run waits for them, so a window should only post events to its own thread. They may
/// call cancel() and pause(), and must not throw. Items are passed by reference into the plan, so
/// that their addresses identify them.
class BatchListener {
 public:
  virtual ~BatchListener() = default;
  /// An item has entered this stage. Each item goes through the stages in order, but may end early.
  virtual void entered(const BatchItem&, ItemStage) {}
  /// `part` of the stage "filtering" is done, 0 to 1. Called many times a second.
  virtual void progressed(const BatchItem&, double part) { static_cast<void>(part); }
  /// Called once for each item that was started; a cancelled run does not report its other items.
  virtual void ended(const BatchItem&, const ItemResult&) {}
  /// One sentence about the run as a whole, such as that a device failed.
  virtual void said(const Message&) {}
};

/// The outcome of a run.
struct BatchSummary {
  std::int64_t done = 0, failed = 0, cancelled = 0;
  double seconds = 0, megapixels = 0;
  std::size_t most_memory = 0;  ///< bytes that pictures held at once, as the run counts them
};

/// One run of one plan. A file that fails is reported, and the others go on. Only a failure of the
/// journal ends a run early.
///
/// A window calls run() on a thread of its own, and the other functions from its own thread. To
/// retry files that failed, it makes another runner with part_of(plan, ...) and the same journal.
class BatchRunner {
 public:
  /// Plan, recipe, journal and listener must outlive the runner; plan and recipe must not change
  /// meanwhile. `journal` may be null: then the run cannot be resumed, and outputs are not flushed
  /// to the disk one by one.
  BatchRunner(const BatchPlan& plan, const Recipe& recipe, BatchOptions options, Journal* journal,
              BatchListener& listener);
  ~BatchRunner();
  BatchRunner(const BatchRunner&) = delete;
  BatchRunner& operator=(const BatchRunner&) = delete;

  /// Makes folders as needed; returns when all items are done, or cancelled. To be called once.
  /// Throws FileError or BatchError if the journal cannot be written, EngineError for a device that
  /// does not exist.
  BatchSummary run();

  /// Any thread, at any time, also from the listener. Items in progress soon stop, and their
  /// incomplete outputs are removed.
  void cancel();
  /// Any thread, at any time. While paused, items in progress are finished, but none are started. A
  /// paused run can be cancelled.
  void pause(bool paused);

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace sfumato
