// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A small valid file of each format that can be opened.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sfumato::fuzz {

struct Sample {
  std::string format;     ///< "png", "tiff"...
  std::string extension;  ///< without the dot
  std::string bytes;
};

/// All of them; those that the program can write are written into `folder` and read back. Throws
/// FileError.
std::vector<Sample> samples(const std::filesystem::path& folder);

}  // namespace sfumato::fuzz
