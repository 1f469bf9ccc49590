// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The lines of a journal, and the paths in them.
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

/// Gives a file one path, whichever links lead to it: links in its folder are followed, its own
/// name is kept. Caches folders; not thread-safe.
class CanonicalPaths {
 public:
  std::filesystem::path of(const std::filesystem::path& path);

 private:
  std::map<std::filesystem::path, std::filesystem::path> folders_;
};

/// A line about an item ("begun", "done", "failed" or "cancelled"), or about the inputs from which
/// a shard's items were taken ("plan").
struct JournalLine {
  std::string state, recipe;
  std::filesystem::path source;
  std::filesystem::path target;  ///< relative to the journal's folder if it is in there
  bool outside = false;          ///< `target` is meant to be elsewhere
  std::int64_t frame = 0;        ///< of a movie, or a page, from 1; else 0
  FileStamp stamp;               ///< the source's
  std::string source_file_id;    ///< persistent_id_of() the source when the item was started
  std::string roles;             ///< BatchItem::roles_stamp
  /// persistent_id_of() the file that becomes the output; empty if it was not made yet.
  std::string file_id;
  std::optional<FileStamp> replaced;  ///< the file at the target that may be replaced
  std::optional<FileStamp> output;    ///< the finished output
  Message reason;
  std::string device;
  double seconds = 0;
  std::vector<Message> warnings;
  /// Of "plan" lines only. Without `inputs`, the line withdraws an earlier one.
  int shards = 0;
  std::int64_t count = 0;
  std::string inputs;
};

/// The text of a line, without a newline. Keeps bytes of names that are not UTF-8.
std::string printed(const JournalLine& line);

/// Passes every readable line to `take`, in order. Returns whether the last line lacks its newline.
/// Throws FileError if the file cannot be read.
bool read_journal(const std::filesystem::path& file,
                  const std::function<void(const JournalLine&)>& take);

/// Where a line's target is now, if the journal is in `folder`. nullopt: outside that folder, and
/// not meant to be, as in a journal whose folder was moved.
std::optional<std::filesystem::path> target_of(const JournalLine& line,
                                               const std::filesystem::path& folder,
                                               CanonicalPaths& places);

bool is_journal(const std::filesystem::path& path);
/// "sfumato-batch.jsonl", or "sfumato-batch.2-of-4.jsonl".
std::string journal_name(int shard, int shards);

}  // namespace sfumato
