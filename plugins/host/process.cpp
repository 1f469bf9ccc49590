// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Starting the worker, and finding its program.
#include "host/process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "host/client.hpp"
#include "text/system_reason.hpp"

extern char** environ;

namespace sfumato::hosts {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "sfumato-worker";
// How long a killed process may take to disappear; in the middle of a driver's call it may never do
// so.
constexpr std::chrono::seconds gone_within{2};

bool is_program(const fs::path& path) {
  return ::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path);
}

fs::path on_the_path() {
  const char* all = std::getenv("PATH");
  std::string_view left = all != nullptr ? all : "";
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(':'), left.size());
    const fs::path folder(left.substr(0, end));
    if (folder.is_absolute() && is_program(folder / program_name)) return folder / program_name;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return {};
}

// Whether a child has ended and been reaped.
bool is_reaped(pid_t id) {
  pid_t found = 0;
  do {
    found = ::waitpid(id, nullptr, WNOHANG);
  } while (found < 0 && errno == EINTR);
  return found != 0;  // an error means that somebody else has reaped it
}

// Processes that had not ended in time; 0: none. No thread waits for them, since its code might be
// unloaded, and nothing here is destroyed at exit, when a client may still be in use.
std::array<std::atomic<pid_t>, 16> leftovers{};

void reap_later(pid_t id) {
  for (std::atomic<pid_t>& one : leftovers) {
    pid_t none = 0;
    if (one.compare_exchange_strong(none, id)) return;
  }
}

void reap_leftovers() {
  for (std::atomic<pid_t>& one : leftovers) {
    const pid_t id = one.exchange(0);
    if (id != 0 && !is_reaped(id)) reap_later(id);
  }
}

// The folder of the program or library that this code is linked into.
fs::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&find_worker), &info) == 0) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error).parent_path();
}

}  // namespace

fs::path find_worker() {
  if (const char* named = std::getenv("SFUMATO_WORKER"); named != nullptr && *named != '\0') {
    return is_program(named) ? fs::path(named) : fs::path();
  }
  const fs::path own = own_folder();
  std::vector<fs::path> folders{own, own / ".." / "bin"};
  // Below the installation prefix, even if it was moved since.
  constexpr int deepest = 6;
  fs::path above = own;
  for (int i = 0; i < deepest && above.has_relative_path(); ++i) {
    above = above.parent_path();
    folders.push_back(above / SFUMATO_LIBEXEC);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folders.push_back(fs::path(home) / ".local/lib/sfumato");
  }
  folders.emplace_back(SFUMATO_PREFIX "/" SFUMATO_LIBEXEC);
  for (const fs::path& folder : folders) {
    if (is_program(folder / program_name)) return folder / program_name;
  }
  return on_the_path();
}

Process start_process(const fs::path& program) {
  reap_leftovers();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    const int error = errno;
    throw MessageError(
        message({"worker.no_socket", "no socket can be made: {reason}"}, system_reason(error)));
  }
  Descriptor ours(ends[0]), theirs(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // dup2 to the same number would keep the close-on-exec flag.
  if (theirs.get() == worker_socket) {
    theirs = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, worker_socket + 1));
  }
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), worker_socket);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  // The host may not have marked its own descriptors close-on-exec: their other ends would wait for
  // the last holder.
  posix_spawn_file_actions_addclosefrom_np(&actions, worker_socket + 1);
#endif
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A host may block or ignore signals, and Ctrl-C in its terminal is for the host only.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string name = program.string();
  char* const words[] = {name.data(), nullptr};
  pid_t id = -1;
  const int error = ::posix_spawn(&id, name.c_str(), &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw MessageError(message({"worker.not_started", "{program} cannot be started: {reason}"},
                               name, system_reason(error)));
  }
  return {id, std::move(ours)};
}

Process::~Process() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  const auto until = std::chrono::steady_clock::now() + gone_within;
  while (!is_reaped(id_)) {
    if (std::chrono::steady_clock::now() > until) {
      reap_later(id_);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  reap_leftovers();
}

}  // namespace sfumato::hosts
