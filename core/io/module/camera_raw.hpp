// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What cameras say in raw files beside the sensor's values.
#pragma once

#include "io/module/exif.hpp"

namespace sfumato::files {

/// EXIF, IPTC and XMP of a raw file, without what is true of the sensor's values only; empty where
/// a maker's format is not known.
Metadata metadata_in_raw(const std::filesystem::path& path);
/// EXIF's orientation of the sensor's values, 1 to 8; LibRaw's picture lies as it is shown.
int orientation_in_raw(const std::filesystem::path& path);
/// Removes what LibRaw says where the file says nothing: zeros, and a day in 1970. States the date
/// as EXIF does.
void settle_raw(OIIO::ImageSpec& spec);
/// Whether there is something that a camera's maker states in words of its own.
bool says_by_maker(const OIIO::ImageSpec& spec);

}  // namespace sfumato::files
