// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The boxes of a JP2 file (ISO/IEC 15444-1, annex I), around the codestream that OpenJPEG reads and
// writes.
#pragma once

#include <openjpeg.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/module/parts.hpp"

namespace sfumato::files {

// OpenJPEG's codecs and streams are of one type, a pointer to void.
struct OpjCodecDeleter {
  void operator()(opj_codec_t* p) const { opj_destroy_codec(p); }
};
struct OpjStreamDeleter {
  void operator()(opj_stream_t* p) const { opj_stream_destroy(p); }
};
struct OpjImageDeleter {
  void operator()(opj_image_t* p) const { opj_image_destroy(p); }
};
using OpjCodec = std::unique_ptr<opj_codec_t, OpjCodecDeleter>;
using OpjStream = std::unique_ptr<opj_stream_t, OpjStreamDeleter>;
using OpjImage = std::unique_ptr<opj_image_t, OpjImageDeleter>;

/// What stands before the codestream, which goes to the end of the file. `spec` holds the profile,
/// if any, and the resolution; colours are sRGB's if it says so, else only nearly.
std::string jp2_boxes(const OIIO::ImageSpec& spec, const Metadata& metadata);

/// Reads the resolution, EXIF, XMP and IPTC into attributes. A codestream without boxes holds none.
void read_jp2_boxes(const std::filesystem::path& path, OIIO::ImageSpec& spec);

/// One channel of the picture: a component of the codestream, or a column of the palette, into
/// which the component's samples are numbers of rows.
struct Jp2Channel {
  enum class Kind { colour, opacity, premultiplied_opacity, other };

  std::size_t component = 0;
  int column = -1;  ///< of the palette; -1: the component itself
  Kind kind = Kind::colour;
  int place = 0;  ///< of a colour, from 0; after all of them those of unknown place
};

/// The colours of a palette's rows, and how many bits each column has.
struct Jp2Palette {
  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<int> bits;
};

/// What the boxes say of the samples; a codestream alone says nothing.
struct Jp2Head {
  std::uint64_t codestream = 0, codestream_size = 0;  ///< where it is; of size 0 if there is none
  int codestreams = 0;                                ///< in boxes
  int space = -1;  ///< the number of the colour space; -1: a profile, or unknown
  std::vector<unsigned char> profile;
  Jp2Palette palette;
  /// Colours in their order, opacity, and others; each of a component and a column that are there.
  /// Without boxes that say so, the first three of three or more components are colours, else one.
  std::vector<Jp2Channel> channels;
};
Jp2Head read_jp2_head(const std::filesystem::path& path);

}  // namespace sfumato::files
