// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "image/orientation.hpp"

#include <utility>

namespace sfumato {

Rect stored_region(const Rect& upright, int width, int height, int orientation) {
  const auto flip = [](int lo, int hi, int size) { return std::pair(size - hi, size - lo); };
  std::pair across(upright.x0, upright.x1), down(upright.y0, upright.y1);
  if (swaps_sides(orientation)) std::swap(across, down);  // those of the stored picture from here
  if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
    across = flip(across.first, across.second, width);
  }
  if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) {
    down = flip(down.first, down.second, height);
  }
  return {across.first, down.first, across.second, down.second};
}

Rect upright_region(const Rect& stored, int width, int height, int orientation) {
  // Turns to the left and to the right undo each other; all others undo themselves.
  const int back = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation;
  if (swaps_sides(orientation)) std::swap(width, height);
  return stored_region(stored, width, height, back);
}

}  // namespace sfumato
