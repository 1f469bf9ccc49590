// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads ordinary files only: a pipe that someone has put there would make an ifstream wait for
// ever.
#pragma once

#include <ext/stdio_filebuf.h>

#include <filesystem>
#include <istream>

#include "device/files.hpp"

namespace sfumato {

/// As a binary std::ifstream; it fails for what is no ordinary file.
class OrdinaryStream final : public std::istream {
 public:
  explicit OrdinaryStream(const std::filesystem::path& path)
      : std::istream(nullptr), bytes_(open_ordinary(path), std::ios::in | std::ios::binary) {
    rdbuf(&bytes_);
    if (!bytes_.is_open()) setstate(std::ios::failbit);
  }

 private:
  __gnu_cxx::stdio_filebuf<char> bytes_;
};

}  // namespace sfumato
