// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What OpenCL devices there are, what they can do, and which one a user's words mean.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "device/device_error.hpp"

namespace sfumato {

/// Which form of a pass a device runs: groups with local memory and barriers, or strips of wide
/// vectors in one-item groups.
enum class Form : int { gpu, cpu };

/// Bytes of local memory within which every CPU form's launch can be laid.
inline constexpr std::size_t least_of_cpu_forms = std::size_t{256} << 10;

/// One OpenCL device as the engine sees it. Sizes are bytes.
struct DeviceInfo {
  std::string name, vendor, platform, version, driver;
  bool cpu = false;
  bool images = false;
  bool shares_memory = false;  ///< mapping a buffer costs no copy
  unsigned compute_units = 1;
  std::size_t global_memory = 0, local_memory = 0;
  std::size_t max_group = 1;
  int twin = 0;  ///< which of several devices of one name, from 1; 0 where it is alone
  cl_device_id handle = nullptr;

  /// The CPU forms' strips take up to 1 MiB of local memory, which is cache there, and get along
  /// with a quarter of it; a CPU device that offers less runs the GPU forms.
  Form natural_form() const {
    return cpu && local_memory >= least_of_cpu_forms ? Form::cpu : Form::gpu;
  }
  /// What people are told: the name, and of several of one name which: "NVIDIA H200 (2)".
  std::string title() const;
  /// Name, driver and version in one string: what a cached program or a passed test is good for.
  std::string identity() const;
};

/// All devices of OpenCL 1.2 or later with a compiler, GPUs first, then CPUs. Platforms that fail
/// to answer are passed over; with no OpenCL installed the list is empty. Never throws. Drivers
/// that end a process end it here too, unless start_opencl() was called before.
std::vector<DeviceInfo> list_devices();

/// Numbers the devices that have a name in common, in their order.
void number_twins(std::vector<DeviceInfo>& devices);

/// No device is what was asked for.
class NoDeviceFits : public MessageError {
 public:
  using MessageError::MessageError;
};

/// The devices that `request` allows, best first. `request` is "auto" (or empty: all), "gpu",
/// "cpu", "reference" (none), a number as `sfumato devices` prints it, or a part of a device's
/// title or its platform's name in any case. Throws NoDeviceFits.
std::vector<DeviceInfo> choose_devices(const std::vector<DeviceInfo>& all,
                                       std::string_view request);

}  // namespace sfumato
