// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The boxes of a JP2 file (ISO/IEC 15444-1, annex I), around the codestream that OpenJPEG writes.
#pragma once

#include <filesystem>
#include <string>

#include "io/module/parts.hpp"

namespace sfumato::files {

/// What stands before the codestream, which goes to the end of the file. `spec` holds the profile,
/// if any, and the resolution; colours are sRGB's if it says so, else only nearly.
std::string jp2_boxes(const OIIO::ImageSpec& spec, const Metadata& metadata);

/// Reads the resolution, EXIF, XMP and IPTC, which OpenImageIO 2.4 does not, into attributes. A
/// codestream without boxes holds none.
void read_jp2_boxes(const std::filesystem::path& path, OIIO::ImageSpec& spec);

}  // namespace sfumato::files
