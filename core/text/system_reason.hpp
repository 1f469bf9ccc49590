// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Why the system refused something.
#pragma once

#include <system_error>

#include "text/message.hpp"

namespace sfumato {

/// What an `errno` says; of one that is rarely met, the system's own words.
Message system_reason(int error);
Message system_reason(const std::error_code& error);

}  // namespace sfumato
