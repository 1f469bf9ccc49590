// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A record on disk, beside the outputs, of what a batch has started, finished and failed, so that a
// killed run can be resumed.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "batch/journal_line.hpp"
#include "batch/plan.hpp"

namespace sfumato {

/// What became of one item.
struct ItemResult {
  enum class State { done, failed, cancelled };
  State state = State::done;
  Message reason;  ///< why it failed, in one sentence; else empty
  std::vector<Message> warnings;
  double seconds = 0;  ///< of reading, filtering and writing together
  double megapixels = 0;
  std::string device;
};

struct JournalOptions {
  /// Writes and locks nothing: for a plan that will not be run.
  bool only_look = false;
  /// How long to wait while another program holds the journal: it may be ending or cleaning up.
  std::chrono::milliseconds patience{20000};
  /// Called during that wait, on the calling thread; true ends it. May be empty.
  std::function<bool()> given_up = {};
};

/// An append-only file of JSON objects, one a line: "begun" before an output is made, and again
/// with the mark of its temporary; "done" once the output is on the disk; "failed" with the reason;
/// "cancelled"; and "plan" with the inputs of a shard. A line that a power cut left incomplete is
/// skipped when reading. Functions may be called from any thread.
class Journal {
 public:
  /// Reads the journals of all shards in the folder, and locks that of `shard` if it exists;
  /// otherwise hold() or the first line creates it. Throws BatchError if another program holds it,
  /// FileError if it cannot be read or written.
  Journal(const std::filesystem::path& folder, int shard, int shards, JournalOptions options = {});
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// "sfumato-batch.jsonl", or "sfumato-batch.2-of-4.jsonl".
  const std::filesystem::path& path() const { return path_; }

  /// Locks the journal, creating it if necessary, so that a plan based on it stays valid. False if
  /// another program has written to it since it was read: a new Journal must then read everything
  /// again. Throws BatchError if another program holds it. If it cannot be written, only the first
  /// line reports that.
  bool hold();

  /// For plan_batch(): what earlier runs did with this source (identified by path, frame, size,
  /// time and recipe), or with an earlier version of it, checked against the file that is at the
  /// target now.
  PriorResult recall(const BatchItem& item, const std::string& recipe_hash) const;

  /// Records which inputs this shard's items were taken from. Throws BatchError if another shard of
  /// the same number of shards has recorded other inputs, FileError if a journal cannot be read or
  /// written. A run without shards covers all inputs, and so withdraws the records of shards that
  /// are not running.
  void agree(const BatchPlan& plan);

  /// To be called before the output's temporary is made. Throws FileError if the journal cannot be
  /// written, BatchError if another program holds it or has written to it.
  void begin(const BatchItem& item, const std::string& recipe_hash);
  /// Records that `temporary` will become the output, and which file it may replace. This and end()
  /// return once their line is on the disk, and throw as begin() does.
  void made(const BatchItem& item, const std::string& recipe_hash,
            const std::filesystem::path& temporary);
  void end(const BatchItem& item, const std::string& recipe_hash, const ItemResult& result);

  /// Whether any run made this file from another one.
  bool is_output(const std::filesystem::path& file) const;

  /// Removes the temporaries that killed runs left beside their outputs, except those of outputs
  /// that another shard is working on.
  void sweep() const;

 private:
  // An item, according to its last lines.
  struct Record {
    PriorResult::State state = PriorResult::State::unknown;
    std::filesystem::path target;
    std::string file_id, source_file_id;
    std::optional<FileStamp> replaced, output;
    EarlierWork work;
  };
  // What was made, or was to be made, at a place.
  struct OutputRecord {
    std::filesystem::path source;
    std::int64_t frame = 0;
    std::string file_id;
    std::string key;  ///< in known_, of the last item made here
    bool done = false;
  };
  using Targets = std::set<std::filesystem::path>;
  /// Whether the file at the target is still the one that was made.
  static bool is_unchanged(const Record& record);
  /// Whether the file at the target is the one that was started, by its mark.
  static bool is_marked(const Record& record);
  /// Whether the file at the target was made, and holds nothing any more.
  static bool is_emptied(const Record& record);
  static bool is_ours(const Record& record);
  /// What became of an item whose source and target are the same file.
  static PriorResult::State state_in_place(const Record& record, bool is_known);
  /// What became of any other item.
  PriorResult::State state_of(const Record& record, const std::string& key) const;
  /// Whether the file at the target has since been made from another source or with another recipe.
  bool is_superseded(const Record& record, const std::string& key) const;
  void take(const JournalLine& line, const std::filesystem::path& file);
  std::vector<std::filesystem::path> journals() const;
  void check_others(const JournalLine& plan) const;
  void free_others(const JournalLine& plan) const;
  JournalLine line_of(const char* state, const BatchItem& item,
                      const std::string& recipe_hash) const;
  Targets in_work() const;
  void open();
  bool is_stale() const;
  void append(const JournalLine& line, bool on_the_disk);
  /// Returns once this line is on the disk; lines of other threads are flushed with it.
  void sync(std::int64_t number);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path folder_, path_;
  int shards_;
  JournalOptions options_;
  mutable std::mutex mutex_;
  mutable CanonicalPaths places_;
  std::map<std::string, Record> known_;        ///< by source and version
  std::map<std::string, std::string> latest_;  ///< keys of known_, by source: the last made
  std::map<std::filesystem::path, OutputRecord> made_;  ///< by place
  std::map<std::filesystem::path, Targets> open_;       ///< started and not ended, by journal
  std::int64_t written_ = 0;                            ///< lines
  std::mutex syncing_;                                  ///< taken before mutex_
  std::int64_t synced_ = 0;
  int descriptor_ = -1;
  bool read_ = false;  ///< our journal was read, or was empty
  bool torn_ = false;  ///< the last line of our journal is incomplete
};

/// The outputs that a journal's runs made, each with its source, as CanonicalPaths::of() names
/// them. Empty if the journal cannot be read.
std::map<std::filesystem::path, std::filesystem::path> outputs_in(
    const std::filesystem::path& journal);

}  // namespace sfumato
