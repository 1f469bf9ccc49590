// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A comparison sheet: pictures side by side, whole and in detail, with their differences.
#pragma once

#include <string>
#include <vector>

#include "io/drawing.hpp"

namespace sfumato::cli {

/// A column of the sheet. Cells are 8-bit RGB, at most the cell's size.
struct SheetColumn {
  std::string title;
  std::vector<std::string> notes;
  std::vector<HeldPicture> cells;  ///< one per row; an empty one leaves its cell blank
};

struct Sheet {
  std::string title;
  std::vector<std::string> notes;
  std::vector<std::string> rows;  ///< labels of the rows
  std::vector<SheetColumn> columns;
};

/// The largest size of a cell, in pixels.
inline constexpr int cell_width = 360, cell_height = 300;

/// A part of a float picture, in sRGB with premultiplied alpha, as a cell at 1:1 (small ones
/// magnified by an integer); transparency shows a checkerboard.
HeldPicture detail_cell(HeldPicture& picture, const Rect& part);
/// The whole picture, reduced to fit a cell.
HeldPicture whole_cell(HeldPicture& picture);

/// |a - b| times `gain`, opaque: a picture for the two functions above. Each channel shows its own
/// difference; a difference in alpha shows in all.
HeldPicture difference_picture(HeldPicture& a, HeldPicture& b, float gain);

/// The part of a picture around (x, y) that fills a cell at 1:1.
Rect detail_around(const PictureFormat& format, int x, int y);

/// Draws the sheet in 8-bit sRGB. Throws FileError if no font is installed.
HeldPicture draw(const Sheet& sheet);

}  // namespace sfumato::cli
