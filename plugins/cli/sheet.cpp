// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Cells and the layout of the comparison sheet.
#include "sheet.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace sfumato::cli {
namespace {

constexpr int margin = 28, gap = 16, label_column = 96;
constexpr std::uint8_t paper = 250, check_dark = 178, check_light = 208;
constexpr TextStyle title_style{26, {0.10f, 0.10f, 0.12f}, true};
constexpr TextStyle note_style{15, {0.35f, 0.35f, 0.38f}, false};
constexpr TextStyle column_style{19, {0.10f, 0.10f, 0.12f}, true};
constexpr TextStyle row_style{14, {0.35f, 0.35f, 0.38f}, true};
constexpr int note_height = 22, column_height = 28;

HeldPicture blank(int width, int height, std::uint8_t value) {
  HeldPicture out{{width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}, {}};
  out.bytes.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3,
                   static_cast<char>(value));
  return out;
}

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::lround(255.0f * std::clamp(value, 0.0f, 1.0f)));
}

const float* pixel_of(HeldPicture& picture, int x, int y) {
  return static_cast<const float*>(picture.view().row(y)) + x * picture.format.channels;
}

// One pixel as displayed, over a checkerboard of 8 pixels.
void show(const float* pixel, const PictureFormat& format, int x, int y, std::uint8_t* to) {
  const int colors = format.color_channels();
  const float alpha = format.has_alpha() ? pixel[format.channels - 1] : 1.0f;
  const float behind = ((x / 8 + y / 8) % 2 == 0 ? check_light : check_dark) / 255.0f;
  for (int c = 0; c < 3; ++c) {
    const float value = pixel[colors >= 3 ? c : 0];
    to[c] = to_byte((std::isfinite(value) ? value : 1.0f) + (1.0f - alpha) * behind);
  }
}

void paste(HeldPicture& sheet, const HeldPicture& cell, int x, int y) {
  const std::size_t bytes = static_cast<std::size_t>(cell.format.width) * 3;
  for (int row = 0; row < cell.format.height; ++row) {
    auto* to = static_cast<char*>(sheet.view().row(y + row)) + static_cast<std::ptrdiff_t>(x) * 3;
    std::memcpy(to, cell.bytes.data() + static_cast<std::size_t>(row) * bytes, bytes);
  }
}

}  // namespace

Rect detail_around(const PictureFormat& format, int x, int y) {
  const int width = std::min(cell_width, format.width);
  const int height = std::min(cell_height, format.height);
  const int x0 = std::clamp(x - width / 2, 0, format.width - width);
  const int y0 = std::clamp(y - height / 2, 0, format.height - height);
  return {x0, y0, x0 + width, y0 + height};
}

HeldPicture detail_cell(HeldPicture& picture, const Rect& part) {
  const int times = std::max(1, std::min(cell_width / part.width(), cell_height / part.height()));
  HeldPicture cell = blank(part.width() * times, part.height() * times, 0);
  for (int y = 0; y < cell.format.height; ++y) {
    auto* to = static_cast<std::uint8_t*>(cell.view().row(y));
    for (int x = 0; x < cell.format.width; ++x) {
      show(pixel_of(picture, part.x0 + x / times, part.y0 + y / times), picture.format, x, y,
           to + x * 3);
    }
  }
  return cell;
}

HeldPicture whole_cell(HeldPicture& picture) {
  const PictureFormat& f = picture.format;
  const double scale = std::min({1.0, static_cast<double>(cell_width) / f.width,
                                 static_cast<double>(cell_height) / f.height});
  const auto side = [scale](int n) {
    return std::max(1, static_cast<int>(std::lround(n * scale)));
  };
  HeldPicture small = reduced(picture, side(f.width), side(f.height));
  return detail_cell(small, small.format.rect());
}

HeldPicture difference_picture(HeldPicture& a, HeldPicture& b, float gain) {
  const PictureFormat& f = a.format;
  const int colors = f.color_channels();
  HeldPicture out{{f.width, f.height, 3, SampleType::f32, AlphaKind::none, Coding::srgb()}, {}};
  out.bytes.resize(static_cast<std::size_t>(f.width) * static_cast<std::size_t>(f.height) *
                   out.format.pixel_bytes());
  for (int y = 0; y < f.height; ++y) {
    auto* to = static_cast<float*>(out.view().row(y));
    for (int x = 0; x < f.width; ++x) {
      const float *pa = pixel_of(a, x, y), *pb = pixel_of(b, x, y);
      const auto difference = [pa, pb](int c) { return std::abs(pa[c] - pb[c]); };
      const float alpha = f.has_alpha() ? difference(f.channels - 1) : 0.0f;
      for (int c = 0; c < 3; ++c) {
        to[x * 3 + c] = gain * std::max(alpha, difference(colors >= 3 ? c : 0));
      }
    }
  }
  return out;
}

HeldPicture draw(const Sheet& sheet) {
  const int columns = static_cast<int>(sheet.columns.size());
  std::size_t notes = 0;
  int words = width_of_text(sheet.title, title_style);
  for (const SheetColumn& c : sheet.columns) notes = std::max(notes, c.notes.size());
  for (const std::string& note : sheet.notes) {
    words = std::max(words, width_of_text(note, note_style));
  }
  // A row is as high as its tallest cell.
  std::vector<int> heights(sheet.rows.size(), 0);
  for (std::size_t row = 0; row < heights.size(); ++row) {
    for (const SheetColumn& c : sheet.columns) {
      heights[row] = std::max(heights[row], c.cells[row].format.height);
    }
  }
  const int head = margin + 34 + static_cast<int>(sheet.notes.size()) * note_height + gap;
  const int titles = column_height + static_cast<int>(notes) * note_height + gap / 2;
  int height = head + titles + margin;
  for (const int h : heights) height += h + gap;
  const int width = std::max(
      2 * margin + words, 2 * margin + label_column + columns * cell_width + (columns - 1) * gap);

  HeldPicture out = blank(width, height, paper);
  draw_text(out, margin, margin + 24, sheet.title, title_style);
  int y = margin + 34 + note_height / 2 + 4;
  for (const std::string& note : sheet.notes) {
    draw_text(out, margin, y, note, note_style);
    y += note_height;
  }
  for (int i = 0; i < columns; ++i) {
    const SheetColumn& column = sheet.columns[static_cast<std::size_t>(i)];
    const int x = margin + label_column + i * (cell_width + gap);
    draw_text(out, x, head + 18, column.title, column_style);
    for (std::size_t n = 0; n < column.notes.size(); ++n) {
      draw_text(out, x, head + column_height + 12 + static_cast<int>(n) * note_height,
                column.notes[n], note_style);
    }
    int top = head + titles;
    for (std::size_t row = 0; row < heights.size(); ++row) {
      if (!column.cells[row].bytes.empty()) paste(out, column.cells[row], x, top);
      if (i == 0) draw_text(out, margin, top + 14, sheet.rows[row], row_style);
      top += heights[row] + gap;
    }
  }
  return out;
}

}  // namespace sfumato::cli
