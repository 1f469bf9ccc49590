// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The file formats that can be written, and what a path's extension says.
#include <algorithm>
#include <array>

#include "io/module.hpp"
#include "params/suggest.hpp"

namespace sfumato {

const std::vector<FormatInfo>& writable_formats() {
  using enum SampleType;
  static const std::vector<FormatInfo> formats = {
      {"png", "PNG", {"png"}, {u8, u16}, true, true, true, true, false, {"fast", "small"}},
      {"jpeg", "JPEG", {"jpg", "jpeg", "jpe", "jfif"}, {u8}, false, true, true, true, true},
      {"tiff",
       "TIFF",
       {"tif", "tiff"},
       {u8, u16, f16, f32},
       true,
       true,
       true,
       true,
       false,
       {"lzw", "zip", "none"}},
      {"openexr",
       "OpenEXR",
       {"exr"},
       {f16, f32},
       true,
       true,
       true,
       false,
       false,
       {"zip", "zips", "piz", "rle", "none", "pxr24", "b44", "dwaa"}},
      {"webp", "WebP", {"webp"}, {u8}, true, false, true, true, true},
      {"pfm", "PFM", {"pfm"}, {f32}, false, true, false, false},
      {"pnm", "PNM", {"ppm", "pgm", "pnm"}, {u8, u16}, false, true, false, false},
      {"hdr", "Radiance HDR", {"hdr", "rgbe"}, {f32}, false, false, false, false},
      {"jpeg2000", "JPEG 2000", {"jp2"}, {u8, u16}, true, true, true, true, true},
      {"j2k", "JPEG 2000 codestream", {"j2k", "j2c"}, {u8, u16}, false, true, false, false, true},
      {"avif", "AVIF", {"avif"}, {u8, u16}, true, false, true, true, true},
      {"heif", "HEIF", {"heic", "heif"}, {u8, u16}, true, false, true, true, true},
      {"bmp", "BMP", {"bmp"}, {u8}, true, true, false, true},
      {"targa", "TGA", {"tga"}, {u8}, true, true, false, false},
  };
  return formats;
}

int usual_quality(const FormatInfo& format) {
  return format.id == "jpeg2000" || format.id == "j2k" ? 100 : 95;
}

std::size_t encoding_bytes(const FormatInfo& format, const PictureFormat& picture) {
  const auto width = static_cast<std::size_t>(picture.width),
             height = static_cast<std::size_t>(picture.height),
             channels = static_cast<std::size_t>(picture.channels);
  const std::size_t bytes = picture.type == SampleType::u8 ? 1 : 2;  // of a sample
  // As measured, of libaom as of x265.
  constexpr std::size_t webp = 16, heif = 30, tile = 16;
  if (format.id == "webp") return webp * width * height;
  if (format.id == "heif" || format.id == "avif") return heif * bytes * width * height;
  if (format.id != "jpeg2000" && format.id != "j2k") return 0;
  constexpr std::size_t side = files::jpeg2000_tile;
  const std::size_t rows = std::min(height, side);
  return channels * rows * (width * bytes + std::min(width, side) * tile);
}

const FormatInfo* format_of(const std::filesystem::path& path) {
  const std::string extension = files::lower_extension(path);
  if (extension.empty()) return nullptr;
  for (const FormatInfo& f : writable_formats()) {
    if (std::find(f.extensions.begin(), f.extensions.end(), extension) != f.extensions.end()) {
      return &f;
    }
  }
  return nullptr;
}

std::string files::lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string files::lower_extension(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension.empty() ? extension : lower(std::string_view(extension).substr(1));
}

const char* files::depth_name(SampleType type) {
  static constexpr std::array<const char*, 4> names = {"8-bit", "16-bit", "half", "float"};
  return names[static_cast<std::size_t>(type)];
}

Message files::unknown_curve(const std::filesystem::path& path, SampleType type) {
  if (is_integer(type)) {
    return message({"profile.unknown_curve_as_srgb",
                    "{file}: the colour profile's tone curve is of an unknown kind; the sRGB curve "
                    "is used for computing"},
                   shown(path));
  }
  return message({"profile.unknown_curve_as_light",
                  "{file}: the colour profile's tone curve is of an unknown kind; light is assumed "
                  "for computing"},
                 shown(path));
}

std::string files::shown(const std::filesystem::path& path) {
  // in_quotes() cuts off the end of a long text, but the end of a path says the most.
  const std::string text = path.string();
  constexpr std::size_t longest = 60, begins = 18;
  if (text.size() <= longest) return in_quotes(text);
  const auto inside = [&](std::size_t at) {  // a character of several bytes
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t head = begins, tail = text.size() - (longest - begins - 1);
  while (head > 0 && inside(head)) --head;
  while (inside(tail)) ++tail;
  return in_quotes(text.substr(0, head) + "\u2026" + text.substr(tail));
}

}  // namespace sfumato
