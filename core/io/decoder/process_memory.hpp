// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much memory a process has.
#pragma once

#include <cstddef>

namespace sfumato::decoder {

/// Bytes of private memory that a process may write to (proc(5): data and stack); 0 if unknown.
std::size_t data_in_use(long process);

}  // namespace sfumato::decoder
