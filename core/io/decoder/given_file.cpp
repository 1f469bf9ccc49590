// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenImageIO's readers, and the libraries below them, open files by name. These functions stand in
// front of libc's: the dynamic linker finds a program's symbols before those of libraries.
#include "io/decoder/given_file.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

// A descriptor of the file, and its duplicate that the last opening got.
struct Place {
  sfumato::Descriptor original;
  int taken = -1;

  bool is_free() const { return taken < 0 || ::fcntl(taken, F_GETFD) < 0; }
};

std::mutex mutex;
// Never destroyed: libraries open files to the end.
const std::string* given = nullptr;
std::vector<Place>* places = nullptr;

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool is_given(const char* path) {
  return path != nullptr && *given == path;
}

// A descriptor of the file, at its beginning. Places of files that were closed are used again.
int take(const char* path, int flags) {
  const std::lock_guard lock(mutex);
  if (!is_given(path)) {
    errno = ENOENT;
    return -1;
  }
  if ((flags & O_ACCMODE) != O_RDONLY) {
    errno = EROFS;
    return -1;
  }
  const auto place =
      std::find_if(places->begin(), places->end(), [](const Place& p) { return p.is_free(); });
  if (place == places->end()) {
    errno = EMFILE;
    return -1;
  }
  place->taken = -1;
  ::lseek(place->original.get(), 0, SEEK_SET);
  const int descriptor = ::dup(place->original.get());
  // Whose number it was before is closed.
  for (Place& other : *places) {
    if (other.taken == descriptor) other.taken = -1;
  }
  place->taken = descriptor;
  return descriptor;
}

FILE* take_stream(const char* path, const char* mode) {
  const bool reads = std::strchr(mode, 'w') == nullptr && std::strchr(mode, 'a') == nullptr &&
                     std::strchr(mode, '+') == nullptr;
  const int descriptor = take(path, reads ? O_RDONLY : O_RDWR);
  return descriptor < 0 ? nullptr : ::fdopen(descriptor, "rb");
}

int look_at(const char* path, struct stat* state) {
  const std::lock_guard lock(mutex);
  if (!is_given(path) || places->empty()) {
    errno = ENOENT;
    return -1;
  }
  return ::fstat(places->front().original.get(), state);
}

}  // namespace

namespace sfumato::decoder {

void give_file(GivenFile file) {
  const std::lock_guard lock(mutex);
  places = new std::vector<Place>;
  for (Descriptor& one : file.descriptors) places->push_back({std::move(one)});
  given = new std::string(std::move(file.path));
}

}  // namespace sfumato::decoder

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  if (given != nullptr) return take(path, flags);
  return next<int(const char*, int, ...)>("open")(path, flags, mode);
}

// What _FORTIFY_SOURCE makes of calls whose flags are not known to the compiler.
EXPORTED int __open_2(const char* path, int flags) {
  return open(path, flags);
}

EXPORTED FILE* fopen(const char* path, const char* mode) {
  if (given != nullptr) return take_stream(path, mode);
  return next<FILE*(const char*, const char*)>("fopen")(path, mode);
}

EXPORTED int stat(const char* path, struct stat* state) noexcept {
  if (given != nullptr) return look_at(path, state);
  return next<int(const char*, struct stat*)>("stat")(path, state);
}

EXPORTED int lstat(const char* path, struct stat* state) noexcept {
  if (given != nullptr) return look_at(path, state);
  return next<int(const char*, struct stat*)>("lstat")(path, state);
}

// glibc's asks by a path that is empty, and the filter of calls cannot see that it is
// (io/decoder/sandbox.cpp). On 64-bit systems, the kernel fills the same structure.
EXPORTED int fstat(int descriptor, struct stat* state) noexcept {
  return static_cast<int>(::syscall(SYS_fstat, descriptor, state));
}

EXPORTED int access(const char* path, int mode) noexcept {
  if (given == nullptr) return next<int(const char*, int)>("access")(path, mode);
  struct stat state {};
  if ((mode & (W_OK | X_OK)) != 0) {
    errno = EACCES;
    return -1;
  }
  return look_at(path, &state);
}

// The same on 64-bit systems, where off_t is.
static_assert(sizeof(off_t) == sizeof(off64_t));
EXPORTED int open64(const char*, int, ...) __attribute__((alias("open")));
EXPORTED int __open64_2(const char*, int) __attribute__((alias("__open_2")));
EXPORTED FILE* fopen64(const char*, const char*) __attribute__((alias("fopen")));
EXPORTED int stat64(const char*, struct stat64*) noexcept __attribute__((alias("stat")));
EXPORTED int fstat64(int, struct stat64*) noexcept __attribute__((alias("fstat")));
EXPORTED int lstat64(const char*, struct stat64*) noexcept __attribute__((alias("lstat")));
