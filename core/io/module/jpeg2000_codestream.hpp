// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The codestream of a JPEG 2000 picture, opened by OpenJPEG for one decoding.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "io/module/jpeg2000.hpp"

namespace sfumato::files {

class Codestream {
 public:
  /// Reads the header. `file` stays open and is used by decode(); `says` gets what OpenJPEG says of
  /// errors, then, too. False on an error.
  bool open(std::FILE* file, const Jp2Head& head, std::string& says);

  const opj_image_t& image() const { return *image_; }
  /// Where rows of tiles begin on the grid, and how high they are. False if there is but one.
  bool has_rows_of_tiles(std::int64_t& begin, std::int64_t& rows) const;
  /// Decodes all samples of rows [y0, y1) of the grid into image(), whose components are then of
  /// these rows. Once.
  bool decode(std::int64_t y0, std::int64_t y1);

 private:
  OPJ_SIZE_T read(void* to, OPJ_SIZE_T bytes);
  bool seek(std::int64_t to);

  std::FILE* file_ = nullptr;
  std::int64_t begin_ = 0, size_ = 0, at_ = 0;
  OpjImage image_;
  OpjStream stream_;
  OpjCodec codec_;
};

}  // namespace sfumato::files
