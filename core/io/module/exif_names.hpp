// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What EXIF's entries are called, and what they hold.
#pragma once

#include <span>
#include <string_view>

#include "io/module/exif.hpp"

namespace sfumato::files {

enum class EntryType : std::uint8_t {
  none,  ///< bytes that no attribute holds
  text,
  marked_text,  ///< after its character set, in eight bytes
  byte,
  one_byte,  ///< of the type for any bytes
  number16,
  signed16,
  number32,
  signed32,
  fraction,
  signed_fraction
};

struct EntryName {
  std::uint16_t tag;
  EntryType type;              ///< as an attribute becomes one
  std::string_view attribute;  ///< as OpenImageIO calls it
};

/// All that are known of a directory, and one of them; null if it is unknown.
std::span<const EntryName> entry_names(TiffEntries Exif::*directory);
const EntryName* entry_name(TiffEntries Exif::*directory, std::uint16_t tag);
/// The standard's name of an entry, or its number.
std::string name_of_entry(TiffEntries Exif::*directory, std::uint16_t tag);

}  // namespace sfumato::files
