// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One queue for the program, since a user has few of them.
#include "io/inode_writes.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "device/descriptor.hpp"

namespace sfumato {
namespace {

class Queue {
 public:
  // The file's number and the writes to it so far; a negative number if it cannot be watched.
  std::pair<int, std::uint64_t> join(const char* path) {
    const std::lock_guard lock(mutex_);
    if (!queue_) queue_ = Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (!queue_) return {-1, 0};
    take_events();
    const int number = ::inotify_add_watch(queue_.get(), path, IN_MODIFY);
    if (number < 0) return {number, 0};
    ++files_[number].holders;
    return {number, files_[number].writes};
  }

  void leave(int number) {
    const std::lock_guard lock(mutex_);
    File& file = files_[number];
    if (--file.holders > 0) return;
    files_.erase(number);
    ::inotify_rm_watch(queue_.get(), number);
  }

  std::uint64_t writes(int number) {
    const std::lock_guard lock(mutex_);
    take_events();
    return files_[number].writes;
  }

 private:
  struct File {
    int holders = 0;
    std::uint64_t writes = 0;
  };

  void take_events() {
    alignas(inotify_event) std::array<char, 4096> bytes;
    while (true) {
      const ssize_t got = ::read(queue_.get(), bytes.data(), bytes.size());
      if (got <= 0) return;
      for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
        inotify_event event;
        std::memcpy(&event, bytes.data() + at, sizeof event);
        at += sizeof event + event.len;
        count(event);
      }
    }
  }

  void count(const inotify_event& event) {
    // Some were lost: of any file.
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
      for (auto& [number, file] : files_) ++file.writes;
      return;
    }
    const auto file = files_.find(event.wd);
    if (file != files_.end() && (event.mask & IN_MODIFY) != 0) ++file->second.writes;
  }

  std::mutex mutex_;
  Descriptor queue_;
  std::map<int, File> files_;
};

Queue& queue() {
  static Queue all;
  return all;
}

class Watched final : public InodeWrites {
 public:
  Watched(int number, std::uint64_t before) : number_(number), before_(before) {}
  ~Watched() override { queue().leave(number_); }
  bool any() override { return queue().writes(number_) != before_; }

 private:
  int number_;
  std::uint64_t before_;
};

}  // namespace

std::unique_ptr<InodeWrites> writes_to(int descriptor) {
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  const auto [number, before] = queue().join(path.c_str());
  if (number < 0) return nullptr;
  return std::make_unique<Watched>(number, before);
}

}  // namespace sfumato
