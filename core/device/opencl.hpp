// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The Khronos C++ bindings, for the files that call OpenCL. No header includes this.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <CL/opencl.hpp>
#pragma GCC diagnostic pop

#include "device/device_error.hpp"

namespace sfumato {

/// Runs `body`, turning the bindings' errors into DeviceError. `what` names the operation, lazily:
/// "opening a queue", or a kernel's name.
template <typename What, typename Body>
auto checked(What&& what, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const cl::Error& e) {
    throw DeviceError(e.err(), message({"opencl.failed", "{what} failed ({status})"}, what(),
                                       status_name(e.err())));
  }
}

}  // namespace sfumato
