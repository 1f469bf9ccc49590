// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a picture takes of memory: as it is opened, and in work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/plan.hpp"
#include "io/io.hpp"

namespace sfumato {

/// What the engine takes of main memory for a picture that it cannot cut into tiles; 0 where it
/// can.
std::size_t bytes_in_one_piece(const Recipe& recipe, const PictureFormat& from,
                               const PictureFormat& to, const Target& target);

/// What the files of a recipe's roles may take: all of each, as a filter may ask for any of it.
/// Faults show when they are used.
std::size_t bytes_of_roles(const Recipe& recipe, const InputPicture& picture,
                           const ReadOptions& options);

/// Bytes that opening a picture takes and keeps, as far as the file's first bytes tell; nullopt
/// for formats that may be decoded as a whole then (WebP, HEIF, raw files...). Never throws; reads
/// a little of the file.
std::optional<std::size_t> opening_bytes(const std::filesystem::path& path);

/// For the others: what files of the same kind took, by their size on the disk. Not for several
/// threads.
class OpeningCosts {
 public:
  /// nullopt: none of this kind has been opened yet.
  std::optional<std::size_t> expected(const std::string& kind, std::uintmax_t size) const;
  void learn(const std::string& kind, std::uintmax_t size, std::size_t bytes);

 private:
  std::map<std::string, double> ratios_;  ///< the largest by kind: bytes of memory by byte of file
};

}  // namespace sfumato
