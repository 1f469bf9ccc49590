// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opens and reads damaged files of every format, as users do, and counts what becomes of them.
//   campaign [--seed N|today] [--count N] [--workers N] [--format NAME] [--keep FOLDER]
// Exit status 1 if the program that reads crashed or used up a minute of processor time for one
// file, if anything was left behind, or if a file that was not damaged was not read. A seed gives
// the same files, however many workers there are. `--keep` keeps the files that were neither read
// nor refused.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "fuzz/damage.hpp"
#include "io/io.hpp"

namespace {

using namespace sfumato;
using namespace sfumato::fuzz;
namespace fs = std::filesystem;

enum Outcome { read, refused, ended, hung, crashed, outcomes };
constexpr std::array<const char*, outcomes> columns = {"read", "refused", "decoder ended", "hung",
                                                       "crashed"};
// Processor time, so that a busy machine makes no difference.
constexpr double longest = 10, longest_of_worker = 60;  // seconds
constexpr int slice = 5000;                             // ms

struct Options {
  std::uint64_t seed = 1;
  long count = 1000, from = 0, workers = 1;
  std::string format, keep;
  bool worker = false;
};

Options options_in(int argc, char** argv) {
  Options out;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], text = argv[i + 1];
    if (name == "--seed" && text == "today") {
      const std::time_t now = std::time(nullptr);
      out.seed = static_cast<std::uint64_t>(std::gmtime(&now)->tm_yday) + 1;
    } else if (name == "--seed") {
      out.seed = std::strtoull(text.c_str(), nullptr, 10);
    } else if (name == "--count") {
      out.count = std::strtol(text.c_str(), nullptr, 10);
    } else if (name == "--workers") {
      out.workers = std::clamp(std::strtol(text.c_str(), nullptr, 10), 1l, 64l);
    } else if (name == "--format") {
      out.format = text;
    } else if (name == "--keep") {
      out.keep = text;
    } else if (name == "--worker") {
      out.worker = true;
      out.from = std::strtol(text.c_str(), nullptr, 10);
    } else {
      std::fprintf(stderr, "campaign: unknown option %s\n", name.c_str());
      std::exit(2);
    }
  }
  return out;
}

// A folder that is removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "sfumato-campaign-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Outcome outcome_of(const fs::path& file) {
  try {
    const auto picture = open_picture(file);
    read_all(*picture);
    return read;
  } catch (const FileError& error) {
    const std::string& id = error.message().id;
    if (id == "decoder.hangs" || id == "decoder.too_long") return hung;
    return id.starts_with("decoder.") && id != "decoder.no_picture" && id != "decoder.failed" &&
                   id != "decoder.no_memory" && id != "decoder.little_memory"
               ? ended
               : refused;
  } catch (const std::bad_alloc&) {
    return refused;
  }
}

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Reads files from number `from` on, as many apart as there are workers; prints lines for each.
int work(const Options& options) {
  const Folder folder;
  std::vector<Sample> all = samples(folder.path());
  std::erase_if(all, [&](const Sample& sample) {
    return !options.format.empty() && sample.format != options.format;
  });
  if (all.empty()) {
    std::fprintf(stderr, "campaign: there is no format %s\n", options.format.c_str());
    return 2;
  }
  std::vector<std::vector<Field>> fields;
  for (const Sample& sample : all) fields.push_back(fields_of(sample));
  for (long i = options.from; i < options.count; i += options.workers) {
    const std::size_t which = static_cast<std::size_t>(i) % all.size();
    const Sample& sample = all[which];
    Random random(options.seed * 1'000'003 + static_cast<std::uint64_t>(i));
    // The first of each sample is whole.
    const bool whole = static_cast<std::size_t>(i) < all.size();
    const std::uint64_t turn = static_cast<std::uint64_t>(i) / all.size() + options.seed * 7919;
    const std::string bytes = whole ? sample.bytes : damaged(sample, fields[which], turn, random);
    const std::string name = sample.format + "-" + std::to_string(i) + "." + sample.extension;
    const fs::path file = folder.path() / name;
    std::ofstream(file, std::ios::binary) << bytes;
    std::printf("%ld %s\n", i, sample.format.c_str());
    std::fflush(stdout);
    // The decoder's own is limited.
    const double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    Outcome outcome = outcome_of(file);
    // A program waits for a decoder only so long, which a busy machine may use up.
    for (int again = 0; whole && outcome == hung && again < 5; ++again) outcome = outcome_of(file);
    if (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start > longest) outcome = hung;
    std::error_code error;
    if (outcome > refused && !options.keep.empty()) {
      fs::copy_file(file, fs::path(options.keep) / name, error);
    }
    fs::remove(file, error);
    const bool left = !fs::is_empty(folder.path(), error);
    std::printf("%d %d %d\n", outcome, left ? 1 : 0, whole ? 1 : 0);
    std::fflush(stdout);
  }
  return 0;
}

// A worker process and the lines that it prints.
class Worker {
 public:
  Worker(const Options& options, long from) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    const std::string first = std::to_string(from), count = std::to_string(options.count),
                      seed = std::to_string(options.seed), step = std::to_string(options.workers);
    std::vector<const char*> words{"campaign",   "--worker",    first.c_str(),
                                   "--count",    count.c_str(), "--seed",
                                   seed.c_str(), "--workers",   step.c_str()};
    if (!options.format.empty()) words.insert(words.end(), {"--format", options.format.c_str()});
    if (!options.keep.empty()) words.insert(words.end(), {"--keep", options.keep.c_str()});
    words.push_back(nullptr);
    id_ = ::fork();
    if (id_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execv("/proc/self/exe", const_cast<char**>(words.data()));
      ::_exit(127);
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  ~Worker() {
    if (from_ >= 0) ::close(from_);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False at its end; then `silent` says whether it had to be killed.
  bool line(std::string& to, bool& silent) {
    to.clear();
    silent = false;
    clockid_t clock{};
    const bool clocked = ::clock_getcpuclockid(id_, &clock) == 0;
    const double start = clocked ? seconds_of(clock) : 0;
    for (char c = 0; to.size() < 200;) {
      pollfd wait{from_, POLLIN, 0};
      if (::poll(&wait, 1, slice) == 0) {
        if (!clocked || seconds_of(clock) - start < longest_of_worker) continue;
        silent = true;
        ::kill(id_, SIGKILL);
        return false;
      }
      if (::read(from_, &c, 1) != 1) return false;
      if (c == '\n') return true;
      to += c;
    }
    return false;
  }
  int status() {
    int status = -1;
    if (id_ > 0) ::waitpid(id_, &status, 0);
    id_ = -1;
    return status;
  }

 private:
  pid_t id_ = -1;
  int from_ = -1;
};

struct Counts {
  std::map<std::string, std::array<long, outcomes>> by_format;
  long left = 0, whole_refused = 0;
};

void print(const Counts& counts) {
  std::printf("%-10s", "");
  for (const char* name : columns) std::printf(" %13s", name);
  std::array<long, outcomes> sum{};
  for (const auto& [format, row] : counts.by_format) {
    std::printf("\n%-10s", format.c_str());
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::printf(" %13ld", row[i]);
      sum[i] += row[i];
    }
  }
  std::printf("\n%-10s", "all");
  for (const long number : sum) std::printf(" %13ld", number);
  std::printf("\nleft behind: %ld; whole files that were not read: %ld\n", counts.left,
              counts.whole_refused);
}

// What comes of the files of one worker, which is started again after a crash. False if it cannot
// work at all.
bool count_files(const Options& options, long first, Counts& counts) {
  long next = first;
  while (next < options.count) {
    Worker worker(options, next);
    std::string line, format;
    bool silent = false, open = false;
    while (worker.line(line, silent)) {
      if (!open) {
        const std::size_t space = line.find(' ');
        if (space == std::string::npos) return false;
        next = std::strtol(line.c_str(), nullptr, 10) + options.workers;
        format = line.substr(space + 1);
        open = true;
        continue;
      }
      int outcome = 0, left = 0, whole = 0;
      if (std::sscanf(line.c_str(), "%d %d %d", &outcome, &left, &whole) != 3) return false;
      ++counts.by_format[format][static_cast<std::size_t>(outcome)];
      counts.left += left;
      open = false;
      if (whole == 0 || outcome == read) continue;
      ++counts.whole_refused;
      std::printf("not read: %ld, %s\n", next - options.workers, format.c_str());
    }
    const int status = worker.status();
    if (open) {
      ++counts.by_format[format][crashed];
      std::printf("%s: %ld, %s\n", silent ? "silent" : "crashed", next - options.workers,
                  format.c_str());
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      return false;
    }
  }
  return true;
}

int run(const Options& options) {
  Counts counts;
  std::mutex mutex;
  bool worked = true;
  {
    std::vector<std::jthread> threads;
    for (long first = 0; first < options.workers; ++first) {
      threads.emplace_back([&, first] {
        Counts own;
        const bool good = count_files(options, first, own);
        const std::lock_guard lock(mutex);
        worked = worked && good;
        counts.left += own.left;
        counts.whole_refused += own.whole_refused;
        for (const auto& [format, row] : own.by_format) {
          for (std::size_t i = 0; i < row.size(); ++i) counts.by_format[format][i] += row[i];
        }
      });
    }
  }
  if (!worked) return 2;
  std::printf("seed %llu, %ld files\n", static_cast<unsigned long long>(options.seed),
              options.count);
  print(counts);
  bool good = counts.left == 0 && counts.whole_refused == 0;
  for (const auto& [format, row] : counts.by_format) {
    good = good && row[crashed] == 0;
  }
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = options_in(argc, argv);
  return options.worker ? work(options) : run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "campaign: %s\n", error.what());
  return 2;
}
