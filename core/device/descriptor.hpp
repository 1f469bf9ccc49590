// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// File descriptors and mappings that close themselves.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sfumato {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Anonymous memory that another process can map too (memfd_create(2)). It never shrinks, so
/// neither side can make the other read beyond its end.
class SharedMemory {
 public:
  SharedMemory() = default;
  /// Throws std::bad_alloc.
  explicit SharedMemory(std::size_t bytes);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  int descriptor() const { return descriptor_.get(); }

 private:
  Descriptor descriptor_;
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Memory of finished requests. Its pages need not be allocated and cleared again, and a host's
/// picture comes in many regions of similar size.
class SpareMemory {
 public:
  /// At least `bytes`, with undefined content.
  SharedMemory take(std::size_t bytes);
  /// Only memory that no other process writes to any more.
  void give(SharedMemory memory);

 private:
  std::vector<SharedMemory> kept_;  ///< oldest first
};

/// Another process's SharedMemory, mapped as a whole.
class Mapping {
 public:
  enum class Access { read, write };
  /// Throws ProtocolError if the descriptor is not one of SharedMemory, std::bad_alloc if it cannot
  /// be mapped.
  Mapping(const Descriptor& descriptor, Access access);
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        prepared_(other.prepared_),
        id_(other.id_) {}
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Announces that this many bytes are about to be written or read.
  void prepare(std::size_t bytes);
  /// Whether it maps that descriptor's memory.
  bool is_of(const Descriptor& descriptor) const;

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0, prepared_ = 0;
  std::pair<dev_t, ino_t> id_{};  ///< identifies the memory; unique while it is mapped
};

/// Mappings of memory that the other process may pass again, as it does with what SpareMemory
/// keeps.
class SpareMappings {
 public:
  /// For writing; throws as Mapping does.
  Mapping take(const Descriptor& descriptor);
  /// Keeps the mappings of a finished request and drops earlier ones.
  void keep(std::vector<Mapping> mappings);

 private:
  std::vector<Mapping> kept_;
};

}  // namespace sfumato
