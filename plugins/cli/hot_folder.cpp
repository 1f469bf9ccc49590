// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files are handled by path, so that all frames of a movie stay together.
#include "hot_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

// Whether a program has the file open for writing, as far as the system can say: it refuses a lease
// then.
bool is_being_written(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  const bool refused = ::fcntl(file, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
  ::close(file);  // which releases the lease
  return refused;
}

}  // namespace

void HotFolder::take_settled(BatchPlan& plan, Clock::time_point now) {
  std::map<fs::path, State> seen;
  std::map<fs::path, bool> ready;
  std::erase_if(plan.items, [&](const BatchItem& item) {
    const fs::path& path = item.source.path;
    const State state{item.stamp, item.roles_stamp};
    if (seen.try_emplace(path, state).second) ready[path] = is_ready(path, state, now);
    return !ready[path];
  });
  seen_ = std::move(seen);
  for (const BatchItem& item : plan.items) {
    Attempt& attempt = tried_[item.source.path];
    const State state{item.stamp, item.roles_stamp};
    // A file that changed after its failure still counts as failing until it succeeds, but its wait
    // starts over.
    if (attempt.state != state && attempt.failure) attempt.failure->wait = {};
    attempt.state = state;
  }
}

bool HotFolder::is_ready(const fs::path& path, const State& state, Clock::time_point now) const {
  const auto before = seen_.find(path);
  const bool settled = before != seen_.end() && before->second == state && state.stamp.size > 0;
  if (!settled) return false;
  const auto attempt = tried_.find(path);
  if (attempt != tried_.end() && attempt->second.state == state) {
    const auto& failure = attempt->second.failure;
    if (!failure || now < failure->again) return false;
  }
  return !is_being_written(path);
}

void HotFolder::ended(const BatchPlan& plan, const Report& report, Clock::time_point now,
                      bool broke_off) {
  std::set<fs::path> paths, failed, undone;
  for (const BatchItem& item : plan.items) {
    const fs::path& path = item.source.path;
    paths.insert(path);
    if (!report.done(item)) undone.insert(path);
    if (report.failed(item)) failed.insert(path);
  }
  for (const fs::path& path : paths) {
    auto& failure = tried_[path].failure;
    if (failed.contains(path) || (broke_off && undone.contains(path))) {
      const auto doubled = failure ? failure->wait * 2 : first_wait;
      const auto wait = std::clamp(doubled, first_wait, longest_wait);
      failure = Failure{wait, now + wait};
    } else if (!undone.contains(path)) {
      failure.reset();
    }
  }
}

void HotFolder::forget_removed() {
  std::erase_if(tried_, [](const auto& entry) {
    std::error_code error;
    return entry.second.failure && !fs::exists(entry.first, error) && !error;
  });
}

std::int64_t HotFolder::failing() const {
  return std::count_if(tried_.begin(), tried_.end(),
                       [](const auto& entry) { return entry.second.failure.has_value(); });
}

}  // namespace sfumato::cli
