// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What became of every file, for people and programs.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "batch/runner.hpp"

namespace sfumato {

/// Collects results, and writes them as JSON or CSV in the plan's order. Skipped items are listed
/// as "skipped", with the seconds, device and warnings of the run that made them, if one did. The
/// plan must outlive it.
class Report {
 public:
  explicit Report(const BatchPlan& plan) : plan_(plan) {}

  void add(const BatchItem& item, const ItemResult& result) { results_[item.number] = result; }

  /// The extension decides the form: .json (an object with "files", facts about the plan, and a
  /// summary) or .csv (RFC 4180, with a header line). Writes atomically, and replaces an earlier
  /// report. Throws BatchError as check() does, FileError if it cannot be written.
  void write(const std::filesystem::path& path, const BatchSummary& summary) const;
  /// Throws BatchError for another extension, and for an existing file that is not a report.
  static void check(const std::filesystem::path& path);

  bool done(const BatchItem& item) const;
  bool failed(const BatchItem& item) const;
  /// Of the results added so far, for a run that ended early; without seconds.
  BatchSummary summary() const;

  std::string json(const BatchSummary& summary) const;
  std::string csv() const;

 private:
  bool has_ended(const BatchItem& item, ItemResult::State state) const;

  const BatchPlan& plan_;
  std::map<std::int64_t, ItemResult> results_;  ///< by the item's number
};

/// "done", "failed" or "cancelled".
const char* name_of(ItemResult::State state);

}  // namespace sfumato
