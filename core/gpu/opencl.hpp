// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The Khronos C++ bindings, and the one exception that device trouble becomes.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <CL/opencl.hpp>
#pragma GCC diagnostic pop

#include <stdexcept>
#include <string>

namespace sfumato {

/// A device, its driver or its compiler failed. The engine answers with smaller tiles (`memory()`)
/// or another device; it never reaches a host as anything but a warning.
class DeviceError : public std::runtime_error {
 public:
  DeviceError(cl_int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  cl_int code() const { return code_; }
  /// True where a smaller tile may succeed.
  bool memory() const;

 private:
  cl_int code_;
};

/// The name of an OpenCL status, such as CL_OUT_OF_RESOURCES.
std::string status_name(cl_int code);

}  // namespace sfumato
