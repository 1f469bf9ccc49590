// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Intercepts calls to the system's and OpenCL's functions: for one source of a program, whose
// functions take precedence over those of every library.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QString>
#include <QStringList>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "device/device.hpp"
#include "device/opencl.hpp"

namespace {

// Functions called while watching, on the main thread and elsewhere.
class Watch {
 public:
  void start(const QString& folder, bool looks = false) {
    const std::lock_guard lock(mutex_);
    folder_ = folder.toStdString();
    on_ = true;
    looks_ = looks;
  }

  // Looking up a file, which may also be slow on a network share.
  void saw_look(const char* path) {
    if (looks_) saw("look", path);
  }

  // The calls of the main thread, one per line.
  QString stop() {
    const std::lock_guard lock(mutex_);
    on_ = false;
    return std::exchange(main_, {}).join(QLatin1Char('\n'));
  }

  int beside(const char* function) {
    const std::lock_guard lock(mutex_);
    return beside_[function];
  }

  void saw(const char* function, const char* path = nullptr) {
    // Qt's own lists and locks may open files too.
    static thread_local bool inside = false;
    if (inside) return;
    inside = true;
    note(function, path);
    inside = false;
  }

 private:
  void note(const char* function, const char* path) {
    const std::lock_guard lock(mutex_);
    if (!on_ || (path != nullptr && !is_the_users(path))) return;
    if (gettid() == getpid()) {
      main_ << QStringLiteral("%1 %2").arg(QLatin1String(function), QString::fromUtf8(path));
    } else {
      ++beside_[function];
    }
  }

  bool is_the_users(std::string_view path) const {
    if (path.starts_with(folder_)) return true;
    for (const char* suffix : {".png", ".tif", ".exr", ".jpg", ".json"}) {
      if (path.ends_with(suffix)) return true;
    }
    return false;
  }

  std::mutex mutex_;
  bool on_ = false;
  std::atomic<bool> looks_ = false;
  std::string folder_;
  QStringList main_;
  std::map<std::string, int> beside_;
};

// Never destroyed: drivers' threads may outlive it.
Watch& watch() {
  static auto* one = new Watch;
  return *one;
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name, cert-dcl50-cpp)
#pragma GCC visibility push(default)
extern "C" {

int open(const char* path, int flags, ...) {
  static const auto call = next<int(const char*, int, mode_t)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  watch().saw("open", path);
  return call(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  static const auto call = next<int(const char*, int, mode_t)>("open64");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  watch().saw("open", path);
  return call(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  static const auto call = next<int(int, const char*, int, mode_t)>("openat");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  watch().saw("open", path);
  return call(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  static const auto call = next<FILE*(const char*, const char*)>("fopen");
  watch().saw("open", path);
  return call(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  static const auto call = next<FILE*(const char*, const char*)>("fopen64");
  watch().saw("open", path);
  return call(path, mode);
}

int stat(const char* path, struct stat* to) noexcept {
  static const auto call = next<int(const char*, struct stat*)>("stat");
  watch().saw_look(path);
  return call(path, to);
}

int lstat(const char* path, struct stat* to) noexcept {
  static const auto call = next<int(const char*, struct stat*)>("lstat");
  watch().saw_look(path);
  return call(path, to);
}

int statx(int folder, const char* path, int flags, unsigned mask, struct statx* to) noexcept {
  static const auto call = next<int(int, const char*, int, unsigned, struct statx*)>("statx");
  watch().saw_look(path);
  return call(folder, path, flags, mask, to);
}

int fstatat(int folder, const char* path, struct stat* to, int flags) noexcept {
  static const auto call = next<int(int, const char*, struct stat*, int)>("fstatat");
  watch().saw_look(path);
  return call(folder, path, to, flags);
}

int access(const char* path, int mode) noexcept {
  static const auto call = next<int(const char*, int)>("access");
  watch().saw_look(path);
  return call(path, mode);
}

int rename(const char* from, const char* to) noexcept {
  static const auto call = next<int(const char*, const char*)>("rename");
  watch().saw("rename", to);
  return call(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static const auto call = next<int(int, const char*, int, const char*)>("renameat");
  watch().saw("rename", to);
  return call(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  static const auto call = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  watch().saw("rename", to);
  return call(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static const auto call = next<int(int, const char*, int)>("unlinkat");
  watch().saw("unlink", path);
  return call(folder, path, flags);
}

int unlink(const char* path) noexcept {
  static const auto call = next<int(const char*)>("unlink");
  watch().saw("unlink", path);
  return call(path);
}

int remove(const char* path) noexcept {
  static const auto call = next<int(const char*)>("remove");
  watch().saw("unlink", path);
  return call(path);
}

// The linker lets the core call these (--wrap), which call what it would have called.
decltype(clGetPlatformIDs) __real_clGetPlatformIDs;
decltype(clBuildProgram) __real_clBuildProgram;
decltype(clEnqueueNDRangeKernel) __real_clEnqueueNDRangeKernel;
decltype(clEnqueueReadBuffer) __real_clEnqueueReadBuffer;
decltype(clEnqueueWriteBuffer) __real_clEnqueueWriteBuffer;
decltype(clFinish) __real_clFinish;

cl_int __wrap_clGetPlatformIDs(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  watch().saw("clGetPlatformIDs");
  return __real_clGetPlatformIDs(room, platforms, count);
}

cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                             const char* options, void(CL_CALLBACK* done)(cl_program, void*),
                             void* data) {
  watch().saw("clBuildProgram");
  return __real_clBuildProgram(program, count, devices, options, done, data);
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t* offset, const size_t* global,
                                     const size_t* local, cl_uint waits, const cl_event* before,
                                     cl_event* event) {
  watch().saw("clEnqueueNDRangeKernel");
  return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits,
                                       before, event);
}

cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t size, void* to, cl_uint waits,
                                  const cl_event* before, cl_event* event) {
  watch().saw("clEnqueueReadBuffer");
  return __real_clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, waits, before,
                                    event);
}

cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   size_t offset, size_t size, const void* from, cl_uint waits,
                                   const cl_event* before, cl_event* event) {
  watch().saw("clEnqueueWriteBuffer");
  return __real_clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, waits, before,
                                     event);
}

cl_int __wrap_clFinish(cl_command_queue queue) {
  watch().saw("clFinish");
  return __real_clFinish(queue);
}
}
#pragma GCC visibility pop
// NOLINTEND(readability-inconsistent-declaration-parameter-name, cert-dcl50-cpp)
