// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Entries of EXIF (JEITA CP-3451) as attributes, by the names that OpenImageIO gives them, and
// back.
#pragma once

#include <optional>

#include "io/module/exif.hpp"

namespace sfumato::files {

/// A text of EXIF as UTF-8; its parts, such as the photographer's and the editor's copyright, are
/// lines.
std::string text_in(const TiffEntry& entry);
/// A fraction of 32-bit numbers, the simplest that is this number as a float.
struct Fraction {
  std::uint32_t above = 0, below = 1;
};
Fraction fraction_of(double value);

/// All numbers of an attribute; none if it holds texts, or too many.
std::vector<double> numbers_in(const OIIO::ParamValue& attribute);
/// The attribute that says the same as an entry of the second or third directory; nullopt if none
/// can.
std::optional<OIIO::ParamValue> attribute_of(const Exif& exif, TiffEntries Exif::*directory,
                                             std::uint16_t tag);
/// Puts attributes into EXIF where it does not say the same already. Returns the names of those
/// that it has no place for.
std::vector<std::string> put_attributes(Exif& exif, const OIIO::ImageSpec& spec);

}  // namespace sfumato::files
