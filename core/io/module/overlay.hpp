// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A file of which some bytes are shown otherwise.
#pragma once

#include <OpenImageIO/filesystem.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace sfumato::files {

/// Bytes, and where they stand.
struct Patch {
  std::uint64_t at = 0;
  std::string bytes;
};

/// A file that shows its bytes in other places: all is read by pread().
class PlacedFile : public OIIO::Filesystem::IOFile {
 public:
  explicit PlacedFile(std::FILE* file) : IOFile(file, Read) {}

  std::size_t read(void* to, std::size_t size) override {
    const std::size_t got = pread(to, size, m_pos);
    m_pos += static_cast<std::int64_t>(got);
    return got;
  }
  bool seek(std::int64_t offset) override {
    m_pos = offset;
    return true;
  }
};

class Overlay final : public OIIO::Filesystem::IOFile {
 public:
  Overlay(std::FILE* file, std::vector<Patch> patches)
      : IOFile(file, Read), patches_(std::move(patches)) {}

  std::size_t read(void* to, std::size_t size) override {
    const auto from = static_cast<std::uint64_t>(tell());
    return patched(static_cast<char*>(to), from, IOFile::read(to, size));
  }
  std::size_t pread(void* to, std::size_t size, std::int64_t offset) override {
    return patched(static_cast<char*>(to), static_cast<std::uint64_t>(offset),
                   IOFile::pread(to, size, offset));
  }

 private:
  // `size` bytes were read from `from` on.
  std::size_t patched(char* to, std::uint64_t from, std::size_t size) const {
    for (const Patch& patch : patches_) {
      const std::uint64_t begin = std::max(from, patch.at);
      const std::uint64_t end = std::min(from + size, patch.at + patch.bytes.size());
      if (begin >= end) continue;
      std::copy_n(patch.bytes.data() + (begin - patch.at), end - begin, to + (begin - from));
    }
    return size;
  }

  std::vector<Patch> patches_;
};

}  // namespace sfumato::files
