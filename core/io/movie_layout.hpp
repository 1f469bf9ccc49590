// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How the pictures of a new movie are stored: as those of the input, as far as encoders can.
#pragma once

#include <string>
#include <vector>

#include "io/movie_probe.hpp"

namespace sfumato::files {

struct MovieRequest;

struct MovieLayout {
  Chroma chroma = Chroma::half;
  bool deep = false;  ///< ten bits
  bool full_range = false;
  bool lossless = false;
  bool even = false;  ///< sides must be even: the last column and row may be there twice

  /// By ffmpeg's name.
  std::string pixels() const;
  int width(const PictureFormat& format) const;
  int height(const PictureFormat& format) const;
};

MovieLayout movie_layout(const MovieRequest& request);
/// One sentence about what is not stored as in the input; empty: nothing.
Message changes_of_pictures(const MovieRequest& request);

}  // namespace sfumato::files
