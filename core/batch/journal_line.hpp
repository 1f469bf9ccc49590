// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One line of a journal, and what tells a file from others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/file_version.hpp"
#include "text/message.hpp"

namespace sfumato {

/// One name for each place, whatever links lead to it: the folder with its links followed, the
/// file's own name as it is. Remembers folders; one thread at a time.
class Places {
 public:
  std::filesystem::path of(const std::filesystem::path& path);

 private:
  std::map<std::filesystem::path, std::filesystem::path> folders_;
};

/// "begun", "done", "failed", "cancelled": of an item. "plan": what a shard's items were taken
/// from.
struct JournalLine {
  std::string state, recipe;
  std::filesystem::path source;
  std::filesystem::path target;  ///< relative to the journal's folder where it lies in it
  bool outside = false;          ///< `target` is meant to lie elsewhere
  std::int64_t frame = 0;        ///< of a movie
  FileStamp stamp;               ///< the source's
  std::string source_mark;       ///< birth_of() the source, as it was started
  std::string roles;             ///< BatchItem::roles_stamp
  /// birth_of() the file that becomes the output; none where it was not made yet.
  std::string mark;
  std::optional<FileStamp> replaced;  ///< what lay at the target, and may be replaced
  std::optional<FileStamp> output;    ///< what was made
  Message reason;
  std::string device;
  double seconds = 0;
  std::vector<Message> warnings;
  /// Of a plan.
  int shards = 0;
  std::int64_t count = 0;
  std::string inputs;
};

/// Without the end of the line. Bytes of names that are no UTF-8 are kept.
std::string printed(const JournalLine& line);

/// Every line that can be read, in order; true where the last one has no end. Throws FileError.
bool read_journal(const std::filesystem::path& file,
                  const std::function<void(const JournalLine&)>& take);

/// Where a line's target lies now, below `folder`, the journal's own; nullopt: a place outside of
/// it which the line does not ask for, as lines of folders that were moved do.
std::optional<std::filesystem::path> target_of(const JournalLine& line,
                                               const std::filesystem::path& folder, Places& places);

bool is_journal(const std::filesystem::path& path);
/// "sfumato-batch.jsonl", or "sfumato-batch.2-of-4.jsonl".
std::string journal_name(int shard, int shards);

}  // namespace sfumato
