// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much memory a picture takes while it is opened and processed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/plan.hpp"
#include "io/render_file.hpp"

namespace sfumato {

/// Bytes of main memory that the engine takes for a picture that it cannot cut into tiles; 0 if it
/// can.
std::size_t bytes_in_one_piece(const Recipe& recipe, const PictureFormat& from,
                               const PictureFormat& to, const Target& target);

/// Bytes that a recipe's role pictures may take: each as a whole, since a filter may read any part.
/// A picture that cannot be opened counts as 0; rendering reports it.
std::size_t bytes_of_roles(const Recipe& recipe, const InputPicture& picture,
                           const ReadOptions& options);

/// Bytes that a picture takes while it goes from file to file in the thinnest strips, an upper
/// estimate: rows across its whole width, with all channels of the file where they are copied, and
/// the blocks of rows that OpenEXR's compressions work on.
std::size_t bytes_in_thin_strips(const FileJob& job, const InputPicture& picture,
                                 const PictureFormat& to, const Target& target);

/// Bytes that opening a picture takes and keeps, judged by the file's first bytes; nullopt for
/// formats that opening may decode as a whole (WebP, HEIF, raw files...). Never throws; reads only
/// a little of the file.
std::optional<std::size_t> opening_bytes(const std::filesystem::path& path);

/// Estimates the same for other formats, from what earlier files of the same kind took in
/// proportion to their size on the disk. Not thread-safe.
class OpeningCosts {
 public:
  /// nullopt: none of this kind has been opened yet.
  std::optional<std::size_t> expected(const std::string& kind, std::uintmax_t size) const;
  void add_measurement(const std::string& kind, std::uintmax_t size, std::size_t bytes);

 private:
  std::map<std::string, double> ratios_;  ///< the largest by kind: bytes of memory per byte of file
};

}  // namespace sfumato
