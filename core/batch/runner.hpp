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
  /// Every OpenCL device that `device` stands for ("auto" or empty: all of the machine) gets a
  /// session of its own; the rest as for one session. `log` is BatchListener::said().
  SessionOptions session = {};
  ReadOptions read = {};
  WriteOptions write = {};  ///< as the plan was made with
  /// Bytes of main memory that the program may take; 0: half of usable_memory(). At least some
  /// 600 MB are taken, which is said where the limit is less: the program, a device's tiles, a
  /// picture's strips. A picture that would need more is read, filtered and written in strips,
  /// while no other is in work; what cannot be cut into strips (PictureInfo::working_bytes,
  /// recipes that take the whole picture at once) takes what it takes then.
  std::size_t memory_limit = 0;
  int jobs = 0;  ///< threads that read and write; 0: one for each processor, and one more
};

/// Where an item is.
enum class ItemStage { reading, filtering, writing };

/// Hears how a run goes. Its functions are called from the runner's threads, any of them but one at
/// a time, and hold the run up: a window posts what it hears to its own thread. They may call
/// cancel() and pause(), and throw nothing. Items are the plan's own, by address.
class BatchListener {
 public:
  virtual ~BatchListener() = default;
  /// An item is at this stage now. Each goes through them in order, or ends.
  virtual void entered(const BatchItem&, ItemStage) {}
  /// `part` of the stage "filtering", 0 to 1; many times a second.
  virtual void progressed(const BatchItem&, double part) { static_cast<void>(part); }
  /// Once for each item that was started; the others of a cancelled run are never heard of.
  virtual void ended(const BatchItem&, const ItemResult&) {}
  /// What concerns all: a device that failed. One sentence.
  virtual void said(const Message&) {}
};

/// What a run came to.
struct BatchSummary {
  std::int64_t done = 0, failed = 0, cancelled = 0;
  double seconds = 0, megapixels = 0;
  std::size_t most_memory = 0;  ///< that pictures in work held at once, as accounted for
};

/// One run of one plan. A file that fails is told and left; the others go on. Only the journal's
/// own failure ends a run early.
///
/// A window calls run() on a thread of its own, and the other functions from its own thread. To try
/// those that failed again, it makes another runner of part_of(plan, ...), with the same journal.
class BatchRunner {
 public:
  /// Everything must outlive the runner, as it is; `journal` may be null: then nothing can be
  /// resumed, and outputs are not forced onto the disk one by one.
  BatchRunner(const BatchPlan& plan, const Recipe& recipe, BatchOptions options, Journal* journal,
              BatchListener& listener);
  ~BatchRunner();
  BatchRunner(const BatchRunner&) = delete;
  BatchRunner& operator=(const BatchRunner&) = delete;

  /// Makes folders as they are needed; returns when all is done, or cancelled. Once. Throws
  /// FileError or BatchError where the journal cannot be written, EngineError for a device that is
  /// not there.
  BatchSummary run();

  /// Any thread, at any time, also from the listener. What is in work is given up, which is felt
  /// within a moment; outputs that are not whole are taken away.
  void cancel();
  /// Any thread, at any time. Nothing new is started until it is called with false; what is in work
  /// is finished. A paused run can be cancelled.
  void pause(bool paused);

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace sfumato
