// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Every way to run a pass on this machine: each device in each form, without a cache on disk.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "engine/session.hpp"
#include "support/not_empty.hpp"

namespace sfumato::testing {

struct Runner {
  std::string label;
  DeviceInfo device;
  Form form;
};

/// Those of `all` that SFUMATO_TEST_DEVICE asks for.
inline std::vector<DeviceInfo> requested(const std::vector<DeviceInfo>& all) {
  const char* request = std::getenv("SFUMATO_TEST_DEVICE");
  return choose_devices(all, request != nullptr ? request : "auto");
}

/// The GPU form on each device of OpenCL, and the CPU form on the built-in one; with
/// SFUMATO_TEST_ALL or SFUMATO_TEST_FORM on OpenCL's CPU devices, too (it needs more local memory
/// than GPUs have). SFUMATO_TEST_DEVICE restricts the devices by name, SFUMATO_TEST_FORM (gpu or
/// cpu) the forms. Empty if there is no device: for tests that then skip with a reason.
inline std::vector<Runner> find_runners() {
  const char* only = std::getenv("SFUMATO_TEST_FORM");
  std::vector<Runner> out;
  const std::vector<DeviceInfo> all = requested(list_devices());
  const bool has_built_in =
      std::any_of(all.begin(), all.end(), [](const DeviceInfo& d) { return d.built_in; });
  const bool everything =
      only != nullptr || std::getenv("SFUMATO_TEST_ALL") != nullptr || !has_built_in;
  for (const DeviceInfo& d : all) {
    if (d.cpu && (d.built_in || everything) && (only == nullptr || std::string(only) == "cpu")) {
      out.push_back({d.name + ", CPU form", d, Form::cpu});
    }
    if (!d.built_in && (only == nullptr || std::string(only) == "gpu")) {
      out.push_back({d.name + ", GPU form", d, Form::gpu});
    }
  }
  return out;
}

/// find_runners(), which must not be empty.
inline std::vector<Runner> runners() {
  return not_empty(find_runners(), "OpenCL devices for this test");
}

/// Each device once, in its natural form.
inline std::vector<Runner> natural_runners() {
  std::vector<Runner> out = runners();
  std::erase_if(out, [](const Runner& r) { return r.form != r.device.natural_form(); });
  return not_empty(std::move(out), "devices in the form that suits them");
}

/// OpenCL's CPU devices; without any, tests that need one skip.
inline std::vector<DeviceInfo> cpu_devices() {
  std::vector<DeviceInfo> out = list_opencl_devices();
  std::erase_if(out, [](const DeviceInfo& d) { return !d.cpu; });
  return out;
}

inline std::unique_ptr<Backend> open(const Runner& runner, double tile_limit = 1e9) {
  return make_device_backend(runner.device, target_of(runner.device, runner.form),
                             {std::size_t{4} << 30, tile_limit, 3e9}, {}, {});
}

}  // namespace sfumato::testing
