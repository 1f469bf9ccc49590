// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Programs started by posix_spawn.
#include "io/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "image/parallel_rows.hpp"
#include "io/io.hpp"
#include "text/system_reason.hpp"

namespace sfumato::files {

namespace {

constexpr int slice = 50;  // milliseconds between two questions whether to stop

using Pair = std::array<int, 2>;  // read from, written to

void close_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

}  // namespace

Child::Child(const std::vector<std::string>& words, const ChildInput& input) {
  try {
    start(words, input);
  } catch (...) {
    close_all();
    throw;
  }
}

void Child::start(const std::vector<std::string>& words, const ChildInput& input) {
  Pair to{-1, -1}, from{-1, -1};
  // Its input is a socket, since writing to a closed pipe would end this program.
  const auto open = [&] {
    return ::pipe2(from.data(), O_CLOEXEC) == 0 &&
           (!input.written || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to.data()) == 0);
  };
  // Standard error goes to a file: nobody would empty a pipe while the output is read.
  complaints_ = ::memfd_create("complaints", MFD_CLOEXEC);
  if (complaints_ < 0 || !open()) {
    const int error = errno;
    output_ = from[0];
    close_open(from[1]);
    throw FileError(
        message({"program.not_started", "the program {program} cannot be started ({reason})"},
                words.front(), system_reason(error)));
  }
  output_ = from[0];
  input_ = to[1];
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  if (input.written) {
    ::posix_spawn_file_actions_adddup2(&files, to[0], STDIN_FILENO);
  } else {
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  ::posix_spawn_file_actions_adddup2(&files, from[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, complaints_, STDERR_FILENO);
  if (input.third >= 0) ::posix_spawn_file_actions_adddup2(&files, input.third, 3);
  // In its own process group it is not reached by Ctrl-C. SIGPIPE ends it when nobody reads its
  // output any more.
  posix_spawnattr_t how;
  ::posix_spawnattr_init(&how);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&how, &defaults);
  ::posix_spawnattr_setpgroup(&how, 0);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int error =
      ::posix_spawnp(&pid_, arguments.front(), &files, &how, arguments.data(), environ);
  ::posix_spawnattr_destroy(&how);
  ::posix_spawn_file_actions_destroy(&files);
  close_open(from[1]);
  close_open(to[0]);
  if (error == 0) return;
  pid_ = -1;
  throw FileError(message({"program.install_ffmpeg",
                           "the program {program} cannot be started ({reason}); install Debian's "
                           "package ffmpeg"},
                          words.front(), system_reason(error)));
}

Child::~Child() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
  ended_well();
  close_all();
}

void Child::close_all() {
  close_open(input_);
  close_open(output_);
  close_open(complaints_);
}

std::size_t Child::read(char* to, std::size_t bytes, const std::function<bool()>& cancelled) {
  std::size_t got = 0;
  while (got < bytes) {
    if (cancelled && cancelled()) throw Cancelled();
    pollfd ready{output_, POLLIN, 0};
    if (cancelled && ::poll(&ready, 1, slice) == 0) continue;
    const ssize_t more = ::read(output_, to + got, bytes - got);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  return got;
}

std::string Child::read_all(const std::function<bool()>& cancelled) {
  std::string out;
  std::array<char, 1 << 16> piece;
  while (const std::size_t got = read(piece.data(), piece.size(), cancelled)) {
    out.append(piece.data(), got);
  }
  return out;
}

bool Child::write(const char* from, std::size_t bytes, const std::function<bool()>& cancelled) {
  std::size_t done = 0;
  while (done < bytes) {
    if (cancelled && cancelled()) throw Cancelled();
    const ssize_t more = ::send(input_, from + done, bytes - done, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (more < 0 && errno == EAGAIN) {
      pollfd ready{input_, POLLOUT, 0};
      ::poll(&ready, 1, slice);
      continue;
    }
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    done += static_cast<std::size_t>(more);
  }
  return true;
}

void Child::end_input() {
  close_open(input_);
}

void Child::end_output() {
  close_open(output_);
}

bool Child::ended_well(const std::function<bool()>& cancelled) {
  if (pid_ <= 0) return false;
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(pid_, &status, cancelled ? WNOHANG : 0);
    if (ended == pid_) break;
    if (ended < 0 && errno != EINTR) return false;
    if (!cancelled) continue;
    if (cancelled()) throw Cancelled();
    ::poll(nullptr, 0, slice);
  }
  pid_ = -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string Child::last_error_line() const {
  std::array<char, 4096> end;
  const off_t size = ::lseek(complaints_, 0, SEEK_END);
  const off_t from = size > static_cast<off_t>(end.size()) ? size - off_t{end.size()} : 0;
  const ssize_t got = ::pread(complaints_, end.data(), end.size(), from);
  std::string text(end.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

bool is_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace sfumato::files
