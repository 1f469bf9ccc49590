// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A lock, unlike a process number, goes with its process, also on other machines and in containers.
#include "io/temporary.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "device/descriptor.hpp"
#include "device/files.hpp"
#include "io/io.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace files {
namespace {

namespace fs = std::filesystem;

// Temporaries that a signal handler may have to remove. A slot is free, being filled or used; only
// a used one is read by the handler, and unlink() is safe there.
struct Slot {
  enum : int { free, filling, used };
  std::atomic<int> state{free};
  std::array<char, 4096> path{};
};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<Slot, 64> slots;

// -1 if no slot is left or the path is too long for one: then only the destructor removes the file.
int take_slot(const std::string& path) {
  if (path.size() >= Slot{}.path.size()) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = Slot::free;
    if (!slots[i].state.compare_exchange_strong(expected, Slot::filling)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].state = Slot::used;
    return static_cast<int>(i);
  }
  return -1;
}

void free_slot(int slot) {
  if (slot >= 0) slots[static_cast<std::size_t>(slot)].state = Slot::free;
}

// Temporaries by target, for temporary_in_work().
std::mutex in_work_mutex;
std::map<fs::path, fs::path> in_work;

constexpr char mark[] = ".sfumato-";
constexpr char digits_and_dash[] = "0123456789-";

// The target's name is cut where the temporary's would be longer than file systems allow.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  const std::string tail = mark + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
                           target.extension().string();
  std::string stem = target.stem().string();
  stem.resize(std::min(stem.size(), std::size_t{254} - std::min(tail.size(), std::size_t{200})));
  return target.parent_path() / ("." + stem + tail);
}

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

Temporary::Temporary(const fs::path& target, mode_t permissions) : target_(target) {
  // One of a killed process may be left at a name.
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (create(permissions)) break;
    if (errno != EEXIST) return;
  }
  if (descriptor_ < 0) return;
  slot_ = take_slot(path_.string());
  const std::lock_guard lock(in_work_mutex);
  in_work[target_] = path_;
}

bool Temporary::create(mode_t permissions) {
  path_ = temporary_name(target_);
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
  if (descriptor_ < 0) {
    const int error = errno;
    path_.clear();
    errno = error;
    return false;
  }
  // A program that removes what is left over may have found the file before it was locked.
  const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat made {};
  if (!taken && (::fstat(descriptor_, &made) != 0 || made.st_nlink > 0)) return true;
  remove();
  errno = EEXIST;
  return false;
}

Temporary::~Temporary() {
  remove();
}

int Temporary::close() {
  if (descriptor_ < 0) return 0;
  // Without another descriptor the lock goes a moment too early, in which a program that starts
  // there may remove the file: then rename() fails.
  lock_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  const int closed = ::close(descriptor_);
  const int error = errno;
  descriptor_ = -1;
  return closed == 0 ? 0 : error;
}

int Temporary::rename(bool replace) {
  const int error = rename_file(path_, target_, replace);
  if (error == 0) forget();
  return error;
}

void Temporary::remove() noexcept {
  if (!path_.empty()) ::unlink(path_.c_str());
  forget();
}

void Temporary::forget() noexcept {
  for (int* one : {&descriptor_, &lock_}) {
    if (*one >= 0) ::close(*one);
    *one = -1;
  }
  if (!path_.empty()) {
    const std::lock_guard lock(in_work_mutex);
    const auto found = in_work.find(target_);
    if (found != in_work.end() && found->second == path_) in_work.erase(found);
  }
  path_.clear();
  free_slot(slot_);
  slot_ = -1;
}

fs::path temporary_in_work(const fs::path& target) {
  const std::lock_guard lock(in_work_mutex);
  const auto found = in_work.find(followed(target));
  return found == in_work.end() ? fs::path() : found->second;
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

}  // namespace files

void remove_temporaries() noexcept {
  for (auto& slot : files::slots) {
    if (slot.state == files::Slot::used) ::unlink(slot.path.data());
  }
}

}  // namespace sfumato
