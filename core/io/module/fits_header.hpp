// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Headers of FITS files (FITS Standard 4.0, chapters 3 and 4).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/module/bytes.hpp"

namespace sfumato::files {

/// One header and the numbers behind it.
struct FitsUnit {
  std::map<std::string, std::string> values;  ///< texts without quotes
  std::vector<std::string> notes;             ///< lines of COMMENT and HISTORY
  std::uint64_t data = 0;                     ///< where the numbers begin

  /// The value of a keyword as a number; `otherwise` if there is none.
  double number(const std::string& keyword, double otherwise) const;
  std::string text(const std::string& keyword) const;
};

/// A picture of one plane, or of three for red, green and blue.
struct FitsPicture {
  std::size_t unit = 0;
  int width = 0, height = 0, planes = 1;
  int bits = 8;  ///< of a number; below zero for floats
  double scale = 1, zero = 0;
  bool no_zero = false;    ///< an offset that would hide floats is left out
  bool upwards = true;     ///< the first row is the lowest
  std::uint64_t data = 0;  ///< where its numbers begin

  std::uint64_t row_bytes() const;
  std::uint64_t plane_bytes() const { return row_bytes() * static_cast<std::uint64_t>(height); }
};

struct FitsFile {
  std::vector<FitsUnit> units;
  std::vector<FitsPicture> pictures;  ///< planes of other numbers than three are pictures each
  bool compressed = false;            ///< there are pictures in tables, too, which are not listed
};
/// Reads all headers, up to those that are damaged or beyond the end; at most `most` pictures.
FitsFile read_fits(Bytes& in, std::size_t most);

}  // namespace sfumato::files
