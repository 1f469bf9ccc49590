// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A small valid file of each format that can be opened.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sfumato::fuzz {

struct Sample {
  std::string format;     ///< "png", "tiff"...
  std::string extension;  ///< without the dot
  std::string bytes;
};

std::string file_bytes(const std::filesystem::path& file);

/// Of formats that the program reads and does not write. Some are encoded by other libraries and
/// programs; they are left out where these are missing.
std::vector<Sample> foreign_samples(const std::filesystem::path& folder);

/// All of them; those that the program can write are written into `folder` and read back. Throws
/// FileError.
std::vector<Sample> samples(const std::filesystem::path& folder);

}  // namespace sfumato::fuzz
