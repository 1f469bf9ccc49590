// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Memory shared by descriptor.
#include "host/descriptor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>

#include "host/channel.hpp"

namespace sfumato::hosts {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

namespace {

// Asks for all pages at once, which costs less than to meet them one by one. Where the system does
// not know how, or has no room, they come one by one.
void make_ready(char* data, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  ::madvise(data, bytes, MADV_POPULATE_WRITE);
#else
  static_cast<void>(data);
  static_cast<void>(bytes);
#endif
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes) : size_(bytes) {
  if (bytes == 0 || bytes > static_cast<std::size_t>(std::numeric_limits<off_t>::max())) {
    throw std::bad_alloc();
  }
  descriptor_ = Descriptor(::memfd_create("sfumato", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor_ || ::ftruncate(descriptor_.get(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(descriptor_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    throw std::bad_alloc();
  }
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<char*>(data);
  make_ready(data_, bytes);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

SharedMemory SpareMemory::take(std::size_t bytes) {
  // One that is much larger is for others.
  const auto found = std::find_if(kept_.begin(), kept_.end(), [bytes](const SharedMemory& m) {
    return m.size() >= bytes && m.size() / 4 <= bytes;
  });
  if (found == kept_.end()) return SharedMemory(bytes);
  SharedMemory out = std::move(*found);
  kept_.erase(found);
  return out;
}

void SpareMemory::give(SharedMemory memory) {
  constexpr std::size_t most = std::size_t{192} << 20;
  kept_.push_back(std::move(memory));
  std::size_t sum = 0;
  for (const SharedMemory& m : kept_) sum += m.size();
  while (sum > most) {
    sum -= kept_.front().size();
    kept_.erase(kept_.begin());
  }
}

Mapping::Mapping(const Descriptor& descriptor, Access access) {
  struct stat state {};
  const int seals = ::fcntl(descriptor.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(descriptor.get(), &state) != 0 ||
      state.st_size <= 0) {
    throw ProtocolError("what holds pixels is no shared memory that keeps its size");
  }
  const auto bytes = static_cast<std::size_t>(state.st_size);
  const int protection = access == Access::write ? PROT_READ | PROT_WRITE : PROT_READ;
  void* data = ::mmap(nullptr, bytes, protection, MAP_SHARED, descriptor.get(), 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<char*>(data);
  size_ = bytes;
}

void Mapping::prepare(std::size_t bytes) {
  make_ready(data_, std::min(bytes, size_));
}

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace sfumato::hosts
