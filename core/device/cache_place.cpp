// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Tests folders, and keeps a temporary one until the process ends.
#include "device/cache_place.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "device/program_cache.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

constexpr char temporary_name[] = "sfumato-cache-";
constexpr std::time_t lock_grace = 60;  // seconds; a younger folder may not be locked yet
// Bytes. PoCL ends the process when the disk is full, and needs up to 2.3 MB per filter.
constexpr std::uint64_t least_room = std::uint64_t{64} << 20;

enum class Use { keep, run };

// A path from the environment; empty if it is unset or empty.
fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] == '/' ? fs::path(value) : fs::path();
}

// Why there is no default folder.
Message fault_of_home() {
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return message({"home.not_set", "HOME is not set"});
  if (*home != '/') {
    return message({"home.no_full_path", "HOME is not an absolute path: {path}"}, printable(home));
  }
  return message({"home.missing", "there is no folder {folder}, which HOME names"},
                 printable(home));
}

// Why the folder, created if missing, cannot be used; empty if it can.
Message fault_of(const fs::path& folder, Use use) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (made) fs::permissions(folder, fs::perms::owner_all, error);
  // For root access() always succeeds, so a failure to create the folder is checked first.
  if (error || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    const Message why = error ? system_reason(error) : system_reason(errno);
    return message({"cache.not_writable", "{folder} cannot be written to ({reason})"},
                   folder.string(), why);
  }
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return {};
  if (disk.f_blocks > 0 && std::uint64_t{disk.f_bavail} * disk.f_frsize < least_room) {
    return message({"cache.disk_full", "the disk that holds {folder} is nearly full"},
                   folder.string());
  }
  if (use == Use::run && (disk.f_flag & ST_NOEXEC) != 0) {
    return message({"cache.nothing_runs", "programs cannot be run from {folder}"}, folder.string());
  }
  return {};
}

bool is_fit(const fs::path& folder) {
  return fault_of(folder, Use::run).empty();
}

// Whether nobody else can read, change or replace it: not a link, owned by us, closed to others.
bool is_private(const fs::path& folder) {
  struct stat s {};
  return ::lstat(folder.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == ::geteuid() &&
         (s.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

// A folder for the login session, created if missing. Someone else's folder is refused, since it
// could supply that person's kernels.
fs::path session_folder() {
  const fs::path session = variable("XDG_RUNTIME_DIR");
  if (session.empty() || !is_private(session)) return {};
  fs::path folder = session / "sfumato";
  ::mkdir(folder.c_str(), S_IRWXU);
  return is_private(folder) && is_fit(folder) ? folder : fs::path();
}

// Removes the folders of killed processes. Those of living processes are locked.
void remove_leftovers(const fs::path& in) {
  std::error_code error;
  for (fs::directory_iterator it(in, error), end; !error && it != end; it.increment(error)) {
    const fs::path& folder = it->path();
    if (folder.filename().string().rfind(temporary_name, 0) != 0) continue;
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    struct stat s {};
    std::error_code ignored;
    if (::fstat(file, &s) == 0 && s.st_uid == ::geteuid() &&
        s.st_mtim.tv_sec + lock_grace < std::time(nullptr) &&
        ::flock(file, LOCK_EX | LOCK_NB) == 0) {
      fs::remove_all(folder, ignored);
    }
    ::close(file);
  }
}

// Owned by this process alone: a forked child must not remove it.
fs::path* temporary = nullptr;
pid_t owner = 0;

void remove_temporary() {
  std::error_code error;
  if (temporary != nullptr && owner == ::getpid()) fs::remove_all(*temporary, error);
}

fs::path make_temporary() {
  for (const fs::path& in :
       {variable("TMPDIR"), fs::path("/tmp"), fs::path("/var/tmp"), fs::path("/dev/shm")}) {
    if (in.empty()) continue;
    std::string name = (in / temporary_name).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) continue;
    if (!is_fit(name)) {
      ::rmdir(name.c_str());
      continue;
    }
    // Stays open, and so locked, until the process ends.
    if (const int file = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); file >= 0) {
      ::flock(file, LOCK_EX | LOCK_NB);
    }
    temporary = new fs::path(name);  // never destroyed, since exit handlers use it
    owner = ::getpid();
    std::atexit(remove_temporary);
    std::at_quick_exit(remove_temporary);
    remove_leftovers(in);
    return name;
  }
  return {};
}

Message cache_message(const std::string& place, bool lasts, const Message& why,
                      const char* variable, bool runs) {
  if (lasts && runs) {
    return message({"cache.until_logout",
                    "compiled kernels are kept in {folder} until you log out ({why}); set "
                    "{variable} to a folder that can be written to"},
                   place, why, variable);
  }
  if (lasts) {
    return message({"cache.until_logout_as_nothing_runs",
                    "compiled kernels are kept in {folder} until you log out ({why}); set "
                    "{variable} to a folder that programs can be run from"},
                   place, why, variable);
  }
  if (runs) {
    return message({"cache.this_run",
                    "compiled kernels are kept in {folder} for this run only ({why}); set "
                    "{variable} to a folder that can be written to"},
                   place, why, variable);
  }
  return message({"cache.this_run_as_nothing_runs",
                  "compiled kernels are kept in {folder} for this run only ({why}); set "
                  "{variable} to a folder that programs can be run from"},
                 place, why, variable);
}

// PoCL's folder, if it exists; none is created on machines without PoCL.
fs::path pocl_folder(const fs::path& base) {
  std::error_code error;
  fs::path folder = base / "pocl" / "kcache";
  while (folder != base && !fs::exists(folder, error)) folder = folder.parent_path();
  return folder;
}

}  // namespace

CachePlace give_cache_folder() {
  const fs::path usual = default_cache_folder(), base = usual.parent_path();
  Message why = usual.empty() ? fault_of_home() : fault_of(usual, Use::keep);
  const bool ours = !why.empty();
  // Unlike us, PoCL accepts a relative path and would create a cache in the current folder.
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const bool misled = xdg != nullptr && *xdg != '\0' && *xdg != '/';
  if (misled && !ours && std::getenv("POCL_CACHE_DIR") == nullptr) {
    ::setenv("POCL_CACHE_DIR", (base / "pocl" / "kcache").c_str(), 1);
  }
  // Without a cache folder PoCL offers no devices and does not say why.
  const fs::path named = variable("POCL_CACHE_DIR");
  bool pocl = ours && named.empty();
  if (!named.empty() || !ours) {
    const Message fault = fault_of(named.empty() ? pocl_folder(base) : named, Use::run);
    pocl = !fault.empty();
    if (why.empty()) why = fault;
  }
  if (why.empty()) return {};

  fs::path place = session_folder();
  const bool lasts = !place.empty();
  if (!lasts) place = make_temporary();
  if (place.empty()) {
    return {false, message({"cache.no_folder",
                            "there is no folder for compiled kernels ({why}), and drivers that "
                            "need one, as PoCL does, are not used; set XDG_CACHE_HOME to a folder "
                            "that can be written to"},
                           why)};
  }
  if (ours) ::setenv("XDG_CACHE_HOME", place.c_str(), 1);
  if (pocl) ::setenv("POCL_CACHE_DIR", (place / "pocl").c_str(), 1);
  const bool runs = why.id != "cache.nothing_runs";
  return {true, cache_message(place.string(), lasts, why,
                              ours ? "XDG_CACHE_HOME" : "POCL_CACHE_DIR", runs)};
}

}  // namespace sfumato
