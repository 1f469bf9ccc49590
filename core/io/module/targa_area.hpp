// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the extension area of a TGA file says of its picture.
#pragma once

#include <filesystem>
#include <string>

#include "io/module/parts.hpp"

namespace sfumato::files {

inline constexpr std::size_t targa_area_bytes = 495;

/// Notes the area in a description, as it is, and the gamma that it states.
void read_targa_area(const std::filesystem::path& path, OIIO::ImageSpec& spec);
/// Whether a TGA file has a key colour, a working time, or a developer area (private tags).
bool has_in_targa(const OIIO::ImageSpec& spec, Property property);

/// An area with a description's author, title, program and date, and with comments; `cut` becomes
/// true if not all of them fit.
std::string targa_area_of(const OIIO::ImageSpec& spec, const std::string& comments, bool& cut);
/// That of a TGA file for another one, and the place on the screen behind it; without `texts` only
/// what samples and pixels are.
std::string carried_targa_area(const OIIO::ImageSpec& spec, bool texts, bool same_colors);
/// States the shape of pixels if it does not (0: square, which needs no word), and what the last
/// channel is.
std::string finished_targa_area(std::string area, double shape, bool alpha);
/// Replaces the area that OpenImageIO has written. False if the file cannot be written.
bool put_targa_area(int descriptor, const std::filesystem::path& path, const std::string& area);

}  // namespace sfumato::files
