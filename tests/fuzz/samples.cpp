// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "fuzz/samples.hpp"

#include <fstream>
#include <iterator>

#include "fuzz/sample_bytes.hpp"
#include "io/io.hpp"

namespace sfumato::fuzz {
namespace {

namespace fs = std::filesystem;

std::string bmp() {
  Bytes b;
  b.text("BM").little(54 + 3 * width * height, 4).little(0, 4).little(54, 4);
  b.little(40, 4).little(width, 4).little(height, 4).little(1, 2).little(24, 2).zeros(54);
  return b.pixels(true).out();
}

std::string tga() {
  Bytes b;
  b.little(0, 1).little(0, 1).little(2, 1).zeros(12);
  b.little(width, 2).little(height, 2).little(24, 1).little(0x20, 1);
  return b.pixels(true).out();
}

// Not packed: OpenImageIO 2.4 cannot read runs.
std::string pic() {
  Bytes b;
  b.big(0x5380f634, 4).big(0x3f800000, 4).zeros(88).text("PICT");
  b.big(width, 2).big(height, 2).big(0x3f800000, 4).big(3, 2).big(0, 2);
  b.big(0, 1).big(8, 1).big(0, 1).big(0xe0, 1);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) b.pixel(x, y, false);
  }
  return b.out();
}

std::string sgi() {
  Bytes b;
  b.big(474, 2).big(0, 1).big(1, 1).big(3, 2).big(width, 2).big(height, 2).big(3, 2);
  b.big(0, 4).big(255, 4).zeros(512);
  for (int c = 0; c < 3; ++c) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) b.big(value(x, y, c), 1);
    }
  }
  return b.out();
}

// Rows of runs, whose places are in two tables.
std::string sgi_packed() {
  constexpr std::uint32_t row = width + 2, first = 512 + 2 * 4 * 3 * height;
  Bytes b;
  b.big(474, 2).big(1, 1).big(1, 1).big(3, 2).big(width, 2).big(height, 2).big(3, 2);
  b.big(0, 4).big(255, 4).zeros(512);
  for (std::uint32_t i = 0; i < 3 * height; ++i) b.big(first + i * row, 4);
  for (std::uint32_t i = 0; i < 3 * height; ++i) b.big(row, 4);
  for (int c = 0; c < 3; ++c) {
    for (int y = 0; y < height; ++y) {
      b.big(0x80 + width, 1);
      for (int x = 0; x < width; ++x) b.big(value(x, y, c), 1);
      b.big(0, 1);
    }
  }
  return b.out();
}

std::string dds() {
  Bytes b;
  b.text("DDS ").little(124, 4).little(0x100f, 4).little(height, 4).little(width, 4);
  b.little(3 * width, 4).zeros(76).little(32, 4).little(0x40, 4).little(0, 4).little(24, 4);
  b.little(0xff0000, 4).little(0xff00, 4).little(0xff, 4).little(0, 4).little(0x1000, 4);
  return b.zeros(128).pixels(true).out();
}

// Blocks of 4 x 4 pixels.
std::string dds_packed() {
  Bytes b;
  b.text("DDS ").little(124, 4).little(0x81007, 4).little(height, 4).little(width, 4);
  b.little(8 * (width / 4) * (height / 4), 4).zeros(76).little(32, 4).little(4, 4).text("DXT1");
  b.zeros(108).little(0x1000, 4).zeros(128);
  for (int i = 0; i < width / 4 * (height / 4); ++i)
    b.little(0xf800, 2).little(0x1f, 2).little(0x1b1b, 4);
  return b.out();
}

std::string dpx() {
  Bytes b;
  b.text("SDPX").big(2048, 4).text("V1.0").zeros(16).big(2048 + 3 * width * height, 4).big(1, 4);
  b.big(1664, 4).big(384, 4).zeros(768).big(0, 2).big(1, 2).big(width, 4).big(height, 4);
  b.big(0, 4).big(0, 4).big(0, 4).big(255, 4).big(0x3f800000, 4);
  b.big(50, 1).big(2, 1).big(2, 1).big(8, 1).big(0, 2).big(0, 2).big(2048, 4);
  return b.zeros(2048).pixels(false).out();
}

// Every code is as wide as the first: the table is cleared before it grows.
std::string gif() {
  constexpr int side = 8;
  Bytes b;
  b.text("GIF89a").little(side, 2).little(side, 2).little(0xf6, 1).little(0, 2);
  for (std::uint32_t i = 0; i < 128; ++i) b.little(2 * i, 1).little(i, 1).little(255 - i, 1);
  b.text(std::string("\x21\xf9\x04\x01\x00\x00\x05\x00", 8));
  b.text(",").little(0, 4).little(side, 2).little(side, 2).little(0, 1);
  b.little(7, 1).little(side * side + 2, 1).little(0x80, 1);
  for (std::uint32_t i = 0; i < side * side; ++i) b.little(i, 1);
  return b.little(0x81, 1).little(0, 1).text(";").out();
}

// An EXIF segment with two directories, as cameras write it.
std::string exif_segment() {
  Bytes b;
  b.text(std::string("Exif\0\0MM\0*", 10)).big(8, 4).big(4, 2);
  b.big(0x112, 2).big(3, 2).big(1, 4).big(6, 2).big(0, 2);
  b.big(0x11a, 2).big(5, 2).big(1, 4).big(62, 4);
  b.big(0x10f, 2).big(2, 2).big(8, 4).big(70, 4);
  b.big(0x8769, 2).big(4, 2).big(1, 4).big(78, 4);
  b.big(0, 4).big(300, 4).big(1, 4).text(std::string("camera\0\0", 8));
  b.big(2, 2).big(0x9003, 2).big(2, 2).big(20, 4).big(108, 4);
  b.big(0xa001, 2).big(3, 2).big(1, 4).big(1, 2).big(0, 2).big(0, 4);
  b.text(std::string("2026:01:02 03:04:05\0", 20));
  return Bytes()
      .big(0xffe1, 2)
      .big(static_cast<std::uint32_t>(b.out().size() + 2), 2)
      .text(b.out())
      .out();
}

// As the program writes it, with a colour profile where the format has room for one.
std::string written(const fs::path& file, int channels, const std::string& compression) {
  WriteOptions options;
  options.overwrite = true;
  options.compression = compression;
  const AlphaKind alpha = channels == 4 ? AlphaKind::straight : AlphaKind::none;
  options.profile = ProfileChoice::srgb;
  const auto out = create_picture(file, options,
                                  {width, height, channels, SampleType::u8, alpha, Coding::srgb()});
  HeldPicture picture = blank_picture(out->format());
  const int samples = width * picture.format.channels;
  for (int y = 0; y < height; ++y) {
    char* row = static_cast<char*>(picture.view().row(y));
    for (int i = 0; i < samples; ++i) {
      write_sample(row + i * sample_bytes(picture.format.type), picture.format.type,
                   static_cast<float>(value(i, y, 0)) / 255.0f, 0.5f);
    }
  }
  out->write(picture.view());
  out->commit();
  return file_bytes(file);
}

}  // namespace

std::string file_bytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<Sample> samples(const fs::path& folder) {
  std::vector<Sample> out{
      {"bmp", "bmp", bmp()},        {"tga", "tga", tga()},        {"pic", "pic", pic()},
      {"sgi", "sgi", sgi()},        {"sgi", "sgi", sgi_packed()}, {"dds", "dds", dds()},
      {"dds", "dds", dds_packed()}, {"dpx", "dpx", dpx()},        {"gif", "gif", gif()}};
  for (const FormatInfo& format : writable_formats()) {
    const std::string extension = format.extensions.front();
    const auto add = [&](int channels, const std::string& compression) {
      const fs::path file = folder / ("sample." + extension);
      out.push_back({format.id, extension, written(file, channels, compression)});
      fs::remove(file);
    };
    add(3, {});
    if (format.alpha) add(4, {});
    for (const std::string& compression : format.compressions) add(3, compression);
    if (format.id != "jpeg") continue;
    std::string with_exif = out.back().bytes;
    with_exif.insert(2, exif_segment());
    out.push_back({"exif", extension, with_exif});
  }
  for (Sample& sample : foreign_samples(folder)) out.push_back(std::move(sample));
  return out;
}

}  // namespace sfumato::fuzz
