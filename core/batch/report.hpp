// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What became of every file, for people and programs.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "batch/runner.hpp"

namespace sfumato {

/// Collects results; written as JSON or CSV in the plan's order.
class Report {
 public:
  explicit Report(const BatchPlan& plan) : plan_(plan) {}

  void add(const BatchItem& item, const ItemResult& result) { results_[item.number] = result; }

  /// By its extension: .json (an object with "files", what concerns the plan, and a summary) or
  /// .csv (RFC 4180, a line of names first). Written whole or not at all; a report that is there is
  /// replaced. Throws BatchError where check() does, FileError where it cannot be written.
  void write(const std::filesystem::path& path, const BatchSummary& summary) const;
  /// Throws BatchError for another extension, and for a file that is there and is no report.
  static void check(const std::filesystem::path& path);

  bool done(const BatchItem& item) const;
  bool failed(const BatchItem& item) const;
  /// Of what was added so far, for a run that broke off; without seconds.
  BatchSummary summary() const;

  std::string json(const BatchSummary& summary) const;
  std::string csv() const;

 private:
  bool has_ended(const BatchItem& item, ItemResult::State state) const;

  const BatchPlan& plan_;
  std::map<std::int64_t, ItemResult> results_;  ///< by the item's number
};

/// "done", "failed", "cancelled"; "skipped" is said of items that were left out, with the seconds,
/// device and warnings of the run that made them, if one did.
const char* name_of(ItemResult::State state);

}  // namespace sfumato
