// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The processor itself as a device, with kernels that were compiled with the program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "device/driver.hpp"
#include "device/native_kernels.hpp"

namespace sfumato {

/// The kernels of one object, which stays loaded as long as this lives.
class NativeKernels {
 public:
  /// Throws DeviceError if the object cannot be loaded, or is none of this version.
  explicit NativeKernels(const std::filesystem::path& object);
  ~NativeKernels();
  NativeKernels(const NativeKernels&) = delete;
  NativeKernels& operator=(const NativeKernels&) = delete;

  /// `options` as Launch::options, in any order. Null if the object lacks it.
  const sfumato_native_kernel* find(const std::string& source, const std::string& options,
                                    const std::string& name) const;

 private:
  void* object_;
  const sfumato_native_table* table_ = nullptr;
};

/// The processor as a device that runs these kernels. A launch is done when it returns.
DeviceInfo native_device(std::shared_ptr<const NativeKernels> kernels);

/// Work for the interface comes first: threads that compute get less of a processor that is wanted
/// by others. For programs with windows, before anything is computed.
void yield_to_the_interface();

}  // namespace sfumato
