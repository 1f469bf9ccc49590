// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which pictures of a folder that is watched are to be filtered now.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "batch/report.hpp"

namespace sfumato::cli {

/// Remembers what was seen of every file and what became of it. Times are the caller's.
class HotFolder {
 public:
  using Clock = std::chrono::steady_clock;
  /// After a failure, before the same file is tried again: a full disk may have room then. Doubled
  /// each time, as long as the file stays as it is.
  static constexpr std::chrono::seconds first_wait{30}, longest_wait{3600};

  /// Leaves in a plan what looked the same at the last look, nobody writes, and was not tried as it
  /// is, or failed and has waited since.
  void take_settled(BatchPlan& plan, Clock::time_point now);
  /// What became of the items that were taken. A run that broke off failed at all that it left.
  void ended(const BatchPlan& plan, const Report& report, Clock::time_point now,
             bool broke_off = false);
  /// Failures whose files are gone count no more.
  void forget_removed();
  /// Files that have failed and were not made since.
  std::int64_t failing() const;

 private:
  struct Sight {
    std::uintmax_t size = 0;
    std::int64_t time = 0;
    std::string roles;
    bool operator==(const Sight&) const = default;
  };
  struct Failure {
    std::chrono::seconds wait{};
    Clock::time_point again;
  };
  struct Attempt {
    Sight sight;
    std::optional<Failure> failure;
  };
  bool is_ready(const std::filesystem::path& path, const Sight& sight, Clock::time_point now) const;

  std::map<std::filesystem::path, Sight> seen_;
  std::map<std::filesystem::path, Attempt> tried_;
};

}  // namespace sfumato::cli
