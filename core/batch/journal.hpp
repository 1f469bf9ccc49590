// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a batch has started, done and failed at, on the disk beside its outputs, so that a run that
// was killed can be continued.
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
  Message reason;  ///< one sentence where it failed
  std::vector<Message> warnings;
  double seconds = 0;  ///< of reading, filtering and writing together
  double megapixels = 0;
  std::string device;
};

struct JournalOptions {
  /// Nothing is written, and nothing locked: for a plan that will not be run.
  bool only_look = false;
  /// How long another program may hold the journal: one that is ending, or is sweeping up.
  std::chrono::milliseconds patience{20000};
  /// Asked meanwhile, on the calling thread; true ends the wait. May be empty.
  std::function<bool()> given_up = {};
};

/// A file of lines, each a JSON object, which are only ever added: "begun" before an output is
/// made, and again with the mark of the file that will be it, "done" once it is on the disk,
/// "failed" with the reason, "cancelled". A line that a power cut tore is left out when it is read.
/// Functions may be called from any thread.
class Journal {
 public:
  /// Reads all journals of the folder (those of every shard), and locks the one of `shard` if it is
  /// there; else hold() makes it, or the first line. Throws BatchError where another program holds
  /// it, FileError where it cannot be read or written.
  Journal(const std::filesystem::path& folder, int shard, int shards, JournalOptions options = {});
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// "sfumato-batch.jsonl", or "sfumato-batch.2-of-4.jsonl".
  const std::filesystem::path& path() const { return path_; }

  /// Locks the journal, which is made where there is none: what is planned by it then stays true.
  /// False where another program has written to it since it was read, so that everything must be
  /// read again. Throws BatchError where another program holds it; that it cannot be written shows
  /// with the first line.
  bool hold();

  /// For plan_batch(): what is known of this source (its path, frame, size and time, under this
  /// recipe), or of what it was before it changed, beside what lies at the output's name now.
  Earlier recall(const BatchItem& item, const std::string& recipe_hash) const;

  /// Writes down what this shard's items are taken from; where the journal of another shard of as
  /// many says otherwise, throws BatchError. A run without shards has them all: what journals of
  /// shards that are not at work say binds no other any more.
  void agree(const BatchPlan& plan);

  /// Before the output's temporary is made. Throws FileError.
  void begin(const BatchItem& item, const std::string& recipe_hash);
  /// `temporary` will be the output, and nothing lies there that may not be replaced. This and
  /// end() are on the disk when they return. Throw FileError.
  void made(const BatchItem& item, const std::string& recipe_hash,
            const std::filesystem::path& temporary);
  void end(const BatchItem& item, const std::string& recipe_hash, const ItemResult& result);

  /// Whether a file is what any run made of another file.
  bool is_output(const std::filesystem::path& file) const;

  /// Removes temporaries beside outputs that were started and not ended, as killed runs leave them,
  /// but for those of outputs that another shard is at work on.
  void sweep() const;

 private:
  // An item as its last lines have it.
  struct Record {
    Earlier::State state = Earlier::State::unknown;
    std::filesystem::path target;
    std::string mark, source_mark;
    std::optional<FileStamp> replaced, output;
    EarlierWork work;
  };
  // What is, or was to be, at a place.
  struct Made {
    std::filesystem::path source;
    std::int64_t frame = 0;
    std::string mark;
    std::string key;  ///< of known_: the last one that was made here
    bool done = false;
  };
  using Targets = std::set<std::filesystem::path>;
  /// Whether what lies at the target is what was made.
  static bool lies_there(const Record& record);
  /// Whether the file at the target is the very one that was started.
  static bool is_marked(const Record& record);
  static bool is_ours(const Record& record);
  /// What became of a record whose source and target are one file, and of any other.
  static Earlier::State state_in_place(const Record& record, bool is_known);
  Earlier::State state_of(const Record& record, const std::string& key) const;
  /// Whether it is what was made of another source since, or under another recipe.
  bool is_anothers(const Record& record, const std::string& key) const;
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
  /// Until this line is on the disk; those of other threads go with it.
  void sync(std::int64_t number);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path folder_, path_;
  int shards_;
  JournalOptions options_;
  mutable std::mutex mutex_;
  mutable Places places_;
  std::map<std::string, Record> known_;            ///< by source and what it was
  std::map<std::string, std::string> latest_;      ///< of known_, by source: the last one made
  std::map<std::filesystem::path, Made> made_;     ///< by place
  std::map<std::filesystem::path, Targets> open_;  ///< started and not ended, by journal
  std::int64_t written_ = 0;                       ///< lines
  std::mutex syncing_;                             ///< taken before mutex_
  std::int64_t synced_ = 0;
  int descriptor_ = -1;
  bool read_ = false;  ///< our file, or it had nothing to be read
  bool torn_ = false;  ///< the last line of our file has no end
};

/// What a journal's runs made, by place: of what file. Nothing where it cannot be read.
std::map<std::filesystem::path, std::filesystem::path> outputs_in(
    const std::filesystem::path& journal);

}  // namespace sfumato
