// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Memory shared by descriptor.
#include "device/descriptor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

#include "device/channel.hpp"

namespace sfumato {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

namespace {

// Limit for memory kept for later requests.
constexpr std::size_t most_spare = std::size_t{192} << 20;

// Requests all pages at once, which is cheaper than faulting them in one by one. If the system does
// not support it, or has no room, they come one by one.
void make_ready(char* data, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t worth_a_thread = std::size_t{16} << 20;
  const std::size_t half = bytes / 2 / worth_a_thread * worth_a_thread;
  std::thread helper;
  try {
    if (half > 0) helper = std::thread([=] { ::madvise(data, half, MADV_POPULATE_WRITE); });
  } catch (const std::system_error&) {
    // then the first half comes page by page
  }
  ::madvise(data + half, bytes - half, MADV_POPULATE_WRITE);
  if (helper.joinable()) helper.join();
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
  // The smallest one that fits; a much larger one is left for other requests.
  auto best = kept_.end();
  for (auto it = kept_.begin(); it != kept_.end(); ++it) {
    const bool will_do = it->size() >= bytes && it->size() / 4 <= bytes;
    if (will_do && (best == kept_.end() || it->size() < best->size())) best = it;
  }
  if (best == kept_.end()) return SharedMemory(bytes);
  SharedMemory out = std::move(*best);
  kept_.erase(best);
  return out;
}

void SpareMemory::give(SharedMemory memory) {
  kept_.push_back(std::move(memory));
  std::size_t sum = 0;
  for (const SharedMemory& m : kept_) sum += m.size();
  while (sum > most_spare) {
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
  id_ = {state.st_dev, state.st_ino};
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(prepared_, other.prepared_);
  std::swap(id_, other.id_);
  return *this;
}

void Mapping::prepare(std::size_t bytes) {
  bytes = std::min(bytes, size_);
  if (bytes <= prepared_) return;
  make_ready(data_, bytes);
  prepared_ = bytes;
}

bool Mapping::is_of(const Descriptor& descriptor) const {
  struct stat state {};
  return ::fstat(descriptor.get(), &state) == 0 && id_ == std::pair(state.st_dev, state.st_ino);
}

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

Mapping SpareMappings::take(const Descriptor& descriptor) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Mapping& m) { return m.is_of(descriptor); });
  if (found == kept_.end()) return Mapping(descriptor, Mapping::Access::write);
  Mapping out = std::move(*found);
  kept_.erase(found);
  return out;
}

void SpareMappings::keep(std::vector<Mapping> mappings) {
  kept_ = std::move(mappings);
  std::size_t sum = 0;
  for (const Mapping& m : kept_) sum += m.size();
  while (sum > most_spare) {
    sum -= kept_.back().size();
    kept_.pop_back();
  }
}

}  // namespace sfumato
