// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What every target of libFuzzer provides beside LLVMFuzzerTestOneInput().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sfumato::fuzz {

/// Small valid inputs, from which others are made. They are written into the first folder that the
/// command line names, before libFuzzer reads it.
std::vector<std::string> seeds();

/// Ends the process with a report, as a crash does: what must hold does not.
[[noreturn]] void broken(const char* promise);

}  // namespace sfumato::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
