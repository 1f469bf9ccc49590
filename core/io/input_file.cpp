// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Checks of inputs before they are opened, and texts, which are read whole.
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "device/descriptor.hpp"
#include "device/files.hpp"
#include "io/io.hpp"
#include "io/reachable.hpp"
#include "io/target.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

FileError unreadable(const std::filesystem::path& path, int error) {
  if (error == EACCES || error == EPERM) {
    return FileError(message({"file.may_not_be_read",
                              "{file}: the file may not be read ({reason}); check its permissions"},
                             files::shown(path), system_reason(error)));
  }
  return FileError(message({"file.cannot_be_read", "{file}: the file cannot be read ({reason})"},
                           files::shown(path), system_reason(error)));
}

// The kernel makes the content of such a file when it is read; some wait for it, or use it up.
bool is_made_by_kernel(const std::filesystem::path& path, const struct stat& state) {
  struct statfs system {};
  return state.st_size == 0 && ::statfs(path.c_str(), &system) == 0 &&
         (system.f_type == PROC_SUPER_MAGIC || system.f_type == TRACEFS_MAGIC ||
          system.f_type == DEBUGFS_MAGIC);
}

enum class Content { picture, text };

FileError folder_instead(const std::filesystem::path& path, Content wanted) {
  if (wanted == Content::picture) {
    return FileError(message({"file.is_folder", "{file}: this is a folder; give a picture in it"},
                             files::shown(path)));
  }
  return FileError(message({"file.text_is_folder", "{file}: this is a folder; give a file in it"},
                           files::shown(path)));
}

FileError not_ordinary_input(const std::filesystem::path& path, Content wanted) {
  if (wanted == Content::picture) {
    return FileError(message({"file.not_ordinary",
                              "{file}: this is not an ordinary file; save the picture to one "
                              "first"},
                             files::shown(path)));
  }
  return FileError(message({"file.text_not_ordinary",
                            "{file}: this is not an ordinary file; save the text to one first"},
                           files::shown(path)));
}

FileError empty_file(const std::filesystem::path& path) {
  return FileError(
      message({"file.empty", "{file}: the file is empty; make it again"}, files::shown(path)));
}

void check_file(const std::filesystem::path& path, Content wanted) {
  using files::shown;
  files::check_reachable(path);
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) {
      throw FileError(
          message({"file.missing", "{file}: there is no such file; check the name"}, shown(path)));
    }
    throw unreadable(path, error);
  }
  if (S_ISDIR(s.st_mode)) throw folder_instead(path, wanted);
  if (!S_ISREG(s.st_mode) || is_made_by_kernel(path, s)) throw not_ordinary_input(path, wanted);
  if (s.st_size == 0) throw empty_file(path);
  if (::access(path.c_str(), R_OK) != 0) throw unreadable(path, errno);
}

}  // namespace

void check_input(const std::filesystem::path& path) {
  if (path.empty()) {
    throw FileError(message({"file.no_input", "the input has no name; give a picture file"}));
  }
  check_file(path, Content::picture);
}

std::string files::read_text(const std::filesystem::path& path) {
  constexpr std::size_t most = std::size_t{64} << 20;
  if (path.empty()) {
    throw FileError(message({"file.no_text", "the file to be read has no name; give one"}));
  }
  check_file(path, Content::text);
  const Descriptor file(open_ordinary(path));
  if (!file) throw unreadable(path, errno);
  std::string text;
  std::array<char, 1 << 16> some{};
  while (true) {
    const ssize_t got = ::read(file.get(), some.data(), some.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw unreadable(path, errno);
    if (got == 0) return text;
    text.append(some.data(), static_cast<std::size_t>(got));
    if (text.size() > most) {
      throw FileError(message({"file.text_too_long",
                               "{file}: the file is larger than {most} MiB, which no text for "
                               "this is; choose another"},
                              shown(path), most >> 20));
    }
  }
}

}  // namespace sfumato
