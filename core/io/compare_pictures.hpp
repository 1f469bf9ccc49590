// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Compares the pictures of two files, in strips.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "image/comparison.hpp"
#include "io/io.hpp"

namespace sfumato {

/// Which numbers are compared.
enum class ComparedNumbers {
  stored,  ///< as the files hold them, integers as 0..1; colours may mean different things
  seen     ///< converted from the files' profiles to sRGB
};

struct CompareOptions {
  ComparedNumbers numbers = ComparedNumbers::stored;
  double threshold = 0;   ///< of ChannelDifference::beyond
  bool structure = true;  ///< structural similarity
  bool colors = true;     ///< CIEDE2000, if both pictures have colours
  /// Where the second picture's first pixel lies in the first one; what both cover is compared.
  /// Without it, pictures of different sizes are refused.
  std::optional<std::array<int, 2>> offset = {};
  /// Gets the part that is done, 0..1; returns false to cancel. May be empty.
  std::function<bool(double)> progress = {};
};

/// Rows of both pictures as they are compared: channel c of the first row begins at c * plane.
struct ComparedRows {
  const float *a = nullptr, *b = nullptr;
  int y = 0, rows = 0;  ///< in the common part
  std::ptrdiff_t plane = 0;
  const float* color = nullptr;  ///< CIEDE2000 of each pixel, if it is computed
};

struct PictureDifference {
  std::vector<std::string> names;  ///< of the channels
  std::vector<ChannelDifference> channels;
  ChannelDifference all;
  std::optional<ColorDifference> color;
  Rect common;                    ///< in the first picture
  double white = 1;               ///< of ComparedRows
  bool premultiplied = false;     ///< whether their colours are
  std::vector<Message> warnings;  ///< what the numbers do not tell
};

/// What two pictures have in common, with the channels and the white of ComparedRows, before
/// anything is compared. Gray against colours counts as equal red, green and blue, and a picture
/// without opacity as opaque. Throws FileError if sizes differ without an offset, or if nothing is
/// common.
PictureDifference common_part(const InputPicture& a, const InputPicture& b,
                              const CompareOptions& options);

/// The differences; `rows`, which may be empty, gets all rows from top to bottom. Throws FileError,
/// and Cancelled.
PictureDifference compare_pictures(InputPicture& a, InputPicture& b, const CompareOptions& options,
                                   const std::function<void(const ComparedRows&)>& rows = {});

}  // namespace sfumato
