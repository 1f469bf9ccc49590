// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Text in pictures.
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "io/module/parts.hpp"
#include "params/scan.hpp"

namespace sfumato::files {
namespace {

const std::string& font_file(bool bold) {
  const auto find = [](std::initializer_list<const char*> candidates) {
    for (const char* path : candidates) {
      std::error_code error;
      if (std::filesystem::exists(path, error)) return std::string(path);
    }
    throw FileError(message({"drawing.no_font",
                             "no font was found to write with; install the package "
                             "fonts-dejavu-core"}));
  };
  static const std::string regular = find(
      {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
       "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
       "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"});
  static const std::string strong =
      find({"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
            "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf",
            "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
            "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf", regular.c_str()});
  return bold ? strong : regular;
}

// A font at a size. By FreeType, since OpenImageIO loses all letters beyond ASCII (of several bytes
// in UTF-8, it draws the last).
class Font {
 public:
  explicit Font(const TextStyle& style) {
    const std::string& file = font_file(style.bold);
    if (FT_Init_FreeType(&library_) != 0) fail(file);
    if (FT_New_Face(library_, file.c_str(), 0, &face_) != 0 ||
        FT_Set_Pixel_Sizes(face_, 0, static_cast<FT_UInt>(style.size)) != 0) {
      FT_Done_FreeType(library_);  // with its faces
      fail(file);
    }
  }
  ~Font() { FT_Done_FreeType(library_); }
  Font(const Font&) = delete;
  Font& operator=(const Font&) = delete;

  // Calls use(glyph, x) for each letter of a line, `x` being where its origin lies, in pixels.
  // Returns where the line ends.
  template <typename Use>
  int walk(std::string_view text, Use&& use) const {
    FT_Pos at = 0;  // in 64ths
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t length = scan::utf8_length(text, i);
      const char32_t letter = length == 0 ? U'\uFFFD' : letter_of(text.substr(i, length));
      i += std::max<std::size_t>(1, length);
      if (FT_Load_Char(face_, letter, FT_LOAD_RENDER) != 0) continue;
      use(*face_->glyph, static_cast<int>(at / 64));
      at += face_->glyph->advance.x;
    }
    return static_cast<int>((at + 63) / 64);
  }

 private:
  [[noreturn]] static void fail(const std::string& file) {
    throw FileError(message({"drawing.bad_font", "the font {file} cannot be read"}, file));
  }
  // Of a valid sequence.
  static char32_t letter_of(std::string_view bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (bytes.size() == 1) return byte(0);
    char32_t out = byte(0) & (0x7fu >> bytes.size());
    for (std::size_t i = 1; i < bytes.size(); ++i) out = out << 6 | (byte(i) & 0x3fu);
    return out;
  }

  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

// Lays a letter over the picture; what falls outside is clipped.
void lay(HeldPicture& picture, const FT_GlyphSlotRec& glyph, int x, int y, const TextStyle& style) {
  const PictureFormat& f = picture.format;
  const FT_Bitmap& bitmap = glyph.bitmap;
  const int left = x + glyph.bitmap_left, top = y - glyph.bitmap_top;
  const Rect part =
      Rect{left, top, left + static_cast<int>(bitmap.width), top + static_cast<int>(bitmap.rows)}
          .intersected(f.rect());
  for (int v = part.y0; v < part.y1; ++v) {
    const unsigned char* covered =
        bitmap.buffer + static_cast<std::ptrdiff_t>(v - top) * bitmap.pitch;
    auto* to = static_cast<std::uint8_t*>(picture.view().row(v));
    for (int u = part.x0; u < part.x1; ++u) {
      const float cover = static_cast<float>(covered[u - left]) / 255;
      for (int c = 0; c < f.channels; ++c) {
        std::uint8_t& sample = to[u * f.channels + c];
        const float ink = 255 * style.color[static_cast<std::size_t>(std::min(c, 2))];
        sample = static_cast<std::uint8_t>(
            std::lround(cover * ink + (1 - cover) * static_cast<float>(sample)));
      }
    }
  }
}

}  // namespace

int measure_text(const std::string& text, const TextStyle& style) {
  return Font(style).walk(text, [](const FT_GlyphSlotRec&, int) {});
}

void write_text(HeldPicture& picture, int x, int y, const std::string& text,
                const TextStyle& style) {
  Font(style).walk(
      text, [&](const FT_GlyphSlotRec& glyph, int at) { lay(picture, glyph, x + at, y, style); });
}

}  // namespace sfumato::files
