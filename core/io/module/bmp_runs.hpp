// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows of a BMP file's run-length encoding (BI_RLE4, BI_RLE8, and OS/2's of 24 bits).
#pragma once

#include <cstdint>
#include <istream>
#include <vector>

#include "io/module/bmp.hpp"

namespace sfumato::files {

class BmpRuns {
 public:
  /// Looks through the file: `in` is used until the end.
  BmpRuns(std::istream& in, const BmpHeader& header);

  /// Whether the end is marked, or all rows are there.
  bool are_whole() const { return whole_; }
  /// Whether anything is stored of a row from the top.
  bool holds(std::uint64_t y) const;
  /// A row from the top; pixels that are not stored are 0. False if the file cannot be read.
  bool read(std::uint64_t y, std::vector<std::uint32_t>& pixels);

 private:
  // Where the data of a row begins in the file; rows without data have none.
  struct Begin {
    std::uint64_t row = 0, x = 0;  // from the bottom
    std::streamoff at = 0;
  };
  // What one code says: `count` pixels, or one of the marks.
  enum class Kind : std::uint8_t { run, absolute, end_of_row, end, delta, missing };
  struct Code {
    Kind kind = Kind::missing;
    std::uint64_t count = 0, right = 0, up = 0;
  };

  void find_rows();
  std::vector<Begin>::const_iterator begin_of(std::uint64_t y) const;
  Code next();
  void skip(const Code& code);
  void put(const Code& code, std::uint64_t x, std::vector<std::uint32_t>& pixels);
  std::uint64_t bytes_of(std::uint64_t pixels) const;
  std::uint32_t pixel();

  std::istream& in_;
  std::uint64_t data_, width_, height_;
  int bits_;
  bool whole_ = false;
  std::vector<Begin> begins_;
};

}  // namespace sfumato::files
