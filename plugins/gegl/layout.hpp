// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The picture of an operation as it is handed over: its place, its numbers, its cells.
#pragma once

#include "gegl.hpp"

#include "buffers.hpp"
#include "filters/filter.hpp"

namespace sfumato::gegl {

/// The picture of an operation: where it lies, the numbers it is handed over in, and those of the
/// result, which has alpha where the picture has.
struct Layout {
  Origin origin;
  PictureFormat format, result;
  const Babl *babl = nullptr, *result_babl = nullptr;
  bool encoded = false;  ///< the result is light that was given the curve of the picture's samples
  bool empty = false;    ///< there is no picture
  // Of a plane without end, or of a picture too large, there is only a part here.
  bool cut_x = false, cut_y = false;

  bool is_window() const { return cut_x || cut_y; }
  GeglRectangle bounds() const { return rectangle_of(format.rect(), origin); }
};

/// All but where the picture lies.
Layout chosen_numbers(GeglOperation* op, const Filter& filter, const Values& values);

/// Of a picture too large, a window around `roi`.
Layout layout_of(GeglOperation* op, const Filter& filter, const Values& values,
                 const GeglRectangle& roi);

/// Whether the region is all of the picture.
bool is_whole(const GeglRectangle& region, const Layout& layout);

/// The whole cells around `roi` that are worth computing at once for a filter of this reach.
GeglRectangle cells_around(const GeglRectangle& roi, const Layout& layout, int reach);

}  // namespace sfumato::gegl
