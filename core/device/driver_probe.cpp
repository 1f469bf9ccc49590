// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Remembers the results of driver trials and excludes bad drivers.
#include "device/driver_probe.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "device/files.hpp"
#include "device/program_cache.hpp"
#include "text/message_json.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

constexpr char folder_name[] = "vendors-";
constexpr char no_driver[] = "/nonexistent/none.icd";
constexpr std::string_view head = "sfumato-drivers-5";
constexpr std::time_t month = std::time_t{30} * 24 * 60 * 60;  // seconds

// The limits are part of the record: a driver that lacks files, threads or memory may work without
// them.
std::string limits_state() {
  std::string state;
  for (const auto resource :
       {RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_FSIZE}) {
    rlimit limit{};
    const bool free = ::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY;
    state += " " + (free ? "-" : std::to_string(limit.rlim_cur));
  }
  return state;
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

// Verdicts by driver version, kept as lines of a file. Damaged lines are dropped.
class Record {
 public:
  explicit Record(const fs::path& cache_folder)
      : file_(cache_folder.empty() ? fs::path() : cache_folder / "drivers") {
    std::string text, line;
    if (file_.empty() || !read_file(file_, text)) return;
    std::istringstream in(text);
    if (!std::getline(in, line) || line != head) return;
    while (std::getline(in, line)) {
      const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
      const std::size_t third = second == std::string::npos ? second : line.find('\t', second + 1);
      if (first == std::string::npos || third == std::string::npos) continue;
      const auto fault = fault_in(line.substr(third + 1));
      if (!fault) continue;
      const bool gpus = line.substr(second + 1, third - second - 1) == gpus_word;
      const Entry entry{std::atoll(line.c_str() + first + 1), gpus, *fault};
      if (entry.fault.empty() || is_young(entry.since)) known_[line.substr(0, first)] = entry;
    }
  }

  // nullopt if the driver is unknown.
  std::optional<DriverVerdict> verdict_on(const DriverFile& driver) const {
    if (const auto good = known_.find(good_key(driver)); good != known_.end()) {
      return DriverVerdict{driver, {}, false, good->second.gpus};
    }
    const auto bad = known_.find(bad_key(driver));
    if (bad == known_.end()) return std::nullopt;
    return DriverVerdict{driver, bad->second.fault, false, false};
  }

  // Drops other versions of the driver. Verdicts under other limits stay valid for those limits.
  void keep(const DriverFile& driver, const Message& fault, bool gpus) {
    const std::string of_any = one_line(driver.identity()), good = good_key(driver);
    std::erase_if(known_, [&](const auto& one) {
      const bool same_version = one.first.rfind(good + between, 0) == 0;
      return one.first.rfind(of_any, 0) == 0 && (fault.empty() || !same_version);
    });
    known_[fault.empty() ? good : bad_key(driver)] = {std::time(nullptr), gpus, fault};
    changed_ = true;
  }

  void save() const {
    if (!changed_ || file_.empty()) return;
    std::string text(head);
    for (const auto& [version, entry] : known_) {
      text += "\n" + version + "\t" + std::to_string(entry.since) + "\t" +
              (entry.gpus ? gpus_word : "-") + "\t";
      if (!entry.fault.empty()) text += one_line_of(entry.fault);
    }
    write_file_atomically(file_, text + "\n");
  }

 private:
  struct Entry {
    std::time_t since = 0;
    bool gpus = false;
    Message fault;
  };
  static constexpr char gpus_word[] = "gpus";
  static constexpr char between[] = " | ";

  static std::string one_line_of(const Message& fault) {
    using Json = nlohmann::ordered_json;
    return json_of(fault).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  // Empty: the driver is good; nullopt: the line is damaged.
  static std::optional<Message> fault_in(const std::string& text) {
    if (text.empty()) return Message();
    return message_of_json(nlohmann::ordered_json::parse(text, nullptr, false));
  }
  static bool is_young(std::time_t since) {
    const std::time_t now = std::time(nullptr);
    return since > now - month && since < now + month;  // clocks may also be set back
  }
  static std::string good_key(const DriverFile& driver) { return one_line(driver.version()); }
  static std::string bad_key(const DriverFile& driver) {
    return good_key(driver) + between + linker_state() + between + limits_state();
  }

  fs::path file_;
  std::map<std::string, Entry> known_;
  bool changed_ = false;
};

}  // namespace

bool DriverVerdict::ends_programs() const {
  return !fault.empty() && fault.id != "driver.not_loaded";
}

Message DriverVerdict::sentence() const {
  return message({"driver.left_out", "the OpenCL driver {driver} is left out: {why}"},
                 driver.name(), fault);
}

std::vector<DriverVerdict> judge_drivers(const std::vector<DriverFile>& drivers,
                                         const ProbeOptions& options) {
  Record record(options.cache_folder);
  std::vector<DriverVerdict> verdicts;
  for (const DriverFile& driver : drivers) {
    DriverVerdict verdict{driver, {}, false, true};
    if (const auto known = record.verdict_on(driver)) {
      verdict = *known;
    } else if (const auto trial = try_driver(driver, options)) {
      verdict.fault = trial->fault;
      verdict.fresh = true;
      verdict.gpus = trial->gpus;
      if (trial->lasts) record.keep(driver, verdict.fault, verdict.gpus);
    }
    verdicts.push_back(std::move(verdict));
  }
  record.save();
  return verdicts;
}

std::optional<std::vector<DriverVerdict>> known_verdicts(const std::vector<DriverFile>& drivers,
                                                         const fs::path& cache_folder) {
  const Record record(cache_folder);
  std::vector<DriverVerdict> verdicts;
  for (const DriverFile& driver : drivers) {
    const auto known = record.verdict_on(driver);
    if (!known) return std::nullopt;
    verdicts.push_back(*known);
  }
  return verdicts;
}

void leave_out_all_drivers() {
  ::setenv("OCL_ICD_VENDORS", no_driver, 1);
  ::unsetenv("OCL_ICD_FILENAMES");
}

namespace {

// Removes link folders that no start has used for long; the drivers themselves stay. Each use
// renews the folder's time.
void remove_old_folders(const fs::path& cache) {
  std::error_code error;
  for (fs::directory_iterator it(cache, error), end; !error && it != end; it.increment(error)) {
    struct stat s {};
    const bool ours = it->path().filename().string().rfind(folder_name, 0) == 0 &&
                      ::lstat(it->path().c_str(), &s) == 0 && S_ISDIR(s.st_mode) &&
                      s.st_uid == ::geteuid();
    std::error_code ignored;
    if (ours && s.st_mtim.tv_sec < std::time(nullptr) - month) fs::remove_all(it->path(), ignored);
  }
}

// The good drivers, by the variable that passes them to the loader.
struct GoodDrivers {
  std::string listed;           // in OCL_ICD_FILENAMES
  std::vector<fs::path> files;  // in the folder of drivers
  bool any_named = false;       // OCL_ICD_VENDORS is the library's name
};

GoodDrivers good_drivers(const std::vector<DriverVerdict>& verdicts) {
  GoodDrivers good;
  for (const DriverVerdict& one : verdicts) {
    if (!one.fault.empty()) continue;
    if (one.driver.listed) {
      const std::string name =
          one.driver.icd.empty() ? one.driver.library : one.driver.icd.string();
      good.listed += (good.listed.empty() ? "" : ":") + name;
    } else if (one.driver.icd.empty()) {
      good.any_named = true;
    } else {
      good.files.push_back(one.driver.icd);
    }
  }
  return good;
}

// A folder with links to just these files; nullopt if it cannot be made.
std::optional<fs::path> folder_of_links(const std::vector<fs::path>& files, const fs::path& cache) {
  if (cache.empty()) return std::nullopt;
  std::string all;
  for (const fs::path& file : files) all += file.string() + "\n";
  std::array<char, 17> name{};
  std::snprintf(name.data(), name.size(), "%016llx", static_cast<unsigned long long>(fnv1a(all)));
  const fs::path folder = cache / (folder_name + std::string(name.data()));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return std::nullopt;
  ::utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);
  // Numbered, because files of two folders may share a name. The loader ignores the order.
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path link = folder / (std::to_string(i) + "-" + files[i].filename().string());
    if (fs::read_symlink(link, error) == files[i]) continue;
    fs::remove(link, error);
    fs::create_symlink(files[i], link, error);
    if (error && fs::read_symlink(link, error) != files[i]) return std::nullopt;
  }
  return folder;
}

}  // namespace

void leave_out_bad_drivers(const std::vector<DriverVerdict>& verdicts, const fs::path& cache) {
  if (!cache.empty()) remove_old_folders(cache);
  const bool any_bad = std::any_of(verdicts.begin(), verdicts.end(),
                                   [](const DriverVerdict& v) { return !v.fault.empty(); });
  if (!any_bad) return;
  const GoodDrivers good = good_drivers(verdicts);
  leave_out_all_drivers();
  if (!good.listed.empty()) ::setenv("OCL_ICD_FILENAMES", good.listed.c_str(), 1);
  if (good.files.empty() || good.any_named) return;
  const std::optional<fs::path> folder = folder_of_links(good.files, cache);
  // Without a folder, one driver can still be named.
  ::setenv("OCL_ICD_VENDORS", folder ? folder->c_str() : good.files[0].c_str(), 1);
}

}  // namespace sfumato
