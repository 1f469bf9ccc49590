// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenCL's drivers in a program that is not ours.
#pragma once

#include "engine/session.hpp"

namespace sfumato {

/// Where a driver would end this program, or memory is too little for any: makes it a session of
/// the reference, which says why. Drivers are tried by sfumato-worker, where that is installed.
void keep_from_bad_drivers(SessionOptions& options);

}  // namespace sfumato
