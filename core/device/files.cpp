// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/files.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace sfumato {
namespace {

// A name that no other process or thread uses.
std::filesystem::path beside(std::filesystem::path target) {
  static std::atomic<unsigned> counter{0};
  target += ".tmp" + std::to_string(::getpid()) + "." + std::to_string(counter++);
  return target;
}

}  // namespace

NewFile::NewFile(const std::filesystem::path& target, unsigned permissions) : target_(target) {
  // The name may be taken by a file of a killed process with the same number.
  for (int attempt = 0; attempt < 100; ++attempt) {
    path_ = beside(target);
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (descriptor_ >= 0 || errno != EEXIST) return;
  }
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  const int error = errno;
  ::close(descriptor_);
  ::unlink(path_.c_str());
  errno = error;
}

bool NewFile::write(std::size_t offset, const void* from, std::size_t bytes) const {
  auto* in = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t put = ::pwrite(descriptor_, in, bytes, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    in += put;
    offset += static_cast<std::size_t>(put);
    bytes -= static_cast<std::size_t>(put);
  }
  return true;
}

bool NewFile::commit() {
  const bool whole = ::close(descriptor_) == 0 && ::rename(path_.c_str(), target_.c_str()) == 0;
  descriptor_ = -1;
  if (whole) return true;
  const int error = errno;
  ::unlink(path_.c_str());
  errno = error;
  return false;
}

int open_to_append(const std::filesystem::path& file) {
  // O_NONBLOCK: a pipe would wait for its other end.
  constexpr int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int descriptor = ::open(file.c_str(), flags, 0666);
  struct stat state {};
  if (descriptor < 0 || (::fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode)))
    return descriptor;
  ::close(descriptor);
  errno = ELOOP;
  return -1;
}

int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, bool replace) {
  const auto error_of = [](int result) { return result == 0 ? 0 : errno; };
  if (replace) return error_of(::rename(from.c_str(), to.c_str()));
  const auto renamed = static_cast<int>(
      ::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE));
  if (renamed == 0 || (errno != ENOSYS && errno != EINVAL)) return error_of(renamed);
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return 0;
  }
  if (errno != EPERM && errno != ENOTSUP) return errno;
  // Neither call works on some file systems (FAT over FUSE): check, then rename, with a small race
  // between the two.
  struct stat there {};
  if (::lstat(to.c_str(), &there) == 0) return EEXIST;
  return error_of(::rename(from.c_str(), to.c_str()));
}

bool replace_file(const std::filesystem::path& file, std::string_view content) {
  NewFile written(file);
  return written.descriptor() >= 0 && written.write(0, content.data(), content.size()) &&
         written.commit();
}

bool write_file_atomically(const std::filesystem::path& file, std::string_view content) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  return !error && replace_file(file, content);
}

bool read_file(const std::filesystem::path& file, std::string& content) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  content.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  return !in.bad();
}

}  // namespace sfumato
