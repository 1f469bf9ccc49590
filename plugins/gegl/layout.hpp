// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How an operation's picture is passed on: its position, formats and cells.
#pragma once

#include "gegl.hpp"

#include "buffers.hpp"
#include "filters/filter.hpp"

namespace sfumato::gegl {

/// The picture of an operation: its position, its format, and the result's format, which has alpha
/// if the picture has.
struct Layout {
  Origin origin;
  PictureFormat format, result;
  const Babl *babl = nullptr, *result_babl = nullptr;
  bool encoded = false;  ///< the result is light, encoded with the curve of the picture's samples
  bool empty = false;    ///< there is no picture
  // An infinite plane, or a picture that is too large, is represented only in part.
  bool cut_x = false, cut_y = false;

  bool is_window() const { return cut_x || cut_y; }
  GeglRectangle bounds() const { return rectangle_of(format.rect(), origin); }
};

/// Everything except the picture's position.
Layout chosen_numbers(GeglOperation* op, const Filter& filter, const Values& values);

/// For a picture that is too large, a window around `roi`.
Layout layout_of(GeglOperation* op, const Filter& filter, const Values& values,
                 const GeglRectangle& roi);

/// Whether the region is the whole picture.
bool is_whole(const GeglRectangle& region, const Layout& layout);

/// The whole cells around `roi` that are worth computing at once for a filter with this reach.
GeglRectangle cells_around(const GeglRectangle& roi, const Layout& layout, int reach);

}  // namespace sfumato::gegl
