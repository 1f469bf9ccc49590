// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a role's buffer is read as.
#include "buffers.hpp"

#include <cstring>

namespace sfumato::gegl {

std::shared_ptr<PixelSource> role_source(GeglBuffer* buffer, Origin origin,
                                         const PictureFormat& picture, bool alone) {
  const Babl* own = gegl_buffer_get_format(buffer);
  const char* name = babl_get_name(babl_format_get_model(own));
  const bool coded = std::strchr(name, '\'') != nullptr || std::strchr(name, '~') != nullptr;
  const char* type = babl_get_name(babl_format_get_type(own, 0));
  const bool whole = type[0] == 'u';
  const char* numbers =
      coded ? (whole ? "R'G'B' u16" : "R'G'B' float") : (whole ? "RGB u16" : "RGB float");
  PictureFormat format;
  format.channels = 3;
  format.type = whole ? SampleType::u16 : SampleType::f32;
  format.alpha = AlphaKind::none;
  format.coding = coded ? Coding::srgb() : Coding::linear();
  format.width = picture.width;
  format.height = picture.height;
  if (alone) {
    const GeglRectangle* extent = gegl_buffer_get_extent(buffer);
    origin = {extent->x, extent->y};
    format.width = extent->width;
    format.height = extent->height;
  }
  return std::make_shared<BufferSource>(
      buffer, babl_format_with_space(numbers, babl_format_get_space(own)), format, origin);
}

}  // namespace sfumato::gegl
