// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Listing and choosing devices.
#include "device/device.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "device/built_in.hpp"
#include "device/free_descriptors.hpp"
#include "device/opencl.hpp"
#include "device/stdout_redirect.hpp"

namespace sfumato {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

// "OpenCL 1.2 CUDA" -> 12; 0 for an unusable answer.
int version_number(const std::string& version) {
  if (version.rfind("OpenCL ", 0) != 0 || version.size() < 10) return 0;
  return (version[7] - '0') * 10 + (version[9] - '0');
}

// PoCL does, unless its user forbids it.
bool keeps_kernels(const std::string& platform) {
  const char* allowed = std::getenv("POCL_KERNEL_CACHE");
  return platform == "Portable Computing Language" &&
         (allowed == nullptr || std::string_view(allowed) != "0");
}

DeviceInfo describe(const cl::Platform& platform, const cl::Device& device) {
  DeviceInfo info;
  info.handle = device();  // root devices live as long as the driver
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  info.platform = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
  info.version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
  info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
  info.cpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  // Oclgrind shares memory too, but does not notice writes to mapped memory.
  info.shares_memory = info.cpu && info.platform != "Oclgrind";
  info.keeps_kernels = keeps_kernels(info.platform);
  info.images = device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() != CL_FALSE;
  info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  info.global_memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.max_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  return info;
}

}  // namespace

std::string DeviceInfo::title() const {
  return twin > 0 ? name + " (" + std::to_string(twin) + ")" : name;
}

std::string DeviceInfo::identity() const {
  return platform + " | " + name + " | " + version + " | " + driver;
}

std::optional<Message> too_few_descriptors() {
  // Other threads may open some files meanwhile.
  constexpr int for_drivers = 16;
  if (has_free_descriptors(for_drivers)) return std::nullopt;
  return message({"driver.no_descriptors",
                  "OpenCL is not used: too many files are open; close some, or raise the limit "
                  "that is set here (ulimit -n)"});
}

std::vector<DeviceInfo> list_opencl_devices() {
  const auto turn = turn_at_scarce_descriptors();
  if (too_few_descriptors()) return {};
  // PoCL initialises its devices at the first query, which is not thread-safe.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  static bool loaded = false;
  std::optional<StdoutRedirect> redirect;
  if (!std::exchange(loaded, true)) redirect.emplace();
  std::vector<DeviceInfo> found;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return found;
  }
  for (const cl::Platform& platform : platforms) {
    try {
      std::vector<cl::Device> devices;
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
      for (const cl::Device& device : devices) {
        DeviceInfo info = describe(platform, device);
        const bool usable = version_number(info.version) >= 12 &&
                            device.getInfo<CL_DEVICE_AVAILABLE>() != CL_FALSE &&
                            device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>() != CL_FALSE;
        if (usable) found.push_back(std::move(info));
      }
    } catch (const cl::Error&) {
      continue;  // a platform without devices reports an error
    }
  }
  return found;
}

namespace {

std::atomic<bool> opencl_is_aside{false};

// Where a device stands in the list.
int rank(const DeviceInfo& device) {
  return !device.cpu ? 0 : device.built_in ? 1 : 2;
}

}  // namespace

void set_opencl_aside(bool aside) {
  opencl_is_aside = aside;
}

bool is_opencl_aside() {
  return opencl_is_aside;
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> found;
  if (!is_opencl_aside()) found = list_opencl_devices();
  if (const BuiltIn& own = built_in(); own.device) found.push_back(*own.device);
  std::stable_sort(found.begin(), found.end(),
                   [](const DeviceInfo& a, const DeviceInfo& b) { return rank(a) < rank(b); });
  number_twins(found);
  return found;
}

void number_twins(std::vector<DeviceInfo>& devices) {
  std::map<std::string, std::vector<DeviceInfo*>> by_name;
  for (DeviceInfo& device : devices) by_name[device.name].push_back(&device);
  for (const auto& [name, twins] : by_name) {
    int number = 0;
    for (DeviceInfo* device : twins) device->twin = twins.size() > 1 ? ++number : 0;
  }
}

std::vector<DeviceInfo> choose_devices(const std::vector<DeviceInfo>& all,
                                       std::string_view request) {
  const std::string word = lower(request);
  if (word.empty() || word == "auto") return all;
  if (word == "reference") return {};

  std::vector<DeviceInfo> chosen;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const auto is_in = [&word](const std::string& text) {
    return lower(text).find(word) != std::string::npos;
  };
  const bool is_number = error == std::errc() && end == word.data() + word.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const DeviceInfo& d = all[i];
    const bool fits = is_number       ? i == number
                      : word == "gpu" ? !d.cpu
                      : word == "cpu" ? d.cpu
                                      : is_in(d.title()) || is_in(d.platform) || is_in(d.version);
    if (fits) chosen.push_back(d);
  }
  // A whole name means this device, even where others' names begin with it.
  const auto is_meant = [&](const DeviceInfo& d) { return lower(d.title()) == word; };
  if (std::any_of(chosen.begin(), chosen.end(), is_meant)) {
    std::erase_if(chosen, [&](const DeviceInfo& d) { return !is_meant(d); });
  }
  if (chosen.empty()) {
    throw NoDeviceFits(
        message({"device.none_fits",
                 "no device fits \"{device}\"; choose another (`sfumato devices` lists them, "
                 "and \"reference\" runs without OpenCL)"},
                std::string(request)));
  }
  return chosen;
}

}  // namespace sfumato
