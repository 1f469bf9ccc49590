// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a program and its decoder say to each other, packet by packet: what is accepted makes sense,
// and is said again in the same way.
#include <cmath>

#include "device/channel.hpp"
#include "fuzz/targets/seeds.hpp"
#include "io/decoder/picture_text.hpp"

namespace {

using namespace sfumato;
using namespace sfumato::decoder;

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 31;
constexpr int kinds = 8;

Opened picture() {
  Opened out;
  out.format = {40, 30, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
  out.info.path = "a.tif";
  out.info.file_format = "tiff";
  out.info.channel_names = {"R", "G", "B"};
  out.info.layers = {"", "normal"};
  out.info.all_channels = {"R", "G", "B", "normal.X"};
  out.info.warnings = {message({"fuzz.warning", "a {thing}"}, "warning")};
  out.info.icc_profile = {1, 2, 3};
  out.info.data_window = out.info.display_window = out.format.rect();
  out.chunk_rows = 8;
  return out;
}

void read_picture(const std::string& text) {
  const Opened opened = read_opened(text, most_pixels);
  const PictureFormat& f = opened.format;
  const std::uint64_t pixels =
      static_cast<std::uint64_t>(f.width) * static_cast<std::uint64_t>(f.height);
  if (f.width < 1 || f.height < 1 || pixels > most_pixels) fuzz::broken("a picture's size");
  if (f.channels < 1 || f.channels > 4 || !std::isfinite(f.coding.gamma))
    fuzz::broken("a picture's format");
  if (opened.chunk_rows < 1 || opened.chunk_rows > f.height) fuzz::broken("a chunk's size");
  const std::string again = text_of(opened);
  if (text_of(read_opened(again, most_pixels)) != again) fuzz::broken("a picture is said again");
}

template <typename Read>
void twice(const std::string& text, Read read, const char* promise) {
  const std::string again = text_of(read(text));
  if (text_of(read(again)) != again) fuzz::broken(promise);
}

void read(int kind, const std::string& text) {
  switch (kind) {
    case 0:
      return read_picture(text);
    case 1:
      return twice(text, read_message, "a message is said again");
    case 2:
      return twice(text, read_number, "a number is said again");
    case 3:
      return twice(text, read_rows, "rows are said again");
    case 4:
      return twice(text, read_profile_curve, "a curve is said again");
    case 5: {
      std::filesystem::path path;
      const ReadOptions options = read_options(text, path);
      const std::string again = text_of(path, options);
      if (text_of(path, read_options(again, path)) != again) fuzz::broken("options are said again");
      return;
    }
    case 6:
      return twice(text, read_page_request, "a page is asked for again");
    default: {
      const PagePiece piece = read_piece(text);
      if (piece.bytes.empty()) fuzz::broken("a piece has bytes");
      if (text_of(piece) != text) fuzz::broken("a piece is said again");
    }
  }
}

}  // namespace

std::vector<std::string> sfumato::fuzz::seeds() {
  ReadOptions options;
  options.role = "normal";
  options.channels = "N.X";
  const std::vector<std::string> texts = {
      text_of(picture()),
      text_of(message({"fuzz.failed", "{file}: {why}"}, "a.tif",
                      message({"fuzz.reason", "no {what}"}, "bytes"))),
      text_of(std::int64_t{-70000}),
      text_of(RowRange{1, 2, 3, 4}),
      text_of(ProfileCurve{Coding::srgb(), 16, 9}),
      text_of("/a/b.tif", options),
      text_of(PageRequest{2, {1000, true, false}}),
      text_of(PagePiece{"bytes", 1234})};
  std::vector<std::string> out;
  for (std::size_t i = 0; i < texts.size(); ++i) out.push_back(static_cast<char>(i) + texts[i]);
  return out;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read(data[0] % kinds, {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const ProtocolError&) {
    // refused
  }
  return 0;
}
