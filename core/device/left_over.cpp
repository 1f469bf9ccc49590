// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A lock, unlike a process number, goes with its process, also on other machines and in containers.
#include "device/left_over.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <set>

#include "device/descriptor.hpp"

namespace sfumato::files {
namespace {

namespace fs = std::filesystem;

constexpr char mark[] = ".sfumato-";
constexpr char digits_and_dash[] = "0123456789-";

// ".NAME.sfumato-NUMBER-NUMBER.EXTENSION", of any target.
bool is_temporary_name(const std::string& name) {
  const std::size_t at = name.rfind(mark);
  if (name.empty() || name[0] != '.' || at == std::string::npos || at == 0) return false;
  const std::size_t number = at + sizeof mark - 1;
  const std::size_t end = std::min(name.find('.', number), name.size());
  const std::string digits = name.substr(number, end - number);
  const std::size_t dash = digits.find('-');
  return dash != std::string::npos && dash > 0 && dash + 1 < digits.size() &&
         digits.find('-', dash + 1) == std::string::npos &&
         digits.find_first_not_of(digits_and_dash) == std::string::npos;
}

// Whether a name still belongs to an open file that has no other.
bool is_only_name_of(const fs::path& path, const struct stat& open) {
  struct stat named {};
  return ::lstat(path.c_str(), &named) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino && open.st_nlink == 1;
}

}  // namespace

// The target's name is cut where the temporary's would be longer than file systems allow.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  const std::string tail = mark + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
                           target.extension().string();
  std::string stem = target.stem().string();
  stem.resize(std::min(stem.size(), std::size_t{254} - std::min(tail.size(), std::size_t{200})));
  return target.parent_path() / ("." + stem + tail);
}

bool lock_new(int descriptor) {
  // A program that removes what is left over may have found the file before it was locked.
  const bool taken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat made {};
  return !taken && (::fstat(descriptor, &made) != 0 || made.st_nlink > 0);
}

std::vector<std::string> temporaries_in(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (is_temporary_name(name)) out.push_back(std::move(name));
  }
  return out;
}

bool is_temporary_of(const std::string& name, const fs::path& target) {
  const std::string extension = target.extension().string();
  const std::size_t at = name.rfind(mark);
  if (at == std::string::npos || at < 1 || name[0] != '.' || !name.ends_with(extension)) {
    return false;
  }
  const std::size_t number = at + sizeof mark - 1;
  if (number + extension.size() > name.size()) return false;
  const std::string digits = name.substr(number, name.size() - extension.size() - number);
  const std::string stem = target.stem().string(), own = name.substr(1, at - 1);
  const bool cut = name.size() >= 254 && stem.starts_with(own);
  return (own == stem || cut) && !digits.empty() &&
         digits.find_first_not_of(digits_and_dash) == std::string::npos;
}

void remove_left_over(const fs::path& temporary) noexcept {
  // O_NONBLOCK: a pipe would wait for its other end.
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const Descriptor file(::open(temporary.c_str(), flags));
  struct stat state {};
  if (!file || ::fstat(file.get(), &state) != 0) return;
  if (!S_ISREG(state.st_mode) || state.st_uid != ::geteuid()) return;
  // A lock that the file system does not have proves nothing.
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;
  if (::fstat(file.get(), &state) == 0 && is_only_name_of(temporary, state)) {
    ::unlink(temporary.c_str());
  }
}

void remove_left_over_in(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> seen;
  std::error_code error;
  {
    const std::lock_guard lock(mutex);
    if (!seen.insert(fs::absolute(folder, error)).second) return;
  }
  for (const std::string& name : temporaries_in(folder)) remove_left_over(folder / name);
}

}  // namespace sfumato::files
