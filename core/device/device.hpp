// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The available devices, what they can do, and which of them a user's words select.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device_error.hpp"

namespace sfumato {

class Driver;

/// The two forms of a pass: work-groups with local memory and barriers, or strips of wide vectors
/// in one-item groups.
enum class Form : int { gpu, cpu };

/// Bytes of local memory that suffice for every launch in the CPU form.
inline constexpr std::size_t least_of_cpu_forms = std::size_t{256} << 10;

/// One device as the engine sees it. Sizes are in bytes.
struct DeviceInfo {
  std::string name, vendor, platform, version, driver;
  bool cpu = false;
  bool images = false;
  bool shares_memory = false;  ///< mapping a buffer copies nothing
  /// The driver keeps compiled kernels on disk and would compile them once more for a binary: PoCL.
  bool keeps_kernels = false;
  unsigned compute_units = 1;
  std::size_t global_memory = 0, local_memory = 0;
  std::size_t max_group = 1;
  int twin = 0;  ///< number among devices of the same name, from 1; 0 if the name is unique
  cl_device_id handle = nullptr;
  /// Its kernels came with the program, in the CPU form only; no OpenCL is needed.
  bool built_in = false;
  /// Launches are cut into pieces of so many rows of groups, however short they are; 0: only where
  /// they may take long. For tests: kernels must give the same pixels.
  std::size_t most_rows = 0;
  /// Opens the device; empty: OpenCL does.
  std::function<std::unique_ptr<Driver>(const DeviceInfo&)> open;

  /// The strips of the CPU forms use up to 1 MiB of local memory, which is cached memory there, and
  /// can work with a quarter of that. A CPU device that offers less runs the GPU forms.
  Form natural_form() const {
    return cpu && local_memory >= least_of_cpu_forms ? Form::cpu : Form::gpu;
  }
  /// For the user: the name, numbered if several devices share it: "NVIDIA H200 (2)".
  std::string title() const;
  /// Name, driver and version in one string: the key for cached programs and passed tests.
  std::string identity() const;
};

/// All devices, GPUs first, then the built-in one, then other CPUs: those of OpenCL 1.2 or later
/// with a compiler. Platforms that fail to answer are skipped. Never throws. A driver that ends its
/// process ends this one too, unless start_devices() was called before. While OpenCL is set aside,
/// only the built-in device is listed.
std::vector<DeviceInfo> list_devices();

/// Those of OpenCL alone, in no order.
std::vector<DeviceInfo> list_opencl_devices();

/// Whether list_devices() leaves OpenCL alone, as programs do that can work without. Any thread.
void set_opencl_aside(bool aside);
bool is_opencl_aside();

/// Why list_devices() may have found fewer than there are: PoCL ends the program where it cannot
/// open a file, so that no driver is asked without a number of free descriptors. Any thread.
std::optional<Message> too_few_descriptors();

/// Numbers devices that share a name, in list order.
void number_twins(std::vector<DeviceInfo>& devices);

/// No device matches the request.
class NoDeviceFits : public MessageError {
 public:
  using MessageError::MessageError;
};

/// The devices that `request` allows, best first. `request` is "auto" or empty (all), "gpu", "cpu",
/// "reference" (none), a number as `sfumato devices` prints it, or a part of a device's title, its
/// platform's name ("Sfumato": the built-in device) or its version ("PoCL"), ignoring case. Throws
/// NoDeviceFits.
std::vector<DeviceInfo> choose_devices(const std::vector<DeviceInfo>& all,
                                       std::string_view request);

}  // namespace sfumato
