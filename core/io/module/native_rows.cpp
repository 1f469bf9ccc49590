// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows as a file holds them, with zero being black and the largest number white.
#include <cmath>
#include <limits>

#include "io/module/input.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

bool read_stored_rows(OIIO::ImageInput& in, int part, const ImageSpec& s, int y0, int y1, int begin,
                      int end, const TypeDesc& type, void* to) {
  // OpenImageIO 2.4 decodes several Deflate strips or tiles of a TIFF file itself and ignores
  // damaged ones. Single ones are decoded by libtiff, which does not.
  // Rows of doubles that are read one by one are wrong; they are read together.
  // libtiff cannot go back and forth between the strips of separate planes.
  const bool planes = s.tile_width == 0 && s.get_string_attribute("planarconfig") == "separate";
  const bool singly = !planes && s.get_string_attribute("compression") == "zip" &&
                      s.find_attribute("tiff:Compression") != nullptr &&
                      s.format != TypeDesc::DOUBLE;
  if (!singly) {
    return s.tile_width > 0
               ? in.read_tiles(part, 0, s.x, s.x + s.width, s.y + y0, s.y + y1, s.z, s.z + 1, begin,
                               end, type, to)
               : in.read_scanlines(part, 0, s.y + y0, s.y + y1, s.z, begin, end, type, to);
  }
  const std::size_t pixel = type == TypeDesc::UNKNOWN
                                ? s.pixel_bytes(begin, end, true)
                                : type.size() * static_cast<std::size_t>(end - begin);
  const std::size_t row = pixel * static_cast<std::size_t>(s.width);
  const bool tiled = s.tile_width > 0;
  const int rows = tiled ? s.tile_height : 1, columns = tiled ? s.tile_width : s.width;
  for (int y = y0; y < y1; y += rows) {
    const int below = std::min(y1, y + rows);
    for (int x = 0; x < s.width; x += columns) {
      const int right = std::min(s.width, x + columns);
      char* into = static_cast<char*>(to) + static_cast<std::size_t>(y - y0) * row +
                   static_cast<std::size_t>(x) * pixel;
      const bool ok =
          tiled ? in.read_tiles(part, 0, s.x + x, s.x + right, s.y + y, s.y + below, s.z, s.z + 1,
                                begin, end, type, into, static_cast<OIIO::stride_t>(pixel),
                                static_cast<OIIO::stride_t>(row))
                : in.read_scanlines(part, 0, s.y + y, s.y + below, s.z, begin, end, type, into);
      if (!ok) return false;
    }
  }
  return true;
}

// Turns gray that counts from white into gray that counts from black. OpenImageIO 2.4 does this for
// 8 bits only, and then to alpha, too.
template <typename Sample>
void count_from_black(Sample* at, std::size_t pixels, int begin, int end, int alpha,
                      bool premultiplied, bool turned, Sample white) {
  const auto channels = static_cast<std::size_t>(end - begin);
  for (Sample* const last = at + pixels * channels; at < last; at += channels) {
    for (int c = begin; c < end && turned; ++c) {
      Sample& sample = at[c - begin];
      sample = static_cast<Sample>(white - sample);
    }
    if (begin > 0) continue;
    const bool by_alpha = premultiplied && alpha >= 0 && alpha < end;
    const Sample most = by_alpha ? at[alpha] : white;
    at[0] = at[0] < most ? static_cast<Sample>(most - at[0]) : Sample{0};
  }
}

void count_from_black(void* rows, const TypeDesc& type, std::size_t pixels, const ImageSpec& s,
                      int begin, int end) {
  const bool premultiplied = s.get_int_attribute("oiio:UnassociatedAlpha") == 0;
  const bool turned = s.format == TypeDesc::UINT8;
  const auto turn = [&]<typename Sample>(Sample* at, Sample white) {
    count_from_black(at, pixels, begin, end, s.alpha_channel, premultiplied, turned, white);
  };
  switch (type.basetype) {
    case TypeDesc::UINT8:
      return turn(static_cast<std::uint8_t*>(rows), std::numeric_limits<std::uint8_t>::max());
    case TypeDesc::UINT16:
      return turn(static_cast<std::uint16_t*>(rows), std::numeric_limits<std::uint16_t>::max());
    case TypeDesc::UINT32:
      return turn(static_cast<std::uint32_t*>(rows), std::numeric_limits<std::uint32_t>::max());
    case TypeDesc::FLOAT:
      return turn(static_cast<float*>(rows), 1.0f);
    default:
      return;
  }
}

template <typename Sample>
void spread_exactly(Sample* at, std::size_t count, const TypeDesc& stored, int bits) {
  const auto most = stored == TypeDesc::UINT8 ? 0xffu : 0xffffu;
  const unsigned largest = (1u << bits) - 1;
  const int shift = static_cast<int>(8 * stored.size()) - bits;
  for (Sample* const last = at + count; at < last; ++at) {
    if constexpr (std::is_floating_point_v<Sample>) {
      const auto number = static_cast<unsigned>(std::lround(*at * static_cast<float>(most)));
      *at = static_cast<float>(number >> shift) / static_cast<float>(largest);
    } else {
      *at = static_cast<Sample>(((*at >> shift) * most + largest / 2) / largest);
    }
  }
}

// The bits of a sample where OpenImageIO spreads numbers of 6, 10, 12 or 14 bits over a type by
// repeating the first of them, which may be one off; else 0.
int repeated_bits(const OIIO::ImageInput& in, const ImageSpec& s) {
  constexpr int palette = 3;
  const std::string_view format = in.format_name();
  if (format != "tiff" && format != "dpx") return 0;
  if (s.get_int_attribute("tiff:PhotometricInterpretation") == palette) return 0;
  if (s.get_int_attribute(colors_of_palette) != 0) return 0;
  const int bits = s.get_int_attribute("oiio:BitsPerSample");
  const bool narrow =
      (s.format == TypeDesc::UINT8 && bits < 8) || (s.format == TypeDesc::UINT16 && bits < 16);
  return narrow && bits > 0 ? bits : 0;
}

void spread_exactly(void* rows, const TypeDesc& type, std::size_t count, const TypeDesc& stored,
                    int bits) {
  if (type == TypeDesc::UINT8 && stored == TypeDesc::UINT8) {
    spread_exactly(static_cast<std::uint8_t*>(rows), count, stored, bits);
  } else if (type == TypeDesc::UINT16 && stored == TypeDesc::UINT16) {
    spread_exactly(static_cast<std::uint16_t*>(rows), count, stored, bits);
  } else if (type == TypeDesc::FLOAT) {
    spread_exactly(static_cast<float*>(rows), count, stored, bits);
  }
}

bool is_min_white(const ImageSpec& s) {
  return s.get_int_attribute("tiff:PhotometricInterpretation", -1) == 0;
}

// Signed integers and floats are data: nothing says which of them would be black.
bool counts_from_white(const ImageSpec& s) {
  if (!is_min_white(s)) return false;
  return s.format == TypeDesc::UINT16 || s.format == TypeDesc::UINT32 ||
         (s.format == TypeDesc::UINT8 && s.nchannels > 1);
}

}  // namespace

bool leaves_out_white(const ImageSpec& s) {
  return is_min_white(s) && s.format.is_signed();
}

bool read_rows_of(OIIO::ImageInput& in, int part, const ImageSpec& s, int y0, int y1, int begin,
                  int end, const TypeDesc& type, void* to) {
  if (!read_stored_rows(in, part, s, y0, y1, begin, end, type, to)) return false;
  const TypeDesc made = type == TypeDesc::UNKNOWN ? s.format : type;
  const std::size_t pixels = static_cast<std::size_t>(s.width) * static_cast<std::size_t>(y1 - y0);
  if (const int bits = repeated_bits(in, s); bits > 0) {
    spread_exactly(to, made, pixels * static_cast<std::size_t>(end - begin), s.format, bits);
  }
  if (counts_from_white(s)) count_from_black(to, made, pixels, s, begin, end);
  return true;
}

}  // namespace sfumato::files
