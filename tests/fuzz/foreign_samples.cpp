// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include <OpenImageIO/imageio.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <vector>

#include "fuzz/sample_bytes.hpp"
#include "fuzz/samples.hpp"
#include "io/tiff_writer.hpp"

namespace sfumato::fuzz {
namespace {

namespace fs = std::filesystem;

// Planes one after the other, and a resource: a resolution.
std::string psd() {
  Bytes b;
  b.text("8BPS").big(1, 2).zeros(12).big(3, 2).big(height, 4).big(width, 4).big(8, 2).big(3, 2);
  b.big(0, 4);                                                                    // no palette
  b.big(28, 4).text("8BIM").big(1005, 2).big(0, 2).big(16, 4);                    // resources
  b.big(300 << 16, 4).big(1, 2).big(1, 2).big(300 << 16, 4).big(1, 2).big(1, 2);  // of them
  b.big(0, 4).big(0, 2);                                                          // no layers
  for (int c = 0; c < 3; ++c) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) b.big(value(x, y, c), 1);
    }
  }
  return b.out();
}

// A merged picture in runs, with opacity: the number of layers is negative.
std::string psd_of_runs() {
  Bytes b;
  b.text("8BPS").big(1, 2).zeros(12).big(4, 2).big(height, 4).big(width, 4).big(8, 2).big(3, 2);
  b.big(0, 4).big(0, 4);                             // no palette, no resources
  b.big(56, 4).big(48, 4).big(0xffff, 2).zeros(62);  // a layer without pixels
  b.text("8BIMnorm").big(0xff000000, 4).big(12, 4).zeros(94).big(1, 2);
  for (int i = 0; i < 4 * height; ++i) b.big(6, 2);
  for (std::uint32_t c = 0; c < 4; ++c) {
    for (std::uint32_t y = 0; y < height; ++y) {
      b.big(257 - (width - 3), 1).big(200 + y + c, 1).big(2, 1).big(0xf0e0d0 + y, 3);
    }
  }
  return b.out();
}

// Runs, single pixels and a leap in each row, with a palette.
std::string bmp_of_runs() {
  constexpr std::uint32_t colors = 7, begin = 54 + 4 * colors;
  Bytes b;
  b.text("BM").zeros(10).little(begin, 4).little(40, 4).little(width, 4).little(height, 4);
  b.little(1, 2).little(8, 2).little(1, 4).little(0, 4).little(2835, 4).little(2835, 4);
  b.little(colors, 4).little(0, 4);
  for (std::uint32_t i = 0; i < colors; ++i) b.little(i * 0x102030, 4);
  for (std::uint32_t y = 0; y < height; ++y) {
    b.little(9, 1).little(y % colors, 1).little(0, 1).little(3, 1).little(0x010203, 4);
    b.little(0, 1).little(2, 1).little(4, 1).little(0, 1).little(0, 2);
  }
  return b.little(0x100, 2).out();
}

// Runs of the old kind: a pixel of three ones repeats the one before it.
std::string hdr_of_runs() {
  Bytes b;
  b.text("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 20 +X 24\n");
  for (std::uint32_t y = 0; y < height; ++y) {
    b.big(0x80402081 + y, 4).big(0x60902080 + y, 4).big(0x01010100 | (width - 2), 4);
  }
  return b.out();
}

// Runs of numbers from 2 on, with opacity in the colour map.
std::string tga_with_map() {
  constexpr std::uint32_t colors = 9;
  Bytes b;
  b.big(0, 1).big(1, 1).big(9, 1).little(2, 2).little(colors, 2).big(32, 1).zeros(12);
  b.little(width, 2).little(height, 2).big(8, 1).big(0x28, 1);
  for (std::uint32_t i = 0; i < colors; ++i) b.little(i * 0x1c102030, 4);
  for (std::uint32_t y = 0; y < height; ++y) {
    b.big(0x80 | (width - 3), 1).big(2 + y % colors, 1).big(1, 1).big(2, 1).big(10, 1);
  }
  return b.out();
}

// Three samples of ten bits in four bytes.
std::string cineon() {
  Bytes b;
  b.big(0x802a5fd7, 4).big(1024, 4).big(1024, 4).big(0, 4).big(0, 4);
  b.big(1024 + 4 * width * height, 4).text("V4.5").zeros(192).big(0, 1).big(3, 1).zeros(196);
  for (std::uint32_t c = 0; c < 8; ++c) {  // the first three are in use
    b.big(0, 1).big(c < 3 ? c + 1 : 0, 1).big(c < 3 ? 10 : 0, 1).big(0, 1);
    b.big(c < 3 ? width : 0, 4).big(c < 3 ? height : 0, 4);
    b.big(0, 4).big(0, 4).big(0x447fc000, 4).big(0x40000000, 4);
  }
  b.zeros(680).big(0, 1).big(5, 1).big(0, 1).big(0, 1).big(0, 4).big(0, 4).zeros(1024);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      b.big(static_cast<std::uint32_t>(value(x, y, 0) << 24 | value(x, y, 1) << 14 |
                                       value(x, y, 2) << 4),
            4);
    }
  }
  return b.out();
}

// Cards of 80 characters, in blocks of 36; numbers of 16 bits.
std::string fits() {
  Bytes b;
  std::size_t end = 0;
  const auto card = [&](const std::string& text) {
    b.text(text);
    end += 80;
    while (b.out().size() < end) b.text(" ");
  };
  card("SIMPLE  =                    T");
  card("BITPIX  =                   16");
  card("NAXIS   =                    2");
  card("NAXIS1  =                   24");
  card("NAXIS2  =                   20");
  card("COMMENT a sky");
  card("END");
  while (end < 2880) card("");
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) b.big(value(x, y, 0) * 16u, 2);
  }
  return b.zeros(2 * 2880).out();
}

// Bare numbers of a sensor, in a pattern of red, green, green and blue.
std::string dng() {
  constexpr int columns = 64, rows = 48;
  Bytes data;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) data.little(value(x, y, x % 2 + y % 2) * 200u, 2);
  }
  testing::TiffWriter t;
  t.longs(254, 0);
  t.longs(256, columns);
  t.longs(257, rows);
  t.shorts(258, {16});
  t.shorts(259, {1});
  t.shorts(262, {32803});
  t.text(271, "Camera Works");
  t.text(272, "Obscura 2");
  t.shorts(277, {1});
  t.longs(278, rows);
  t.longs(279, 2 * columns * rows);
  t.shorts(33421, {2, 2});
  t.add(33422, 1, 4, std::string("\0\1\1\2", 4));
  t.add(50706, 1, 4, std::string("\1\4\0\0", 4));
  t.text(50708, "Camera Works Obscura 2");
  t.longs(50717, 65535);
  t.fractions(50721, 10, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  t.fractions(50728, 5, {1, 1, 1});
  t.shorts(50778, {21});
  return t.file(data.out());
}

// As OpenImageIO writes it; empty if it cannot.
std::string encoded(const fs::path& file, int channels, int side) {
  const auto out = OIIO::ImageOutput::create(file.string());
  if (!out) return {};
  const OIIO::ImageSpec spec(side, side, channels, OIIO::TypeDesc::UINT8);
  std::vector<unsigned char> pixels;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      for (int c = 0; c < channels; ++c) pixels.push_back(value(x, y, c));
    }
  }
  const bool written = out->open(file.string(), spec) &&
                       out->write_image(OIIO::TypeDesc::UINT8, pixels.data()) && out->close();
  const std::string bytes = written ? file_bytes(file) : std::string();
  std::error_code error;
  fs::remove(file, error);
  return bytes;
}

// As heif-enc writes it; empty if it is not installed.
std::string avif(const fs::path& folder) {
  const fs::path from = folder / "sample.png", to = folder / "sample.avif";
  std::error_code error;
  const auto out = OIIO::ImageOutput::create("png");
  const OIIO::ImageSpec spec(width, height, 3, OIIO::TypeDesc::UINT8);
  const std::vector<unsigned char> pixels(3 * width * height, 100);
  if (!out || !out->open(from.string(), spec) ||
      !out->write_image(OIIO::TypeDesc::UINT8, pixels.data()) || !out->close()) {
    return {};
  }
  std::string words[] = {"heif-enc", "--avif", "-o", to.string(), from.string()};
  std::array<char*, 6> arguments{};
  for (std::size_t i = 0; i < 5; ++i) arguments[i] = words[i].data();
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", 1, 0);
  pid_t child = 0;
  std::string bytes;
  if (::posix_spawnp(&child, words[0].c_str(), &quiet, nullptr, arguments.data(), environ) == 0) {
    int status = 0;
    ::waitpid(child, &status, 0);
    bytes = file_bytes(to);
  }
  ::posix_spawn_file_actions_destroy(&quiet);
  fs::remove(from, error);
  fs::remove(to, error);
  return bytes;
}

}  // namespace

std::vector<Sample> foreign_samples(const fs::path& folder) {
  std::vector<Sample> out{{"psd", "psd", psd()},
                          {"psd-runs", "psd", psd_of_runs()},
                          {"bmp-runs", "bmp", bmp_of_runs()},
                          {"tga-map", "tga", tga_with_map()},
                          {"hdr-runs", "hdr", hdr_of_runs()},
                          {"cineon", "cin", cineon()},
                          {"fits", "fits", fits()},
                          {"raw", "dng", dng()}};
  const auto add = [&](const char* format, const char* extension, const std::string& bytes) {
    if (!bytes.empty()) out.push_back({format, extension, bytes});
  };
  constexpr int side = 20;
  constexpr int halved_often = 64;  // JPEG 2000 halves a picture five times
  add("jpeg2000", "jp2", encoded(folder / "sample.jp2", 3, halved_often));
  add("jpeg2000", "j2k", encoded(folder / "sample.j2k", 3, halved_often));
  add("ico", "ico", encoded(folder / "sample.ico", 4, side));
  add("iff", "iff", encoded(folder / "sample.iff", 3, side));
  add("rla", "rla", encoded(folder / "sample.rla", 3, side));
  add("heif", "heic", encoded(folder / "sample.heic", 3, side));
  add("avif", "avif", avif(folder));
  return out;
}

}  // namespace sfumato::fuzz
