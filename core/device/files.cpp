// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/files.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "device/descriptor.hpp"
#include "device/left_over.hpp"

namespace sfumato {
namespace {

int open_as(const std::filesystem::path& file, int how, int error_otherwise = ELOOP) {
  // Without O_NONBLOCK, a pipe would make open() wait.
  const int descriptor = ::open(file.c_str(), how | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  struct stat state {};
  if (descriptor < 0 || (::fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode))) {
    return descriptor;
  }
  ::close(descriptor);
  errno = S_ISDIR(state.st_mode) && error_otherwise != ELOOP ? EISDIR : error_otherwise;
  return -1;
}

}  // namespace

NewFile::NewFile(const std::filesystem::path& target, unsigned permissions) : target_(target) {
  // Once for each place: killed programs leave few, and folders of caches are large.
  files::remove_left_over_in(target.has_parent_path() ? target.parent_path() : ".");
  // The name may be taken by a file of a killed process with the same number.
  for (int attempt = 0; attempt < 100; ++attempt) {
    path_ = files::temporary_name(target);
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (descriptor_ < 0 && errno != EEXIST) return;
    if (descriptor_ >= 0 && files::lock_new(descriptor_)) return;
    discard();
    errno = EEXIST;
  }
}

NewFile::~NewFile() {
  discard();
}

void NewFile::discard() {
  if (descriptor_ < 0) return;
  const int error = errno;
  ::unlink(path_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
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
  // It stays locked until it has its name: else another program might take it for left over.
  const int lock = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  const bool whole = ::close(descriptor_) == 0 && ::rename(path_.c_str(), target_.c_str()) == 0;
  const int error = errno;
  descriptor_ = -1;
  if (!whole) ::unlink(path_.c_str());
  if (lock >= 0) ::close(lock);
  errno = error;
  return whole;
}

int open_ordinary(const std::filesystem::path& file) {
  return open_as(file, O_RDONLY);
}

int open_to_append(const std::filesystem::path& file) {
  return open_as(file, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW);
}

int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, bool replace,
                int folder) {
  const auto error_of = [](int result) { return result == 0 ? 0 : errno; };
  const int at = folder >= 0 ? folder : AT_FDCWD;
  if (replace) return error_of(::renameat(at, from.c_str(), at, to.c_str()));
  const auto renamed = static_cast<int>(
      ::syscall(SYS_renameat2, at, from.c_str(), at, to.c_str(), RENAME_NOREPLACE));
  if (renamed == 0 || (errno != ENOSYS && errno != EINVAL)) return error_of(renamed);
  if (::linkat(at, from.c_str(), at, to.c_str(), 0) == 0) {
    ::unlinkat(at, from.c_str(), 0);
    return 0;
  }
  if (errno != EPERM && errno != ENOTSUP) return errno;
  // Neither call works on some file systems (FAT over FUSE): check, then rename, with a small race
  // between the two.
  struct stat there {};
  if (::fstatat(at, to.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  return error_of(::renameat(at, from.c_str(), at, to.c_str()));
}

bool replace_file(const std::filesystem::path& file, std::string_view content) {
  NewFile written(file);
  return written.descriptor() >= 0 && written.write(0, content.data(), content.size()) &&
         written.commit();
}

bool write_file_atomically(const std::filesystem::path& file, std::string_view content) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  if (error) errno = error.value();
  return !error && replace_file(file, content);
}

bool read_file(const std::filesystem::path& file, std::string& content) {
  const Descriptor in(open_as(file, O_RDONLY, ENOTSUP));
  if (!in) return false;
  content.clear();
  std::array<char, 1 << 14> some{};
  while (true) {
    const ssize_t got = ::read(in.get(), some.data(), some.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    content.append(some.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace sfumato
