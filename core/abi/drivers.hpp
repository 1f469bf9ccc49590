// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Loading OpenCL drivers in someone else's program.
#pragma once

#include "engine/session.hpp"

namespace sfumato {

/// If a driver would end this program, or memory is too short for any driver, turns the session
/// into one on the scalar reference, with a warning that says why. sfumato-worker tries the
/// drivers, if it is installed.
void keep_from_bad_drivers(SessionOptions& options);

}  // namespace sfumato
