// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/sheet.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sfumato {
namespace {

constexpr int margin = 28, gap = 16, least_label = 80;
constexpr std::uint8_t paper = 250;
constexpr TextStyle title_style{26, {0.10f, 0.10f, 0.12f}, true};
constexpr TextStyle note_style{15, {0.35f, 0.35f, 0.38f}, false};
constexpr TextStyle column_style{19, {0.10f, 0.10f, 0.12f}, true};
constexpr TextStyle label_style{14, {0.35f, 0.35f, 0.38f}, true};
constexpr int title_height = 34, note_height = 22, column_height = 28;

HeldPicture blank(int width, int height, std::uint8_t value) {
  HeldPicture out{{width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}, {}};
  out.bytes.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3,
                   static_cast<char>(value));
  return out;
}

void paste(HeldPicture& sheet, const HeldPicture& cell, int x, int y) {
  const std::size_t bytes = static_cast<std::size_t>(cell.format.width) * 3;
  for (int row = 0; row < cell.format.height; ++row) {
    auto* to = static_cast<char*>(sheet.view().row(y + row)) + static_cast<std::ptrdiff_t>(x) * 3;
    std::memcpy(to, cell.bytes.data() + static_cast<std::size_t>(row) * bytes, bytes);
  }
}

// Where everything lies.
class Layout {
 public:
  Layout(const Sheet& sheet, int least_column) : sheet_(sheet) {
    head_ = margin + title_height + static_cast<int>(sheet.notes.size()) * note_height + gap;
    int x = margin + width_of_labels() + gap;
    std::size_t columns = sheet.columns.size();
    for (const SheetRow& row : sheet.rows) columns = std::max(columns, row.columns.size());
    for (std::size_t i = 0; i < columns; ++i) {
      columns_.push_back(x);
      x += std::max(least_column, width_of_column(i)) + gap;
    }
    width_ = std::max(x - gap + margin, 2 * margin + width_of_text(sheet.title, title_style));
    for (const std::string& note : sheet.notes) {
      width_ = std::max(width_, 2 * margin + width_of_text(note, note_style));
    }
    if (!sheet.columns.empty()) head_ += column_height;
    height_ = head_ + margin;
    for (const SheetRow& row : sheet.rows) height_ += height_of(row);
  }

  int width() const { return width_; }
  int height() const { return height_; }
  // Where the first row begins.
  int head() const { return head_; }
  int column(std::size_t i) const { return columns_[i]; }

  static int height_of_head(const SheetRow& row) {
    std::size_t lines = 0;
    for (const auto& notes : row.notes) lines = std::max(lines, notes.size());
    const int title = row.title.empty() ? 0 : column_height;
    const int columns = row.columns.empty() ? 0 : column_height;
    return title + columns + static_cast<int>(lines) * note_height + gap / 2;
  }
  // As high as its tallest cell.
  static int height_of(const SheetBand& band) {
    int height = 0;
    for (const HeldPicture& cell : band.cells) height = std::max(height, cell.format.height);
    return height;
  }
  static int height_of(const SheetRow& row) {
    int height = height_of_head(row);
    for (const SheetBand& band : row.bands) height += height_of(band) + gap;
    return height;
  }

 private:
  int width_of_labels() const {
    int width = least_label;
    for (const SheetRow& row : sheet_.rows) {
      for (const SheetBand& band : row.bands) {
        width = std::max(width, width_of_text(band.label, label_style));
      }
    }
    return width;
  }
  static int width_of_title(const std::vector<std::string>& titles, std::size_t i) {
    return i < titles.size() ? width_of_text(titles[i], column_style) : 0;
  }
  int width_of_column(std::size_t i) const {
    int width = width_of_title(sheet_.columns, i);
    for (const SheetRow& row : sheet_.rows) {
      if (i >= row.notes.size()) continue;
      width = std::max(width, width_of_title(row.columns, i));
      for (const std::string& note : row.notes[i]) {
        width = std::max(width, width_of_text(note, note_style));
      }
      for (const SheetBand& band : row.bands) {
        width = std::max(width, band.cells[i].format.width);
      }
    }
    return width;
  }

  const Sheet& sheet_;
  int head_, width_, height_;
  std::vector<int> columns_;
};

void draw_titles(HeldPicture& out, const Layout& layout, const std::vector<std::string>& titles,
                 int y) {
  for (std::size_t i = 0; i < titles.size(); ++i) {
    draw_text(out, layout.column(i), y + 18, titles[i], column_style);
  }
}

// Returns where the next row begins.
int draw_row(HeldPicture& out, const Layout& layout, const SheetRow& row, int y) {
  int line = y;
  if (!row.title.empty()) {
    draw_text(out, margin, line + 18, row.title, column_style);
    line += column_height;
  }
  draw_titles(out, layout, row.columns, line);
  if (!row.columns.empty()) line += column_height;
  for (std::size_t i = 0; i < row.notes.size(); ++i) {
    int at = line + 12;
    for (const std::string& note : row.notes[i]) {
      draw_text(out, layout.column(i), at, note, note_style);
      at += note_height;
    }
  }
  y += Layout::height_of_head(row);
  for (const SheetBand& band : row.bands) {
    draw_text(out, margin, y + 14, band.label, label_style);
    for (std::size_t i = 0; i < band.cells.size(); ++i) {
      if (!band.cells[i].bytes.empty()) paste(out, band.cells[i], layout.column(i), y);
    }
    y += Layout::height_of(band) + gap;
  }
  return y;
}

}  // namespace

HeldPicture draw(const Sheet& sheet, int least_column) {
  const Layout layout(sheet, least_column);
  HeldPicture out = blank(layout.width(), layout.height(), paper);
  draw_text(out, margin, margin + 24, sheet.title, title_style);
  int y = margin + title_height + note_height / 2 + 4;
  for (const std::string& note : sheet.notes) {
    draw_text(out, margin, y, note, note_style);
    y += note_height;
  }
  y = layout.head();
  draw_titles(out, layout, sheet.columns, y - column_height);
  for (const SheetRow& row : sheet.rows) y = draw_row(out, layout, row, y);
  return out;
}

}  // namespace sfumato
