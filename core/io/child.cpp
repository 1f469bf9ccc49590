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
#include <utility>

#include "image/parallel_rows.hpp"
#include "io/io.hpp"
#include "text/system_reason.hpp"

namespace sfumato::files {

namespace {

constexpr int slice = 50;  // milliseconds between two questions whether to stop

void close_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// What a program gets: descriptors under their numbers there. They are copied above all of these
// numbers first, so that none takes the place of another that is still to come.
class Given {
 public:
  explicit Given(std::size_t more) : least_(static_cast<int>(3 + more)) {
    ::posix_spawn_file_actions_init(&actions_);
  }
  ~Given() {
    ::posix_spawn_file_actions_destroy(&actions_);
    for (const int copy : copies_) ::close(copy);
  }
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;

  // False if there is no descriptor left; errno says why.
  bool give(int descriptor, int number) {
    const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, least_);
    if (copy < 0) return false;
    copies_.push_back(copy);
    return ::posix_spawn_file_actions_adddup2(&actions_, copy, number) == 0;
  }
  bool give_nothing_to_read() {
    return ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0) ==
           0;
  }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  int least_;
  std::vector<int> copies_;
  posix_spawn_file_actions_t actions_;
};

// Both ends, the first of which is read from.
struct Ends {
  int read = -1, written = -1;
  ~Ends() {
    close_open(read);
    close_open(written);
  }
};

bool open_pipe(Ends& ends) {
  std::array<int, 2> both{};
  if (::pipe2(both.data(), O_CLOEXEC) != 0) return false;
  ends.read = both[0];
  ends.written = both[1];
  return true;
}

// In place of a pipe: writing to one that is closed would end this program.
bool open_sockets(Ends& ends) {
  std::array<int, 2> both{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) != 0) return false;
  ends.read = both[0];
  ends.written = both[1];
  return true;
}

// In a process group of its own it is not reached by Ctrl-C. SIGPIPE ends it when nobody reads its
// output any more. Returns an error's number, or 0.
int spawn(const std::vector<std::string>& words, const Given& given, pid_t& child) {
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
      ::posix_spawnp(&child, arguments.front(), given.actions(), &how, arguments.data(), environ);
  ::posix_spawnattr_destroy(&how);
  if (error != 0) child = -1;
  return error;
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
  Ends to, from;
  Given given(input.more.size());
  const auto open_all = [&] {
    // Standard error goes to a file: nobody would empty a pipe while the output is read.
    complaints_ = ::memfd_create("complaints", MFD_CLOEXEC);
    if (complaints_ < 0 || !open_pipe(from) || (input.written && !open_sockets(to))) return false;
    bool good = input.written ? given.give(to.read, STDIN_FILENO) : given.give_nothing_to_read();
    good =
        good && given.give(from.written, STDOUT_FILENO) && given.give(complaints_, STDERR_FILENO);
    for (std::size_t i = 0; i < input.more.size(); ++i) {
      good = good && given.give(input.more[i], static_cast<int>(3 + i));
    }
    return good;
  };
  if (!open_all()) {
    const int error = errno;
    throw FileError(
        message({"program.not_started", "the program {program} cannot be started ({reason})"},
                words.front(), system_reason(error)));
  }
  output_ = std::exchange(from.read, -1);
  input_ = std::exchange(to.written, -1);
  const int error = spawn(words, given, pid_);
  if (error == 0) return;
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
