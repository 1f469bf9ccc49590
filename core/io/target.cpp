// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Checks of inputs and outputs before any pixel is touched; what a replaced file passes on.
#include "io/target.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <vector>

#include "io/animation_output.hpp"
#include "io/file_version.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace files {
namespace {

namespace fs = std::filesystem;

// Extended attributes, among them access control lists, as far as this program may set them.
void copy_attributes(int to, const fs::path& from) {
  std::vector<char> names(1 << 16), value(1 << 16);
  const ssize_t length = ::listxattr(from.c_str(), names.data(), names.size());
  const char* const end = names.data() + std::max<ssize_t>(length, 0);
  for (const char* name = names.data(); name < end; name += std::strlen(name) + 1) {
    const ssize_t bytes = ::getxattr(from.c_str(), name, value.data(), value.size());
    if (bytes >= 0) ::fsetxattr(to, name, value.data(), static_cast<std::size_t>(bytes), 0);
  }
}

// A file that replaces another keeps its permissions and attributes, and its owner and group where
// we may give files away: what the old group might do, no other group may.
void take_over(int descriptor, const fs::path& path, const struct stat& old) {
  const bool owner = ::fchown(descriptor, old.st_uid, old.st_gid) == 0;
  const bool group = owner || ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
  mode_t mode = old.st_mode & 07777;
  if (!owner) mode &= ~mode_t{S_ISUID};
  if (!group) mode &= ~mode_t{S_ISGID | S_IRWXG};
  ::fchmod(descriptor, mode);
  if (group) copy_attributes(descriptor, path);
}

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// Flushes the name itself to the disk, if the file system can.
void sync_folder(int folder) {
  const int descriptor = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// Where everyone may add files, but only remove their own, a link may be a trap.
bool is_trap(const struct stat& link, const struct stat& folder) {
  constexpr mode_t shared = S_ISVTX | S_IWOTH;
  return (folder.st_mode & shared) == shared && link.st_uid != ::geteuid() &&
         link.st_uid != folder.st_uid;
}

// The first such link on the way to a file; empty if there is none, or if the way is circular.
std::optional<fs::path> link_of_others(const fs::path& path) {
  constexpr int most_links = 40;
  fs::path at = path.is_absolute() ? "/" : ".";
  std::vector<fs::path> ahead;  // names, the next one last
  const auto go = [&](const fs::path& way) {
    const fs::path rest = way.relative_path();
    std::copy(std::make_reverse_iterator(rest.end()), std::make_reverse_iterator(rest.begin()),
              std::back_inserter(ahead));
    if (way.is_absolute()) at = "/";
  };
  go(path);
  for (int links = 0; !ahead.empty() && links < most_links;) {
    const fs::path next = at / ahead.back();
    ahead.pop_back();
    struct stat named {
    }, folder{};
    const bool is_link = ::lstat(next.c_str(), &named) == 0 && S_ISLNK(named.st_mode);
    if (is_link && ::stat(at.c_str(), &folder) == 0 && is_trap(named, folder)) return next;
    std::error_code error;
    if (is_link) {
      go(fs::read_symlink(next, error));
      ++links;
    } else {
      at = next;
    }
  }
  return std::nullopt;
}

FileError not_ordinary(const fs::path& path) {
  return FileError(message(
      {"file.output_not_ordinary", "{file}: this is not an ordinary file; choose another name"},
      shown(path)));
}

std::string list_of_extensions() {
  std::string list;
  for (const FormatInfo& f : writable_formats()) {
    list += (list.empty() ? "." : ", .") + f.extensions.front();
  }
  return list;
}

void check_compression(const fs::path& path, const FormatInfo& info, const std::string& wanted) {
  const auto& known = info.compressions;
  if (wanted.empty() || std::find(known.begin(), known.end(), wanted) != known.end()) return;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  if (known.empty()) {
    throw FileError(message({"format.no_compressions",
                             "{file}: {format} knows no compression {compression}; leave it out"},
                            shown(path), info.name, in_quotes(wanted)));
  }
  const std::string nearest = nearest_name(wanted, known);
  if (nearest.empty()) {
    throw FileError(message({"format.no_such_compression",
                             "{file}: {format} knows no compression {compression}; choose one of "
                             "{compressions}"},
                            shown(path), info.name, in_quotes(wanted), list));
  }
  throw FileError(message({"format.no_such_compression_meant",
                           "{file}: {format} knows no compression {compression}; choose one of "
                           "{compressions}; did you mean {nearest}?"},
                          shown(path), info.name, in_quotes(wanted), list, in_quotes(nearest)));
}

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return;
  throw FileError(message({"folder.not_made",
                           "{folder}: the folder cannot be made ({reason}); choose another for "
                           "the outputs"},
                          folder.string(), system_reason(error)));
}

fs::path followed(const fs::path& path) {
  std::error_code error;
  fs::path at = path;
  for (int i = 0; i < 40 && fs::is_symlink(fs::symlink_status(at, error)); ++i) {
    const fs::path to = fs::read_symlink(at, error);
    if (error) break;
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  return at;
}

namespace {

void check_layer(const fs::path& path, const FormatInfo& info, const WriteOptions& options) {
  if (options.layer == nullptr) return;
  if (info.id != "openexr" && info.id != "tiff") {
    throw FileError(message({"format.no_layers",
                             "{file}: {format} has no room for the layer {layer}; choose OpenEXR "
                             "or TIFF"},
                            shown(path), info.name, in_quotes(options.layer->name)));
  }
  if (options.bits && is_integer(*options.bits)) {
    throw FileError(message({"format.layer_of_integers",
                             "{file}: the layer {layer} is made of floats; choose half or float"},
                            shown(path), in_quotes(options.layer->name)));
  }
}

}  // namespace

void check_format(const fs::path& path, const WriteOptions& options) {
  const FormatInfo* info = format_of(path);
  if (info == nullptr) {
    std::string extension = path.extension().string();
    if (extension.size() <= 1) {
      throw FileError(message({"format.no_extension",
                               "{file}: the name has no extension to choose the format by; use "
                               "{extensions}"},
                              shown(path), list_of_extensions()));
    }
    extension.erase(0, 1);
    std::vector<std::string> known;
    for (const FormatInfo& f : writable_formats()) {
      known.insert(known.end(), f.extensions.begin(), f.extensions.end());
    }
    const std::string nearest = nearest_name(extension, known);
    if (nearest.empty()) {
      throw FileError(message({"format.unknown_extension",
                               "{file}: files ending in {extension} cannot be written; use "
                               "{extensions}"},
                              shown(path), in_quotes("." + extension), list_of_extensions()));
    }
    throw FileError(message({"format.unknown_extension_meant",
                             "{file}: files ending in {extension} cannot be written; use "
                             "{extensions}; did you mean {nearest}?"},
                            shown(path), in_quotes("." + extension), list_of_extensions(),
                            in_quotes(nearest)));
  }
  check_layer(path, *info, options);
  if (options.bits &&
      std::find(info->depths.begin(), info->depths.end(), *options.bits) == info->depths.end()) {
    std::string held;
    for (const SampleType t : info->depths) {
      held += (held.empty() ? "" : ", ") + std::string(depth_name(t));
    }
    throw FileError(message({"format.no_such_depth",
                             "{file}: {format} holds {depths} numbers, not {depth}; choose another "
                             "depth or another format"},
                            shown(path), info->name, held, depth_name(*options.bits)));
  }
  check_compression(path, *info, options.compression);
}

void check_links(const fs::path& path) {
  if (const auto link = link_of_others(path)) {
    throw FileError(message({"file.link_of_others",
                             "{file}: the symbolic link {link} was put there by another user and "
                             "is not followed; remove it or choose another name"},
                            shown(path), shown(*link)));
  }
}

void replace_text(const fs::path& path, std::string_view text) {
  check_links(path);
  const fs::path target = followed(path);
  struct stat there {};
  if (::stat(target.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    throw not_ordinary(path);
  }
  Target file(target);
  while (!text.empty()) {
    const ssize_t put = ::write(file.descriptor(), text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) file.fail_to_write(put < 0 ? errno : ENOSPC);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  file.commit();
}

Target::Target(const fs::path& path, const WriteOptions& options, Check check)
    : path_(followed(path)), overwrite_(options.overwrite), durable_(options.durable) {
  check(path, options);
  picture_ = FileWatch(path_);
  begin();
}

Target::Target(const fs::path& path) : path_(path), overwrite_(true), durable_(false) {
  begin();
}

void Target::begin() {
  const fs::path folder = folder_of(path_);
  remove_left_over_in(folder);
  struct stat old {};
  replaces_ = ::stat(path_.c_str(), &old) == 0;
  // Nobody else may read what replaces a file that they may not read.
  temporary_.emplace(path_, replaces_ ? 0600 : 0666);
  if (temporary_->descriptor() >= 0) return;
  throw FileError(message({"file.not_made",
                           "{file}: no file can be made in the folder {folder} ({reason}); choose "
                           "a folder that you may write to"},
                          shown(path_), shown(folder), system_reason(errno)));
}

void Target::fail(Message why) {
  temporary_->remove();
  throw FileError(std::move(why));
}

void Target::fail_to_write(int error) {
  fail(message({"file.not_written", "{file}: the file cannot be written ({reason})"}, shown(path_),
               system_reason(error)));
}

void Target::begin_to_flush() const {
  if (replaces_ || durable_) ::sync_file_range(descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
}

void Target::commit() {
  const fs::path target = temporary_->target_now();
  picture_.moved_to(target);
  if (picture_.replaced() || picture_.written()) {
    fail(message({"file.saved_again",
                  "{file}: another program has saved the file again meanwhile; it was left as it "
                  "is"},
                 shown(path_)));
  }
  // At the end, so that what a crash leaves is ours to remove.
  struct stat old {};
  if (replaces_ && ::stat(target.c_str(), &old) == 0) take_over(descriptor(), target, old);
  // Only a replaced file can be lost in a power cut: then its successor must be on disk first. A
  // new file's input is still there, and waiting for the disk would cost more than the filter.
  if ((replaces_ || durable_) && ::fdatasync(descriptor()) != 0 && errno != EINVAL &&
      errno != EROFS) {
    const int error = errno;
    fail(message({"file.not_on_disk", "{file}: the file cannot be written to the disk ({reason})"},
                 shown(path_), system_reason(error)));
  }
  if (const int error = temporary_->close(); error != 0) fail_to_write(error);

  // A file that has appeared since the check at the start must not be replaced.
  if (const int error = temporary_->rename(overwrite_); error != 0) {
    if (error == EEXIST) {
      fail(message({"file.appeared",
                    "{file}: a file of this name has appeared meanwhile and was left as it is; "
                    "choose another name or allow overwriting (--overwrite)"},
                   shown(path_)));
    }
    fail(
        message({"file.not_named", "{file}: the finished file cannot be given its name ({reason})"},
                shown(path_), system_reason(error)));
  }
  if (durable_) sync_folder(temporary_->folder());
}

}  // namespace files

namespace {

// That a file can be made beside `target`, which `path` leads to.
void check_folder_of(const std::filesystem::path& target, const std::filesystem::path& path) {
  using namespace files;
  struct stat folder {};
  const fs::path beside = folder_of(target);
  const bool found = ::stat(beside.c_str(), &folder) == 0;
  const int error = errno;
  if (!found && error != ENOENT && error != ENOTDIR) {
    throw FileError(message({"folder.not_usable",
                             "{file}: the folder {folder} cannot be used ({reason}); choose "
                             "another"},
                            shown(path), shown(beside), system_reason(error)));
  }
  if (!found || !S_ISDIR(folder.st_mode)) {
    throw FileError(message(
        {"folder.missing", "{file}: there is no folder {folder}; make it first or choose another"},
        shown(path), shown(beside)));
  }
  if (::access(beside.c_str(), W_OK | X_OK) != 0) {
    const int denied = errno;
    throw FileError(message({"folder.not_writable",
                             "{file}: the folder {folder} may not be written to ({reason}); choose "
                             "another"},
                            shown(path), shown(beside), system_reason(denied)));
  }
}

}  // namespace

void files::check_target(const std::filesystem::path& path, const WriteOptions& options,
                         Target::Check check_its_format) {
  struct stat s {};
  if (path.empty()) {
    throw FileError(
        message({"file.no_output", "the output has no name; give one with an extension"}));
  }
  const int found = ::stat(path.c_str(), &s);
  const int errno_of_name = errno;
  if (found == 0 && S_ISDIR(s.st_mode)) {
    throw FileError(message(
        {"file.output_is_folder", "{file}: this is a folder; give the name of a file in it"},
        shown(path)));
  }
  // Nothing below finds this: a link to no file is valid, as a new file may be made there.
  if (found != 0 && errno_of_name == ELOOP) {
    throw FileError(message({"file.links_in_circle",
                             "{file}: symbolic links lead back to themselves; choose another name"},
                            shown(path)));
  }
  check_its_format(path, options);
  if (found != 0 && errno_of_name == ENAMETOOLONG) {
    throw FileError(message(
        {"file.no_such_name", "{file}: no file can have this name ({reason}); choose another"},
        shown(path), system_reason(errno_of_name)));
  }
  check_links(path);
  const fs::path target = followed(path);
  if (::stat(target.c_str(), &s) == 0) {
    if (!S_ISREG(s.st_mode)) {
      throw not_ordinary(path);
    }
    if (!options.overwrite) {
      const bool same =
          !options.input_path.empty() && id_of(options.input_path) == FileId{s.st_dev, s.st_ino};
      if (same) {
        throw FileError(message({"file.is_input",
                                 "{file}: this is the input itself; choose another name or allow "
                                 "overwriting (--overwrite)"},
                                shown(path)));
      }
      throw FileError(message({"file.exists",
                               "{file}: the file exists already; choose another name or allow "
                               "overwriting (--overwrite)"},
                              shown(path)));
    }
  }
  check_folder_of(target, path);
}

void check_output(const std::filesystem::path& path, const WriteOptions& options) {
  files::check_target(path, options, files::check_format);
}

}  // namespace sfumato
