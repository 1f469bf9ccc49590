// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Decides which pictures of a watched folder are to be filtered now.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "batch/report.hpp"
#include "io/file_version.hpp"

namespace sfumato::cli {

/// Remembers the state of every file and the outcome of its last attempt. The caller supplies
/// times.
class HotFolder {
 public:
  using Clock = std::chrono::steady_clock;
  /// The wait before a failed file is retried, since a full disk may have room then. Doubled after
  /// each failure while the file stays unchanged.
  static constexpr std::chrono::seconds first_wait{30}, longest_wait{3600};

  /// Keeps in a plan the files that are unchanged since the last look, are not being written, and
  /// are either untried in this state or failed long enough ago.
  void take_settled(BatchPlan& plan, Clock::time_point now);
  /// Records the outcome of the items taken. An aborted run counts as a failure of all remaining
  /// items.
  void ended(const BatchPlan& plan, const Report& report, Clock::time_point now,
             bool broke_off = false);
  /// Forgets failures of files that no longer exist.
  void forget_removed();
  /// Number of files that have failed and not succeeded since.
  std::int64_t failing() const;

 private:
  struct State {
    FileStamp stamp;
    std::string roles;
    bool operator==(const State&) const = default;
  };
  struct Failure {
    std::chrono::seconds wait{};
    Clock::time_point again;
  };
  struct Attempt {
    State state;
    std::optional<Failure> failure;
  };
  bool is_ready(const std::filesystem::path& path, const State& state, Clock::time_point now) const;

  std::map<std::filesystem::path, State> seen_;
  std::map<std::filesystem::path, Attempt> tried_;
};

}  // namespace sfumato::cli
