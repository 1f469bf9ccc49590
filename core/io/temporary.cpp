// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Those of outputs, which a signal may interrupt.
#include "io/temporary.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>

#include "device/files.hpp"
#include "io/io.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace files {
namespace {

namespace fs = std::filesystem;

// Temporaries that a signal handler may have to remove. A slot is free, being filled or used; only
// a used one is read by the handler, and unlinkat() is safe there.
struct Slot {
  enum : int { free, filling, used };
  std::atomic<int> state{free};
  int folder = -1;
  std::array<char, 256> name{};
};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<Slot, 64> slots;

// -1 if no slot is left or the name is too long for one: then only the destructor removes the file.
int take_slot(int folder, const std::string& name) {
  if (name.size() >= Slot{}.name.size()) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = Slot::free;
    if (!slots[i].state.compare_exchange_strong(expected, Slot::filling)) continue;
    slots[i].folder = folder;
    std::memcpy(slots[i].name.data(), name.c_str(), name.size() + 1);
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

}  // namespace

// O_PATH: nobody need be allowed to list the folder.
Temporary::Temporary(const fs::path& target, mode_t permissions)
    : target_(target),
      folder_(::open(target.has_parent_path() ? target.parent_path().c_str() : ".",
                     O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_) return;
  // One of a killed process may be left at a name.
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (create(permissions)) break;
    if (errno != EEXIST) return;
  }
  if (descriptor_ < 0) return;
  slot_ = take_slot(folder_.get(), path_.filename().string());
  const std::lock_guard lock(in_work_mutex);
  in_work[target_] = path_;
}

bool Temporary::create(mode_t permissions) {
  path_ = temporary_name(target_);
  descriptor_ = ::openat(folder_.get(), path_.filename().c_str(),
                         O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
  if (descriptor_ < 0) {
    const int error = errno;
    path_.clear();
    errno = error;
    return false;
  }
  if (lock_new(descriptor_)) return true;
  remove();
  errno = EEXIST;
  return false;
}

Temporary::~Temporary() {
  remove();
}

fs::path Temporary::now(const fs::path& path) const {
  const fs::path folder = "/proc/self/fd/" + std::to_string(folder_.get());
  std::error_code error;
  // Not in every container.
  return fs::exists(folder, error) ? folder / path.filename() : path;
}

fs::path Temporary::path_now() const {
  return now(path_);
}

fs::path Temporary::target_now() const {
  return now(target_);
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
  const int error = rename_file(path_.filename(), target_.filename(), replace, folder_.get());
  if (error == 0) forget();
  return error;
}

void Temporary::remove() noexcept {
  if (!path_.empty()) ::unlinkat(folder_.get(), path_.filename().c_str(), 0);
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

}  // namespace files

void remove_temporaries() noexcept {
  for (auto& slot : files::slots) {
    if (slot.state == files::Slot::used) ::unlinkat(slot.folder, slot.name.data(), 0);
  }
}

}  // namespace sfumato
