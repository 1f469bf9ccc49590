// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// malloc and its kin, which stand before libc's in the program that this is part of, for all of its
// libraries. All but the blocks of a library that is being loaded is left to libc. All of them are
// here: no other allocator may provide blocks that these give back.
#include "io/loading_memory.hpp"

#if defined(__GLIBC__) && !defined(SFUMATO_SANITIZED)
#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// libc's own, under the names that it has for them in programs that replace malloc.
extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void*, std::size_t);         // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void*);                          // NOLINT(bugprone-reserved-identifier)
}

namespace {

constexpr std::size_t unit = 1024, space = std::size_t{32} << 20;
constexpr std::size_t smallest = unit, largest = 8 * unit;

thread_local bool is_loading = false;

// Written by the one thread that loads; a block reaches other threads by what it is part of.
std::atomic<char*> begin = nullptr;
std::atomic<std::size_t> used = 0;
std::array<std::uint16_t, space / unit> sizes;  // of the block that begins there

// Whether a block is one of ours; its size is at `index` of `sizes`.
bool is_ours(const void* block, std::size_t& index) {
  const char* const first = begin.load(std::memory_order_relaxed);
  if (first == nullptr || block == nullptr) return false;
  const auto distance =
      reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(first);
  index = distance / unit;
  return distance < space;
}

// Zeros that nothing has touched; null where libc has to provide the block.
void* take(std::size_t bytes) {
  if (!is_loading || bytes < smallest || bytes > largest) return nullptr;
  const std::size_t at = used.load(std::memory_order_relaxed),
                    next = at + (bytes + unit - 1) / unit * unit;
  if (next > space) return nullptr;
  sizes[at / unit] = static_cast<std::uint16_t>(bytes);
  used.store(next, std::memory_order_relaxed);
  return begin.load(std::memory_order_relaxed) + at;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t bytes) noexcept {
  if (void* const block = take(bytes)) return block;
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (is_loading && count <= largest && bytes <= largest) {
    if (void* const block = take(count * bytes)) return block;
  }
  return __libc_calloc(count, bytes);
}

void free(void* block) noexcept {
  std::size_t index = 0;
  if (!is_ours(block, index)) __libc_free(block);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
  void* const found = __libc_memalign(alignment, bytes);
  if (found == nullptr) return ENOMEM;
  *block = found;
  return 0;
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return __libc_memalign(alignment, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return __libc_memalign(alignment, bytes);
}

void* valloc(std::size_t bytes) noexcept {
  return __libc_memalign(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), bytes);
}

void* pvalloc(std::size_t bytes) noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return __libc_memalign(page, (bytes + page - 1) / page * page);
}

void* realloc(void* block, std::size_t bytes) noexcept {
  std::size_t index = 0;
  if (!is_ours(block, index)) return __libc_realloc(block, bytes);
  if (bytes == 0) return nullptr;
  void* const other = __libc_malloc(bytes);
  if (other != nullptr) std::memcpy(other, block, std::min<std::size_t>(sizes[index], bytes));
  return other;
}

void* reallocarray(void* block, std::size_t count, std::size_t bytes) noexcept {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, all);
}

std::size_t malloc_usable_size(void* block) noexcept {
  std::size_t index = 0;
  if (is_ours(block, index)) return sizes[index];
  using Function = std::size_t (*)(void*);
  static const auto of_libc = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "malloc_usable_size"));
  return of_libc(block);
}

}  // extern "C"
#pragma GCC visibility pop

namespace sfumato::files {

void request_from_loading_memory(bool begins) {
  if (begins && begin.load() == nullptr) {
    void* const place = ::mmap(nullptr, space, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place != MAP_FAILED) begin = static_cast<char*>(place);
  }
  is_loading = begins && begin.load() != nullptr;
}

void use_loading_memory() {
  observe_loading(request_from_loading_memory);
}

std::size_t loading_memory_used() {
  return used;
}

}  // namespace sfumato::files

#else

namespace sfumato::files {

void request_from_loading_memory(bool) {}

void use_loading_memory() {}

std::size_t loading_memory_used() {
  return 0;
}

}  // namespace sfumato::files

#endif
