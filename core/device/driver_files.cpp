// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads .icd files and the modification times of the libraries they name.
#include "device/driver_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "device/opencl_loader.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

std::string environment_text(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool is_icd(const fs::path& path) {
  return path.extension() == ".icd";
}

// Size and modification time; empty if there is no such file.
std::string state_of(const fs::path& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return {};
  return std::to_string(s.st_size) + " " + std::to_string(s.st_mtim.tv_sec) + "." +
         std::to_string(s.st_mtim.tv_nsec);
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

// Approximates the dynamic linker's search. A library found elsewhere has no state of its own here
// and counts as changed whenever the linker's cache changes.
fs::path found_library(const std::string& library) {
  if (library.find('/') != std::string::npos) return library;
  std::vector<std::string> folders = split(environment_text("LD_LIBRARY_PATH"));
  if (const fs::path loader = opencl_library(); !loader.empty()) {
    folders.push_back(loader.parent_path().string());
  }
  folders.insert(folders.end(), {"/usr/local/lib", "/usr/lib", "/lib"});
  for (const std::string& folder : folders) {
    std::error_code error;
    if (fs::exists(fs::path(folder) / library, error)) return fs::path(folder) / library;
  }
  return {};
}

// Reads the first line, as the loader does.
bool read_icd(const fs::path& file, DriverFile& driver) {
  std::ifstream in(file);
  if (!std::getline(in, driver.library) || driver.library.empty()) return false;
  std::error_code error;
  // The link's own name counts: its target need not end in .icd.
  driver.icd = fs::absolute(file, error);
  return true;
}

void add(const fs::path& named, bool listed, std::vector<DriverFile>& found) {
  DriverFile driver;
  driver.listed = listed;
  std::error_code error;
  if (!is_icd(named)) {
    if (named.has_parent_path() && !fs::exists(named, error)) return;  // a folder, once
    driver.library = named.string();
  } else if (!read_icd(named, driver)) {
    return;
  }
  found.push_back(std::move(driver));
}

}  // namespace

std::string DriverFile::name() const {
  return printable(icd.empty() ? library : icd.filename().string());
}

std::string DriverFile::identity() const {
  std::error_code error;
  const fs::path file = icd.empty() ? icd : fs::canonical(icd, error);
  return (error ? icd : file).string() + " | " + library + " | ";
}

std::string DriverFile::version() const {
  const fs::path file = found_library(library);
  const std::string state = file.empty() ? linker_state() : state_of(file);
  return identity() + (icd.empty() ? "" : state_of(icd)) + " | " + file.string() + " | " + state;
}

std::string linker_state() {
  return state_of("/etc/ld.so.cache");
}

std::vector<DriverFile> list_driver_files() {
  std::vector<DriverFile> found;
  for (const std::string& named : split(environment_text("OCL_ICD_FILENAMES")))
    add(named, true, found);
  fs::path usual = environment_text("OPENCL_VENDOR_PATH");
  if (usual.empty()) usual = "/etc/OpenCL/vendors";
  fs::path vendors = environment_text("OCL_ICD_VENDORS");
  if (vendors.empty()) vendors = usual;
  std::error_code error;
  if (!fs::is_directory(vendors, error)) {
    // A name without a folder refers to the default folder.
    const bool bare = is_icd(vendors) && !vendors.has_parent_path();
    add(bare && fs::exists(usual / vendors, error) ? usual / vendors : vendors, false, found);
    return found;
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator it(vendors, error), end; !error && it != end; it.increment(error)) {
    if (is_icd(it->path())) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) add(file, false, found);
  return found;
}

}  // namespace sfumato
