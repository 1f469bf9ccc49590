// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Whether a file can hold as many pixels as it claims: of a few bytes, others would take gigabytes
// of memory before the first row is missing.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "io/module/bytes.hpp"
#include "io/module/embedded.hpp"
#include "io/module/input.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using namespace std::string_view_literals;

// How many bytes one byte of a file stands for, at most.
struct Ratio {
  std::string_view compression;
  double most;
};
constexpr double most_in_run = 128;
constexpr double of_deflate = 1032;  // RFC 1951: 258 bytes by a code of two bits
// PackBits and OpenEXR's runs have up to 128 bytes in two; LZW's longest strings have 4096 bytes in
// 12 bits; of PIZ, 256 numbers of 16 bits take ten bits; Pxr24 leaves out a byte of four; B44 holds
// 32 bytes in three. DWA packs blocks of 64 numbers, or runs, by Deflate.
constexpr std::array ratios = {Ratio{"none"sv, 1},
                               Ratio{"rle"sv, 64},
                               Ratio{"packbits"sv, 64},
                               Ratio{"lzw"sv, 2731},
                               Ratio{"zip"sv, of_deflate},
                               Ratio{"zips"sv, of_deflate},
                               Ratio{"piz"sv, of_deflate},
                               Ratio{"pxr24"sv, of_deflate * 4 / 3},
                               Ratio{"b44"sv, 11},
                               Ratio{"b44a"sv, 11},
                               Ratio{"dwaa"sv, 64 * of_deflate},
                               Ratio{"dwab"sv, 64 * of_deflate}};

// 0 for others, such as those of fax, which have no bound.
double ratio_of(std::string_view compression) {
  for (const Ratio& one : ratios) {
    if (compression.substr(0, compression.find(':')) == one.compression) return one.most;
  }
  return 0;
}

double bits_of_png_pixel(Bytes& in) {
  constexpr std::array<double, 7> samples = {1, 1, 3, 1, 2, 1, 4};
  const std::uint64_t kind = in.number(25, 1);
  return static_cast<double>(in.number(24, 1)) *
         samples[static_cast<std::size_t>(kind < samples.size() ? kind : 0)];
}

// Of samples as they are stored, at least: a palette's are numbers of colours, and chroma may be
// there for few pixels only.
double bits_of_stored_pixel(const ImageSpec& s) {
  constexpr int palette = 3, ycbcr = 6;
  const int colors = s.get_int_attribute("tiff:PhotometricInterpretation");
  const double held = 8.0 * static_cast<double>(s.pixel_bytes(true));
  const auto bits = static_cast<double>(s.get_int_attribute("oiio:BitsPerSample"));
  if (colors == palette) return 1;
  if (colors == ycbcr) return 8;
  return bits > 0 ? std::min(held, bits * s.nchannels) : held;
}

// Of rows that follow each other without packing; 0 for others.
double bits_of_dpx_pixel(Bytes& in, const ImageSpec& s) {
  constexpr std::uint64_t content_of_first = 800, packing_of_first = 804, coding_of_first = 806,
                          halved_chroma = 100, halved_with_alpha = 101;
  const std::uint64_t content = in.number(content_of_first, 1);
  if (in.number(coding_of_first, 2) != 0) return 0;
  const bool halved = content == halved_chroma || content == halved_with_alpha;
  double sample = s.get_int_attribute("oiio:BitsPerSample");
  // Three in a word of 32 bits, and one in 16.
  const bool filled = in.number(packing_of_first, 2) != 0;
  if (filled && sample == 10) sample = 32.0 / 3;
  if (filled && sample == 12) sample = 16;
  return sample * (s.nchannels - (halved ? 1 : 0));
}

// Of blocks of 4 x 4 pixels, which take 8 or 16 bytes; a cube may lack all faces but one. 0 for
// pixels that are not compressed.
double bits_of_dds_pixel(Bytes& in) {
  constexpr std::uint64_t flags_at = 80, code_at = 84, kind_at = 112, compressed = 4, cube = 0x200;
  constexpr std::array<std::string_view, 4> small = {"DXT1", "ATI1", "BC4U", "BC4S"};
  in.set_big_endian(false);
  if ((in.number(flags_at, 4) & compressed) == 0) return 0;
  const bool is_small = std::find(small.begin(), small.end(), in.text(code_at, 4)) != small.end();
  return (is_small ? 4.0 : 8.0) / ((in.number(kind_at, 4) & cube) != 0 ? 6 : 1);
}

// Bytes of a DPX file behind its header.
double bytes_of_dpx(Bytes& in) {
  constexpr std::uint64_t data_of_first = 808;
  in.set_big_endian(in.text(0, 4) == "SDPX");
  return static_cast<double>(in.behind(in.number(data_of_first, 4)));
}

// How many pixels the tiles of an IFF file (Maya) cover: others would be black without a word.
std::uint64_t pixels_in_iff_tiles(Bytes& in) {
  constexpr std::uint64_t head = 8, form = 12, unit = 4, of_number = 2;
  std::uint64_t pixels = 0;
  in.set_big_endian(true);
  for (std::uint64_t at = form; in.has(at, head);) {
    const std::string name = in.text(at, unit);
    if (name == "FOR4") {
      at += form;  // its chunks follow
      continue;
    }
    const auto place = [&in, at](std::uint64_t i) {
      return in.number(at + head + of_number * i, 2);
    };
    if (name == "RGBA" && place(2) >= place(0) && place(3) >= place(1)) {
      pixels += (place(2) - place(0) + 1) * (place(3) - place(1) + 1);
    }
    at += head + (in.number(at + unit, 4) + unit - 1) / unit * unit;
  }
  return pixels;
}

// What OpenEXR holds of a block for each buffer: as it is stored, and on its way.
constexpr double exr_copies = 3;

}  // namespace

// Two buffers for each thread.
void choose_exr_threads(const std::filesystem::path& path) {
  constexpr double for_buffers = 256 << 20;
  constexpr int none = -1;
  const double all = OIIO::get_int_attribute("threads", 1);
  const double threads =
      std::floor(for_buffers / std::max(1.0, 2 * exr_copies * exr_block_bytes(path)));
  OIIO::attribute("exr_threads", threads < 1 ? none : static_cast<int>(std::min(threads, all)));
}

std::size_t memory_to_open(const std::filesystem::path& path, const std::string& kind) {
  constexpr double usual = 16 << 20, most = 1e15;
  if (kind != "openexr") return 0;
  const double block = exr_block_bytes(path);
  return block <= usual ? 0 : static_cast<std::size_t>(std::min(2 * exr_copies * block, most));
}

std::uint64_t few_bytes_for(const std::filesystem::path& path, const std::string& kind,
                            const ImageSpec& s) {
  // WebP cannot claim much more than that.
  constexpr std::array unbound = {"gif"sv, "heif"sv, "jpeg2000"sv};
  constexpr double usual = 1 << 27, pixels_of_byte = 10'000;
  const double pixels = static_cast<double>(s.width) * s.height;
  if (pixels <= usual || std::find(unbound.begin(), unbound.end(), kind) == unbound.end()) return 0;
  const std::uint64_t held = Bytes(path, true).size();
  return pixels > pixels_of_byte * static_cast<double>(held) ? std::max<std::uint64_t>(1, held) : 0;
}

bool holds_claim(const std::filesystem::path& path, const std::string& kind, const ImageSpec& s) {
  Bytes in(path, true);
  auto held = static_cast<double>(in.size());
  double rows = s.height, ratio = 1, bits = bits_of_stored_pixel(s);
  if (kind == "png") {
    bits = bits_of_png_pixel(in);
    ratio = of_deflate;
  } else if (kind == "openexr" || kind == "tiff") {
    // OpenImageIO names some of TIFF's only by their numbers.
    const bool packed = s.get_int_attribute("tiff:Compression", 1) != 1;
    ratio = ratio_of(s.get_string_attribute("compression", packed ? "other" : "none"));
    // Strips of a TIFF file may be the same bytes.
    if (kind == "tiff") rows = 1;
  } else if (kind == "dpx") {
    held = bytes_of_dpx(in);
    bits = bits_of_dpx_pixel(in, s);
  } else if (kind == "dds") {
    bits = bits_of_dds_pixel(in);
  } else if (kind == "iff") {
    return s.image_pixels() <= pixels_in_iff_tiles(in);
  } else if (kind == "targa") {
    // At least a byte of a pixel, or two of a run.
    bits = 8;
    ratio = most_in_run / 2;
  } else if (kind != "cineon") {
    return true;
  }
  return ratio == 0 || rows * std::floor(static_cast<double>(s.width) * bits / 8) <= held * ratio;
}

}  // namespace sfumato::files
