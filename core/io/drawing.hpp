// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Text and reduced pictures for reports such as the comparison sheet, by OpenImageIO.
#pragma once

#include <array>
#include <string>

#include "io/io.hpp"

namespace sfumato {

struct TextStyle {
  int size = 16;                        ///< height of the font, in pixels
  std::array<float, 3> color{0, 0, 0};  ///< in the picture's own coding, 0..1
  bool bold = false;
};

/// Width of one line of text in pixels. Throws FileError where no font is installed.
int width_of_text(const std::string& text, const TextStyle& style);

/// Writes one line of UTF-8 into an 8-bit RGB picture, its baseline's left end at (x, y); what
/// falls outside is clipped. Throws FileError where no font is installed.
void draw_text(HeldPicture& picture, int x, int y, const std::string& text, const TextStyle& style);

}  // namespace sfumato
