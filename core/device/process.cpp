// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Starting and ending child processes.
#include "device/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "text/system_reason.hpp"

extern char** environ;

namespace sfumato {
namespace {

namespace fs = std::filesystem;

// How long a killed process may take to disappear; in the middle of a driver's call it may never do
// so.
constexpr std::chrono::seconds gone_within{2};

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

}  // namespace

std::vector<std::string> own_environment() {
  std::vector<std::string> out;
  for (char** at = environ; *at != nullptr; ++at) out.emplace_back(*at);
  return out;
}

Process start_process(const fs::path& program, std::vector<std::string> environment) {
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
  if (theirs.get() == child_socket) {
    theirs = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, child_socket + 1));
  }
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), child_socket);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  // The host may not have marked its own descriptors close-on-exec: their other ends would wait for
  // the last holder.
  posix_spawn_file_actions_addclosefrom_np(&actions, child_socket + 1);
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
  std::vector<char*> variables;
  for (std::string& one : environment) variables.push_back(one.data());
  variables.push_back(nullptr);
  pid_t id = -1;
  const int error =
      ::posix_spawn(&id, name.c_str(), &actions, &attributes, words, variables.data());
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

}  // namespace sfumato
