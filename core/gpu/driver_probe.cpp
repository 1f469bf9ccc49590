// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Trying drivers in a child process, and remembering what came of it.
#include "gpu/driver_probe.hpp"

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
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "gpu/device.hpp"
#include "gpu/program_cache.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr std::string_view mode = "--probe-opencl-driver";
constexpr char no_driver[] = "/nonexistent/none.icd";
constexpr std::string_view head = "sfumato-drivers-1";

// What the child tells through its pipe: that it tries, that the library is there and the devices
// are listed, or why the library cannot be loaded. The first comes from no other program.
constexpr std::string_view tries = "tries:";
constexpr char loaded = 'l', listed = 'd', not_loaded = 'e';

constexpr char missing[] = "its library cannot be loaded";

struct Outcome {
  std::string told;
  bool ended = false, hangs = false;
  int status = 0;
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
    // Ctrl-C in the terminal is not the driver's fault: a group of its own.
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
                icd = driver.icd.string();
    char* const words[] = {name.data(), word.data(), library.data(), icd.data(), nullptr};
    if (::posix_spawn(&id_, name.c_str(), &files, &how, words, environ) != 0) id_ = -1;
    ::posix_spawnattr_destroy(&how);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  ~Trial() {
    if (id_ > 0) {
      ::kill(-id_, SIGKILL);
      while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (pipe_ >= 0) ::close(pipe_);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Nothing where the child could not be started, or nobody waits for it any more.
  std::optional<Outcome> outcome(const ProbeOptions& options) {
    if (id_ <= 0) return std::nullopt;
    Outcome out;
    const auto begun = steady_clock::now();
    auto at_work = begun;
    double used = 0;
    while (true) {
      read_into(out.told);
      if (const pid_t gone = ::waitpid(id_, &out.status, WNOHANG); gone == id_) {
        id_ = -1;
        out.ended = true;
        while (read_into(out.told)) {
        }
        return of_a_driver(std::move(out));
      } else if (gone < 0 && errno != EINTR) {
        id_ = -1;
        return std::nullopt;
      }
      if (options.cancelled && options.cancelled()) return std::nullopt;
      const auto now = steady_clock::now();
      if (const double more = processor_seconds(); more > used) {
        used = more;
        at_work = now;
      }
      out.hangs = now - at_work > options.patience || now - begun > 10 * options.patience;
      if (out.hangs) return of_a_driver(std::move(out));
    }
  }

 private:
  // Nothing where the program tries no drivers: an older one, or one that could not begin.
  static std::optional<Outcome> of_a_driver(Outcome out) {
    if (out.told.rfind(tries, 0) != 0) return std::nullopt;
    out.told.erase(0, tries.size());
    return out;
  }

  // Waits a little for something to read; whether there was any.
  bool read_into(std::string& told) const {
    std::array<char, 512> piece{};
    pollfd waiting{pipe_, POLLIN, 0};
    if (::poll(&waiting, 1, 10) <= 0) return false;
    const ssize_t got = ::read(pipe_, piece.data(), piece.size());
    if (got > 0) told.append(piece.data(), static_cast<std::size_t>(got));
    // Closed by a child that is not gone yet.
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

std::string fault_of(const Outcome& out) {
  if (!out.told.empty() && out.told[0] == not_loaded) {
    return missing + (" (" + out.told.substr(1) + ")");
  }
  if (out.told.find(listed) != std::string::npos) return {};
  const bool was_loaded = out.told.find(loaded) != std::string::npos;
  const char* when =
      was_loaded ? " while it is asked for its devices" : " while its library is loaded";
  if (out.hangs) return std::string("it hangs") + when;
  if (WIFSIGNALED(out.status)) return std::string("it crashes") + when;
  return std::string("it ends the program") + when;
}

// Ended from outside, as where there is no memory: that may go better next time.
bool is_driver_s_own(const Outcome& out) {
  if (!out.ended || !WIFSIGNALED(out.status)) return true;
  const int signal = WTERMSIG(out.status);
  return signal != SIGKILL && signal != SIGTERM && signal != SIGINT && signal != SIGHUP;
}

// Faults by the version of the driver that they are for. A damaged file holds fewer.
using Verdicts = std::map<std::string, std::string>;

Verdicts read_verdicts(const fs::path& file) {
  Verdicts known;
  std::string text;
  if (!read_file(file, text)) return known;
  std::istringstream in(text);
  std::string line;
  if (!std::getline(in, line) || line != head) return known;
  while (std::getline(in, line)) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) known[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return known;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

// What was known of other versions of the driver.
void forget(const DriverFile& driver, Verdicts& known) {
  const std::string of_any = one_line(driver.identity());
  std::erase_if(known, [&](const auto& one) { return one.first.rfind(of_any, 0) == 0; });
}

}  // namespace

bool DriverVerdict::ends_programs() const {
  return !fault.empty() && fault.rfind(missing, 0) != 0;
}

std::string DriverVerdict::sentence() const {
  return "the OpenCL driver " + driver.name() + " is left out: " + fault;
}

std::vector<DriverVerdict> judge_drivers(const std::vector<DriverFile>& drivers,
                                         const ProbeOptions& options) {
  const fs::path file =
      options.cache_folder.empty() ? fs::path() : options.cache_folder / "drivers";
  auto known = file.empty() ? Verdicts() : read_verdicts(file);
  std::vector<DriverVerdict> verdicts;
  bool changed = false;
  for (const DriverFile& driver : drivers) {
    DriverVerdict verdict{driver, "", false};
    const std::string good = one_line(driver.version());
    const std::string bad = good + " | " + linker_state();
    if (known.contains(good)) {
      // as it was
    } else if (const auto found = known.find(bad); found != known.end()) {
      verdict.fault = found->second;
    } else if (const auto out = Trial(driver, options.program).outcome(options)) {
      verdict.fault = one_line(fault_of(*out));
      verdict.fresh = true;
      if (is_driver_s_own(*out)) {
        forget(driver, known);
        known[verdict.fault.empty() ? good : bad] = verdict.fault;
        changed = true;
      }
    }
    verdicts.push_back(std::move(verdict));
  }
  if (changed && !file.empty()) {
    std::string text(head);
    for (const auto& [version, fault] : known) {
      text.append("\n").append(version).append("\t").append(fault);
    }
    write_file_atomically(file, text + "\n");
  }
  return verdicts;
}

void leave_out_all_drivers() {
  ::setenv("OCL_ICD_VENDORS", no_driver, 1);
  ::unsetenv("OCL_ICD_FILENAMES");
}

void leave_out_bad_drivers(const std::vector<DriverVerdict>& verdicts, const fs::path& cache) {
  std::string listed_ones, all;
  std::vector<fs::path> files;
  bool any_bad = false, any_named = false;
  for (const DriverVerdict& one : verdicts) {
    any_bad |= !one.fault.empty();
    if (!one.fault.empty()) continue;
    if (one.driver.listed) {
      const std::string name =
          one.driver.icd.empty() ? one.driver.library : one.driver.icd.string();
      listed_ones += (listed_ones.empty() ? "" : ":") + name;
    } else if (one.driver.icd.empty()) {
      any_named = true;  // OCL_ICD_VENDORS is the library's name
    } else {
      files.push_back(one.driver.icd);
      all += one.driver.icd.string() + "\n";
    }
  }
  if (!any_bad) return;
  leave_out_all_drivers();
  if (!listed_ones.empty()) ::setenv("OCL_ICD_FILENAMES", listed_ones.c_str(), 1);
  if (files.empty() || any_named) return;
  // Two folders may hold files of one name, and the loader takes them in any order.
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "vendors-%016llx",
                static_cast<unsigned long long>(fnv1a(all)));
  const fs::path folder = cache / name.data();
  std::error_code error;
  if (!cache.empty()) fs::create_directories(folder, error);
  bool linked = !cache.empty() && !error;
  for (std::size_t i = 0; linked && i < files.size(); ++i) {
    const fs::path link = folder / (std::to_string(i) + "-" + files[i].filename().string());
    if (fs::read_symlink(link, error) == files[i]) continue;
    fs::remove(link, error);
    fs::create_symlink(files[i], link, error);
    linked = !error || fs::read_symlink(link, error) == files[i];
  }
  // Without a folder one driver can still be named.
  ::setenv("OCL_ICD_VENDORS", linked ? folder.c_str() : files[0].c_str(), 1);
}

void probe_if_asked(int argc, char** argv) {
  if (argc != 4 || argv[1] != mode) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody waits any more
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // A crash is told by its signal, whoever would catch it.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  const int told = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  // What drivers print is no answer of ours.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  const auto tell = [told](std::string_view text) {
    if (::write(told, text.data(), text.size()) < 0) ::_exit(1);
  };
  tell(tries);
  const std::string library = argv[2], icd = argv[3];
  if (::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr) {
    const char* why = ::dlerror();
    tell(not_loaded + std::string(why != nullptr ? why : library));
    ::_exit(0);
  }
  tell({&loaded, 1});
  // One loader takes an .icd file's name here, the other a library's there.
  ::setenv("OCL_ICD_VENDORS", icd.empty() ? library.c_str() : icd.c_str(), 1);
  ::setenv("OCL_ICD_FILENAMES", library.c_str(), 1);
  (void)list_devices();
  tell({&listed, 1});
  ::_exit(0);
}

}  // namespace sfumato
