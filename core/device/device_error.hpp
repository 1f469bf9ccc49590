// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The one exception for device failures.
#pragma once

#include <CL/cl.h>

#include <string>
#include <utility>

#include "text/message.hpp"

namespace sfumato {

/// A device, its driver or its compiler failed. The engine retries with smaller tiles if memory(),
/// or on another device; a host only ever sees a warning.
class DeviceError : public MessageError {
 public:
  DeviceError(cl_int code, Message what) : MessageError(std::move(what)), code_(code) {}
  cl_int code() const { return code_; }
  /// Whether a smaller tile may succeed.
  bool memory() const;

 private:
  cl_int code_;
};

/// The name of an OpenCL status, such as CL_OUT_OF_RESOURCES.
std::string status_name(cl_int code);

}  // namespace sfumato
