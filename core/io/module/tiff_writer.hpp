// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Writes directories as TIFF stores them.
#pragma once

#include <cstdint>
#include <string>

#include "io/module/exif.hpp"

namespace sfumato::files {

constexpr int tiff_byte = 1, tiff_long = 4, tiff_undefined = 7, tiff_directory = 13,
              tiff_long8 = 16, tiff_directory8 = 18;
constexpr std::uint16_t exif_pointer = 0x8769, gps_pointer = 0x8825, interoperability = 0xa005;

/// Bytes of one value of a type; 0 for types that TIFF does not know.
std::uint64_t tiff_value_bytes(int type);
/// Bytes of a number in such a value, which the order of bytes is about; 1 for types that TIFF does
/// not know.
std::size_t tiff_unit(int type);
/// Reverses so many bytes at a time.
void reverse_units(std::string& bytes, std::size_t unit);
/// Converts between little-endian and big-endian order. Values of other types stay as they are.
void swap_tiff_value(std::string& value, int type);
std::string little_endian(std::uint64_t value, int bytes);

/// Makes bytes that will be at the offset `begin` of a file, which is even.
class TiffWriter {
 public:
  TiffWriter(bool big_endian, bool big_tiff, std::uint64_t begin)
      : big_endian_(big_endian), big_tiff_(big_tiff), begin_(begin) {}

  const std::string& bytes() const { return bytes_; }
  void put(std::string& to, std::uint64_t value, int bytes) const;
  /// Adds a directory and the values that do not fit into it; `next` is the offset of the next
  /// page's directory, or 0. Returns the new one's offset.
  std::uint64_t add(const TiffEntries& entries, std::uint64_t next);

 private:
  bool big_endian_, big_tiff_;
  std::uint64_t begin_;
  std::string bytes_;
};

}  // namespace sfumato::files
