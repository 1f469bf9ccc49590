// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A comparison sheet: pictures side by side, whole and in detail, with their differences.
#pragma once

#include <string>
#include <vector>

#include "io/drawing.hpp"

namespace sfumato {

/// A part of a row: pictures of one kind, one for each column.
struct SheetBand {
  std::string label;               ///< at the left: "whole"
  std::vector<HeldPicture> cells;  ///< in 8-bit RGB; an empty one leaves its place blank
};

struct SheetRow {
  std::string title;                            ///< above its bands; may be empty
  std::vector<std::string> columns = {};        ///< titles of its own columns, instead of Sheet's
  std::vector<std::vector<std::string>> notes;  ///< lines above each column's first cell
  std::vector<SheetBand> bands;
};

struct Sheet {
  std::string title;
  std::vector<std::string> notes;
  std::vector<std::string> columns;  ///< titles above all rows; empty: rows have their own
  std::vector<SheetRow> rows;
};

/// Draws the sheet in 8-bit sRGB; columns are as wide as their cells and words, but not narrower
/// than `least_column`. Throws FileError if no font is installed.
HeldPicture draw(const Sheet& sheet, int least_column);

}  // namespace sfumato
