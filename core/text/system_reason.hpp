// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reasons given by the operating system.
#pragma once

#include <system_error>

#include "text/message.hpp"

namespace sfumato {

/// The meaning of an `errno`; for rare ones, the system's own text.
Message system_reason(int error);
Message system_reason(const std::error_code& error);

}  // namespace sfumato
