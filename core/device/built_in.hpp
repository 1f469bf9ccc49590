// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The processor as a device that needs no driver: which of the objects of kernels that came with
// the program fits it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace sfumato {

/// The built-in device. A fault may also tell why it is not the best one for this processor.
struct BuiltIn {
  std::optional<DeviceInfo> device;
  Message fault;
};

/// This process's, looked up at the first call; neither device nor fault if it was not built, or if
/// SFUMATO_BUILT_IN is "0" in the environment.
const BuiltIn& built_in();

/// The instruction sets that kernels are made for and this processor has, best first, such as
/// "x86-64-v3". Empty for a processor older than all of them.
std::vector<std::string> instruction_sets();

/// The object for the first of `sets` that is whole, in the first of `folders` that holds one.
BuiltIn find_built_in(std::span<const std::filesystem::path> folders,
                      std::span<const std::string> sets);

/// The name of the object for an instruction set.
std::string native_object_name(const std::string& set);

/// Whether a file ends with the length and the sum of what comes before, as
/// packaging/native_kernels.py writes them.
bool is_whole(const std::filesystem::path& object);

}  // namespace sfumato
