// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Headers of Radiance HDR files (G. Ward, Radiance File Formats).
#pragma once

#include <optional>
#include <string>

#include "io/module/parts.hpp"

namespace sfumato::files {

/// What a header's lines say. Texts have a line for each line of the header.
struct RadianceHeader {
  bool xyz = false;   ///< the samples are XYZ instead of RGB
  double gamma = 1;   ///< of the display that the samples were corrected for
  double aspect = 1;  ///< a pixel's height divided by its width
  std::optional<Primaries> primaries;
  std::string exposures;  ///< lines with factors that samples are divided by to get radiances
  std::string software, date, texts;
  std::string axes;  ///< sizes and directions of rows and columns
  std::uint64_t place_of_axes = 0;
};
RadianceHeader radiance_header(const std::filesystem::path& path);

/// An attribute: RadianceHeader::exposures, which only such files can hold.
inline constexpr const char* radiance_exposures = "sfumato:exposures";

/// Puts what a file's header says into the description of its picture.
void read_radiance(const std::filesystem::path& path, OIIO::ImageSpec& spec);

/// Header lines, each with its end, for a picture; `texts`: with its comment.
std::string radiance_lines(const OIIO::ImageSpec& spec, const std::string& exposures, bool texts);

/// Where OpenImageIO's header has room for such lines: after the file's mark.
inline constexpr std::int64_t radiance_lines_at = 11;
/// Readers take lines of some length, and headers of some.
inline constexpr std::size_t radiance_text = 500, most_radiance_texts = 32768;

/// Writes EXIF's orientation into the header of a file that OpenImageIO wrote. False if that cannot
/// be written.
bool turn_radiance(int descriptor, const std::filesystem::path& path, const OIIO::ImageSpec& spec);

}  // namespace sfumato::files
