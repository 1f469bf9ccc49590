// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Preloaded into one program: lets one call of the C library fail. The environment says which:
//   SFUMATO_FAIL_IN     the program's file name; others are left alone
//   SFUMATO_FAIL_CALL   open, read, pread, fread, write, pwrite, fsync, rename, link, mmap,
//                       ftruncate, close
//   SFUMATO_FAIL_AT     the number of the call that fails, from 1; 0: every one
//   SFUMATO_FAIL_WITH   an errno as a number, or "short": half of what was asked for
//   SFUMATO_FAIL_PATH   only calls about files whose paths contain this count
//   SFUMATO_FAIL_SAID   a file that is written to when a call has failed
// A decoder's calls are counted on from those of the process that waits for pictures.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Order {
  bool active = false, is_short = false;
  char call[16] = {}, path[512] = {};
  long at = 0;
  int said = -1;
  int error = 0;
};

Order order;
std::atomic<long> counted{0};

template <std::size_t size>
void take(char (&to)[size], const char* name) {
  const char* value = std::getenv(name);
  if (value != nullptr && std::strlen(value) < size) std::strcpy(to, value);
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// The C library's own functions are replaced here. Now, since a decoder may open nothing later, and
// at a number that nobody else expects.
int open_directly(const char* path) {
  constexpr int far = 300;
  const auto call = real<long(long, ...)>("syscall");
  const long made = call(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (made < 0) return -1;
  const long moved = call(SYS_fcntl, made, F_DUPFD_CLOEXEC, far);
  call(SYS_close, made);
  return static_cast<int>(moved);
}

__attribute__((constructor)) void read_order() {
  char program[512] = {}, wanted[256] = {};
  take(wanted, "SFUMATO_FAIL_IN");
  if (::readlink("/proc/self/exe", program, sizeof program - 1) <= 0) return;
  const char* name = std::strrchr(program, '/');
  if (name == nullptr || std::strcmp(name + 1, wanted) != 0) return;
  take(order.call, "SFUMATO_FAIL_CALL");
  take(order.path, "SFUMATO_FAIL_PATH");
  char said[512] = {};
  take(said, "SFUMATO_FAIL_SAID");
  if (said[0] != '\0') order.said = open_directly(said);
  char with[16] = {}, at[16] = {};
  take(with, "SFUMATO_FAIL_WITH");
  take(at, "SFUMATO_FAIL_AT");
  order.is_short = std::strcmp(with, "short") == 0;
  order.error = std::atoi(with);
  order.at = std::atol(at);
  order.active = order.call[0] != '\0';
}

bool is_counted() {
  const long number = ++counted;
  if (order.at != 0 && number != order.at) return false;
  if (order.said >= 0) real<long(long, ...)>("syscall")(SYS_write, order.said, "x", 1);
  return true;
}

bool fails(const char* call, const char* path) {
  if (!order.active || std::strcmp(order.call, call) != 0) return false;
  if (order.path[0] != '\0' && (path == nullptr || std::strstr(path, order.path) == nullptr)) {
    return false;
  }
  return is_counted();
}

constexpr std::size_t longest = 2048;

// The path of what is open; false if it has none.
bool take_path(char (&path)[longest], int descriptor) {
  if (descriptor < 0) return false;
  const int error = errno;
  char link[64] = "/proc/self/fd/";
  char digits[16] = {};
  int count = 0;
  for (int left = descriptor; left > 0 || count == 0; left /= 10) {
    digits[count++] = static_cast<char>('0' + left % 10);
  }
  std::size_t end = std::strlen(link);
  while (count > 0) link[end++] = digits[--count];
  const bool known = ::readlink(link, path, sizeof path - 1) > 0;
  errno = error;
  return known;
}

bool fails(const char* call, int descriptor) {
  if (!order.active || std::strcmp(order.call, call) != 0) return false;
  char path[longest] = {};
  return fails(call, take_path(path, descriptor) ? path : nullptr);
}

// Of a name in a folder that is open.
bool fails_at(const char* call, int folder, const char* name) {
  if (!order.active || std::strcmp(order.call, call) != 0) return false;
  char path[longest] = {};
  if (name[0] == '/' || !take_path(path, folder)) return fails(call, name);
  const std::size_t end = std::strlen(path);
  if (end + 1 + std::strlen(name) >= sizeof path) return fails(call, name);
  path[end] = '/';
  std::strcpy(path + end + 1, name);
  return fails(call, path);
}

ssize_t failed() {
  errno = order.error;
  return -1;
}

// What a call that moves bytes returns; `size` becomes smaller if it is to be cut short.
bool is_refused(const char* call, int descriptor, std::size_t& size) {
  if (!fails(call, descriptor)) return false;
  if (!order.is_short) return true;
  size = size > 1 ? size / 2 : size;
  return false;
}

mode_t mode_of(int flags, va_list& list) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

}  // namespace

extern "C" {

// NOLINTBEGIN: the C library's own declarations.
int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  if (fails("open", path)) return static_cast<int>(failed());
  return real<int(const char*, int, ...)>("open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  if (fails("open", path)) return static_cast<int>(failed());
  return real<int(const char*, int, ...)>("open64")(path, flags, mode);
}

int openat(int folder, const char* name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  if (fails_at("open", folder, name)) return static_cast<int>(failed());
  return real<int(int, const char*, int, ...)>("openat")(folder, name, flags, mode);
}

int openat64(int folder, const char* name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  if (fails_at("open", folder, name)) return static_cast<int>(failed());
  return real<int(int, const char*, int, ...)>("openat64")(folder, name, flags, mode);
}

int __open_2(const char* path, int flags) {
  if (fails("open", path)) return static_cast<int>(failed());
  return real<int(const char*, int, ...)>("open")(path, flags);
}

int __open64_2(const char* path, int flags) {
  if (fails("open", path)) return static_cast<int>(failed());
  return real<int(const char*, int, ...)>("open64")(path, flags);
}

ssize_t read(int descriptor, void* to, size_t size) {
  if (is_refused("read", descriptor, size)) return failed();
  return real<ssize_t(int, void*, size_t)>("read")(descriptor, to, size);
}

ssize_t pread(int descriptor, void* to, size_t size, off_t at) {
  if (is_refused("pread", descriptor, size)) return failed();
  return real<ssize_t(int, void*, size_t, off_t)>("pread")(descriptor, to, size, at);
}

ssize_t pread64(int descriptor, void* to, size_t size, off64_t at) {
  if (is_refused("pread", descriptor, size)) return failed();
  return real<ssize_t(int, void*, size_t, off64_t)>("pread64")(descriptor, to, size, at);
}

// The C library's streams do not call the read() above. Both ways, less comes than was asked for.
size_t fread(void* to, size_t size, size_t count, FILE* from) {
  if (fails("fread", -1)) {
    if (!order.is_short) {
      failed();
      return 0;
    }
    count /= 2;
  }
  return real<size_t(void*, size_t, size_t, FILE*)>("fread")(to, size, count, from);
}

ssize_t write(int descriptor, const void* from, size_t size) {
  if (is_refused("write", descriptor, size)) return failed();
  return real<ssize_t(int, const void*, size_t)>("write")(descriptor, from, size);
}

ssize_t pwrite(int descriptor, const void* from, size_t size, off_t at) {
  if (is_refused("pwrite", descriptor, size)) return failed();
  return real<ssize_t(int, const void*, size_t, off_t)>("pwrite")(descriptor, from, size, at);
}

ssize_t pwrite64(int descriptor, const void* from, size_t size, off64_t at) {
  if (is_refused("pwrite", descriptor, size)) return failed();
  return real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64")(descriptor, from, size, at);
}

int fsync(int descriptor) {
  if (fails("fsync", descriptor)) return static_cast<int>(failed());
  return real<int(int)>("fsync")(descriptor);
}

int fdatasync(int descriptor) {
  if (fails("fsync", descriptor)) return static_cast<int>(failed());
  return real<int(int)>("fdatasync")(descriptor);
}

int rename(const char* from, const char* to) {
  if (fails("rename", to)) return static_cast<int>(failed());
  return real<int(const char*, const char*)>("rename")(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  if (fails_at("rename", to_folder, to)) return static_cast<int>(failed());
  return real<int(int, const char*, int, const char*)>("renameat")(from_folder, from, to_folder,
                                                                   to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (fails_at("link", to_folder, to)) return static_cast<int>(failed());
  return real<int(int, const char*, int, const char*, int)>("linkat")(from_folder, from, to_folder,
                                                                      to, flags);
}

int link(const char* from, const char* to) {
  if (fails("link", to)) return static_cast<int>(failed());
  return real<int(const char*, const char*)>("link")(from, to);
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long with[6];
  for (long& one : with) one = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2 &&
      fails_at("rename", static_cast<int>(with[2]), reinterpret_cast<const char*>(with[3]))) {
    return failed();
  }
  return real<long(long, ...)>("syscall")(number, with[0], with[1], with[2], with[3], with[4],
                                          with[5]);
}

void* mmap(void* place, size_t size, int rights, int flags, int descriptor, off_t at) {
  if (fails("mmap", descriptor)) {
    failed();
    return MAP_FAILED;
  }
  return real<void*(void*, size_t, int, int, int, off_t)>("mmap")(place, size, rights, flags,
                                                                  descriptor, at);
}

void* mmap64(void* place, size_t size, int rights, int flags, int descriptor, off64_t at) {
  return mmap(place, size, rights, flags, descriptor, at);
}

int ftruncate(int descriptor, off_t size) {
  if (fails("ftruncate", descriptor)) return static_cast<int>(failed());
  return real<int(int, off_t)>("ftruncate")(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) {
  return ftruncate(descriptor, size);
}

int close(int descriptor) {
  const bool failing = fails("close", descriptor);
  const int result = real<int(int)>("close")(descriptor);
  return failing ? static_cast<int>(failed()) : result;
}
// NOLINTEND

}  // extern "C"
