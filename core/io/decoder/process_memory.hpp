// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much memory a process has.
#pragma once

#include <cstddef>

namespace sfumato::decoder {

/// What a decoder may take to open a file: for what it holds of a header, and its threads. The
/// program allows more for what a header claims, and when it knows the picture's size.
inline constexpr std::size_t opening_bytes = std::size_t{1} << 30;

/// Bytes of private memory that a process may write to (proc(5): data and stack); 0 if unknown.
std::size_t data_in_use(long process);

}  // namespace sfumato::decoder
