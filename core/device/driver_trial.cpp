// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Loads one driver in a child process that may die.
#include "device/driver_trial.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "device/device.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr std::string_view mode = "--probe-opencl-driver";

// What the child writes to its pipe: that it is a trial, that the library is loaded and the devices
// are listed, with or without a GPU, or why the library cannot be loaded, permanently or for lack
// of a resource. No other program writes the first.
constexpr std::string_view tries = "tries:";
constexpr char loaded = 'l', listed = 'd', listed_gpus = 'g', not_loaded = 'e', scarce = 's';

constexpr std::array scarcities{EMFILE, ENFILE, ENOMEM, EAGAIN};

struct Outcome {
  std::string output;
  bool ended = false, hangs = false;
  std::optional<int> status;  ///< of a child that ended; nullopt: something else collected it
};

class Trial {
 public:
  Trial(const DriverFile& driver, const fs::path& program) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // A process group of its own, so that Ctrl-C in the terminal does not count as the driver's
    // fault.
    posix_spawnattr_t how;
    ::posix_spawnattr_init(&how);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&how, &all);
    ::posix_spawnattr_setsigmask(&how, &none);
    ::posix_spawnattr_setpgroup(&how, 0);
    ::posix_spawnattr_setflags(
        &how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    std::string name = program.string(), word(mode), library = driver.library,
                icd = driver.icd.string(), parent = std::to_string(::getpid());
    char* const words[] = {name.data(), word.data(),   library.data(),
                           icd.data(),  parent.data(), nullptr};
    if (::posix_spawn(&id_, name.c_str(), &files, &how, words, environ) != 0) id_ = -1;
    ::posix_spawnattr_destroy(&how);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  ~Trial() {
    if (id_ > 0) {
      ::kill(-id_, SIGKILL);
      ::kill(id_, SIGKILL);  // in case it has not yet joined its group, or has left it
      while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (pipe_ >= 0) ::close(pipe_);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // nullopt if the child could not be started, or the trial was cancelled.
  std::optional<Outcome> outcome(const DriverFile& driver, const ProbeOptions& options) {
    if (id_ <= 0) return std::nullopt;
    Outcome out;
    const auto started = steady_clock::now();
    auto at_work = started;
    double used = 0;
    bool silent = true;
    while (true) {
      read_into(out.output);
      if (has_gone(out)) {
        id_ = -1;
        out.ended = true;
        while (read_into(out.output)) {
        }
        return of_a_driver(std::move(out));
      }
      if (options.cancelled && options.cancelled()) return std::nullopt;
      const auto now = steady_clock::now();
      if (silent && options.takes_long && now - started > options.silence) {
        options.takes_long(driver);
        silent = false;
      }
      if (const double more = processor_seconds(); more > used) {
        used = more;
        at_work = now;
      }
      out.hangs = now - at_work > options.patience || now - started > 10 * options.patience ||
                  std::chrono::duration<double>(used) > 2 * options.patience;
      if (out.hangs) return of_a_driver(std::move(out));
    }
  }

 private:
  // nullopt if the program does not run trials: an older version, or one that could not start.
  static std::optional<Outcome> of_a_driver(Outcome out) {
    if (out.output.rfind(tries, 0) != 0) return std::nullopt;
    out.output.erase(0, tries.size());
    return out;
  }

  // The status is unavailable if the program ignores SIGCHLD or waits for all its children.
  bool has_gone(Outcome& out) const {
    int status = 0;
    const pid_t gone = ::waitpid(id_, &status, WNOHANG);
    if (gone == id_) out.status = status;
    return gone == id_ || (gone < 0 && errno == ECHILD);
  }

  // Waits briefly for input; returns whether there was any.
  bool read_into(std::string& output) const {
    std::array<char, 512> piece{};
    pollfd waiting{pipe_, POLLIN, 0};
    if (::poll(&waiting, 1, 10) <= 0) return false;
    const ssize_t got = ::read(pipe_, piece.data(), piece.size());
    if (got > 0) output.append(piece.data(), static_cast<std::size_t>(got));
    // Closed by a child that has not exited yet.
    if (got == 0) ::usleep(1000);
    return got > 0;
  }

  double processor_seconds() const {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  }

  pid_t id_ = -1;
  int pipe_ = -1;
};

bool has_gpus(const Outcome& out) {
  return out.output.find(listed_gpus) != std::string::npos;
}

bool was_listed(const Outcome& out) {
  return has_gpus(out) || out.output.find(listed) != std::string::npos;
}

Message fault_of(const Outcome& out) {
  if (out.output.starts_with(not_loaded) || out.output.starts_with(scarce)) {
    // The dynamic linker's text comes from outside and has no translation.
    return message({"driver.not_loaded", "its library cannot be loaded ({why})"},
                   printable(out.output.substr(1)));
  }
  const bool crashes = out.status && WIFSIGNALED(*out.status);
  if (was_listed(out)) {
    if (out.hangs) return message({"driver.hangs_at_end", "it hangs when the program ends"});
    if (crashes) return message({"driver.crashes_at_end", "it crashes when the program ends"});
    return {};
  }
  if (out.output.find(loaded) != std::string::npos) {
    if (out.hangs) {
      return message({"driver.hangs_listing", "it hangs while listing its devices"});
    }
    if (crashes) {
      return message({"driver.crashes_listing", "it crashes while listing its devices"});
    }
    return message({"driver.ends_listing", "it ends the program while listing its devices"});
  }
  if (out.hangs) return message({"driver.hangs_loaded", "it hangs while its library is loaded"});
  if (crashes) {
    return message({"driver.crashes_loaded", "it crashes while its library is loaded"});
  }
  return message({"driver.ends_loaded", "it ends the program while its library is loaded"});
}

// Whether the cause may be gone next time. Checked in the child, whose language the reason is in.
bool is_of_scarcity(const std::string& why) {
  return std::any_of(scarcities.begin(), scarcities.end(), [&](int error) {
    return why.find(std::strerror(error)) != std::string::npos;
  });
}

// Neither killed from outside, as when memory runs out, nor failed for lack of a resource.
bool is_driver_s_own(const Outcome& out) {
  if (out.output.starts_with(scarce)) return false;
  if (out.output.starts_with(not_loaded)) return true;
  if (!out.ended) return true;
  if (!out.status) return was_listed(out);
  if (!WIFSIGNALED(*out.status)) return true;
  const int signal = WTERMSIG(*out.status);
  return signal != SIGKILL && signal != SIGTERM && signal != SIGINT && signal != SIGHUP;
}

}  // namespace

std::optional<DriverTrial> try_driver(const DriverFile& driver, const ProbeOptions& options) {
  const auto out = Trial(driver, options.program).outcome(driver, options);
  if (!out) return std::nullopt;
  DriverTrial trial{fault_of(*out), is_driver_s_own(*out), false};
  trial.gpus = trial.fault.empty() && has_gpus(*out);
  return trial;
}

void probe_if_requested(int argc, char** argv) {
  if (argc != 5 || argv[1] != mode) return;
  // The child dies with its parent, which may already be gone.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(::getppid()) != argv[4]) ::_exit(1);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // A crash must end the process by its signal, whatever handlers the program has.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  const int pipe = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  // Output of drivers must not mix with ours.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  const auto tell = [pipe](std::string_view text) {
    if (::write(pipe, text.data(), text.size()) < 0) ::_exit(1);
  };
  tell(tries);
  const std::string library = argv[2], icd = argv[3];
  if (::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr) {
    const char* error = ::dlerror();
    const std::string why = error != nullptr ? error : library;
    tell((is_of_scarcity(why) ? scarce : not_loaded) + why);
    ::_exit(0);
  }
  tell({&loaded, 1});
  // Some loaders expect the name of an .icd file here, others that of a library.
  ::setenv("OCL_ICD_VENDORS", icd.empty() ? library.c_str() : icd.c_str(), 1);
  ::setenv("OCL_ICD_FILENAMES", library.c_str(), 1);
  const std::vector<DeviceInfo> devices = list_opencl_devices();
  const bool gpus = std::any_of(devices.begin(), devices.end(),
                                [](const DeviceInfo& device) { return !device.cpu; });
  tell({gpus ? &listed_gpus : &listed, 1});
  // A normal exit, to include the driver's exit handlers.
  std::exit(0);
}

}  // namespace sfumato
