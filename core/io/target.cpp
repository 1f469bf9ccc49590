// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Checks of inputs and outputs before any pixel is touched, and the temporary that is renamed.
#include "io/target.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "device/files.hpp"
#include "io/file_version.hpp"
#include "io/reachable.hpp"
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

// Temporaries that a signal handler may have to remove. A slot is free, being filled or used; only
// a used one is read by the handler, and unlink() is safe there.
struct Slot {
  enum : int { free, filling, used };
  std::atomic<int> state{free};
  std::array<char, 4096> path{};
};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<Slot, 64> slots;

// -1 if no slot is left or the path is too long for one: then only the destructor removes the file.
int take_slot(const std::string& path) {
  if (path.size() >= Slot{}.path.size()) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = Slot::free;
    if (!slots[i].state.compare_exchange_strong(expected, Slot::filling)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].state = Slot::used;
    return static_cast<int>(i);
  }
  return -1;
}

void free_slot(int slot) {
  if (slot >= 0) slots[static_cast<std::size_t>(slot)].state = Slot::free;
}

// Temporaries by target, for temporary_in_work().
std::mutex in_work_mutex;
std::map<fs::path, fs::path> in_work;

constexpr char mark[] = ".sfumato-";

// Hidden, beside the target, with its extension; the target's name is cut where the temporary's
// would be longer than file systems allow.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  const std::string tail = mark + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
                           target.extension().string();
  std::string stem = target.stem().string();
  stem.resize(std::min(stem.size(), std::size_t{254} - std::min(tail.size(), std::size_t{200})));
  return target.parent_path() / ("." + stem + tail);
}

fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// Flushes the name itself to the disk, if the file system can.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
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

bool is_temporary_of(const std::string& name, const fs::path& target) {
  const std::string extension = target.extension().string();
  const std::size_t at = name.rfind(mark);
  if (at == std::string::npos || at < 1 || name[0] != '.' || !name.ends_with(extension)) {
    return false;
  }
  const std::size_t number = at + sizeof mark - 1;
  if (number + extension.size() > name.size()) return false;
  const std::string digits = name.substr(number, name.size() - extension.size() - number);
  const std::string stem = target.stem().string(), own = name.substr(1, at - 1);
  const bool cut = name.size() >= 254 && stem.starts_with(own);
  return (own == stem || cut) && !digits.empty() &&
         digits.find_first_not_of("0123456789-") == std::string::npos;
}

fs::path temporary_in_work(const fs::path& target) {
  const std::lock_guard lock(in_work_mutex);
  const auto found = in_work.find(followed(target));
  return found == in_work.end() ? fs::path() : found->second;
}

std::vector<std::string> temporaries_in(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name[0] == '.' && name.find(mark) != std::string::npos) out.push_back(std::move(name));
  }
  return out;
}

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

Target::Target(const fs::path& path, const WriteOptions& options)
    : path_(followed(path)), overwrite_(options.overwrite), durable_(options.durable) {
  check_output(path, options);
  struct stat old {};
  replaces_ = ::stat(path_.c_str(), &old) == 0;
  for (int attempt = 0; descriptor_ < 0 && attempt < 100; ++attempt) {
    temporary_ = temporary_name(path_);
    // Nobody else may read what replaces a file that they may not read.
    descriptor_ =
        ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, replaces_ ? 0600 : 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;  // one of a killed process may be left there
  }
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    throw FileError(
        message({"file.not_made",
                 "{file}: no file can be made in the folder {folder} ({reason}); choose "
                 "a folder that you may write to"},
                shown(path), shown(folder_of(path_)), system_reason(error)));
  }
  slot_ = take_slot(temporary_.string());
  {
    const std::lock_guard lock(in_work_mutex);
    in_work[path_] = temporary_;
  }
  if (replaces_) take_over(descriptor_, path_, old);
}

Target::~Target() {
  discard();
}

void Target::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget();
}

void Target::forget() noexcept {
  if (!temporary_.empty()) {
    const std::lock_guard lock(in_work_mutex);
    const auto found = in_work.find(path_);
    if (found != in_work.end() && found->second == temporary_) in_work.erase(found);
  }
  temporary_.clear();
  free_slot(slot_);
  slot_ = -1;
}

void Target::fail(Message why) {
  discard();
  throw FileError(std::move(why));
}

void Target::commit() {
  // Only a replaced file can be lost in a power cut: then its successor must be on disk first. A
  // new file's input is still there, and waiting for the disk would cost more than the filter.
  if ((replaces_ || durable_) && ::fdatasync(descriptor_) != 0 && errno != EINVAL &&
      errno != EROFS) {
    const int error = errno;
    fail(message({"file.not_on_disk", "{file}: the file cannot be written to the disk ({reason})"},
                 shown(path_), system_reason(error)));
  }
  const int closed = ::close(descriptor_);
  const int close_error = errno;
  descriptor_ = -1;
  if (closed != 0) {
    fail(message({"file.not_written", "{file}: the file cannot be written ({reason})"},
                 shown(path_), system_reason(close_error)));
  }

  // A file that has appeared since the check at the start must not be replaced.
  if (const int error = rename_file(temporary_, path_, overwrite_); error != 0) {
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
  forget();
  if (durable_) sync_folder(folder_of(path_));
}

}  // namespace files

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

}  // namespace

void check_input(const std::filesystem::path& path) {
  using files::shown;
  struct stat s {};
  if (path.empty()) {
    throw FileError(message({"file.no_input", "the input has no name; give a picture file"}));
  }
  files::check_reachable(path);
  if (::stat(path.c_str(), &s) != 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) {
      throw FileError(
          message({"file.missing", "{file}: there is no such file; check the name"}, shown(path)));
    }
    throw unreadable(path, error);
  }
  if (S_ISDIR(s.st_mode)) {
    throw FileError(
        message({"file.is_folder", "{file}: this is a folder; give a picture in it"}, shown(path)));
  }
  if (!S_ISREG(s.st_mode)) {
    throw FileError(message({"file.not_ordinary",
                             "{file}: this is not an ordinary file; save the picture to one first"},
                            shown(path)));
  }
  if (s.st_size == 0) {
    throw FileError(
        message({"file.empty", "{file}: the file is empty; make it again"}, shown(path)));
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw unreadable(path, errno);
  }
}

void check_output(const std::filesystem::path& path, const WriteOptions& options) {
  using namespace files;
  struct stat s {};
  struct stat folder {};
  if (path.empty()) {
    throw FileError(
        message({"file.no_output", "the output has no name; give one with an extension"}));
  }
  const int found = ::stat(path.c_str(), &s);
  if (found == 0 && S_ISDIR(s.st_mode)) {
    throw FileError(message(
        {"file.output_is_folder", "{file}: this is a folder; give the name of a file in it"},
        shown(path)));
  }
  // Nothing below finds this: a link to no file is valid, as a new file may be made there.
  if (found != 0 && errno == ELOOP) {
    throw FileError(message({"file.links_in_circle",
                             "{file}: symbolic links lead back to themselves; choose another name"},
                            shown(path)));
  }
  check_format(path, options);
  const fs::path target = followed(path);
  if (::stat(target.c_str(), &s) == 0) {
    if (!S_ISREG(s.st_mode)) {
      throw FileError(message(
          {"file.output_not_ordinary", "{file}: this is not an ordinary file; choose another name"},
          shown(path)));
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
  const fs::path beside = folder_of(target);
  if (::stat(beside.c_str(), &folder) != 0 || !S_ISDIR(folder.st_mode)) {
    throw FileError(message(
        {"folder.missing", "{file}: there is no folder {folder}; make it first or choose another"},
        shown(path), shown(beside)));
  }
  if (::access(beside.c_str(), W_OK | X_OK) != 0) {
    const int error = errno;
    throw FileError(message({"folder.not_writable",
                             "{file}: the folder {folder} may not be written to ({reason}); choose "
                             "another"},
                            shown(path), shown(beside), system_reason(error)));
  }
}

void remove_temporaries() noexcept {
  for (auto& slot : files::slots) {
    if (slot.state == files::Slot::used) ::unlink(slot.path.data());
  }
}

}  // namespace sfumato
