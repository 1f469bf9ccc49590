// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recognises Babl formats by name.
#include "gimp/pixels.hpp"

#include <algorithm>
#include <string>

#include "../gegl/numbers.hpp"

namespace sfumato::gimp {

Numbers numbers_of(GeglBuffer* buffer) {
  const Babl* own = gegl_buffer_get_format(buffer);
  const Babl* space = babl_format_get_space(own);
  const std::string model = babl_get_name(babl_format_get_model(own));
  const std::string type = babl_get_name(babl_format_get_type(own, 0));
  const int channels = std::clamp(babl_format_get_n_components(own), 1, 4);
  const bool shared = model.find('~') != std::string::npos;  // sRGB's curve in any space
  const bool coded = shared || model.find('\'') != std::string::npos;
  Numbers out;
  PictureFormat& f = out.format;
  const GeglRectangle* extent = gegl_buffer_get_extent(buffer);
  f.width = extent->width;
  f.height = extent->height;
  f.channels = channels;
  f.alpha = channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
  const auto curve = gegl::coding_of(space);
  f.coding = !coded ? Coding::linear() : shared ? Coding::srgb() : curve.value_or(Coding::srgb());
  out.has_other_curve = coded && !shared && !curve;
  f.type = type == "u8"     ? SampleType::u8
           : type == "u16"  ? SampleType::u16
           : type == "half" ? SampleType::f16
                            : SampleType::f32;
  static const char* const types[] = {" u8", " u16", " half", " float"};
  static const char* const linear[] = {"Y", "YA", "RGB", "RGBA"};
  static const char* const primed[] = {"Y'", "Y'A", "R'G'B'", "R'G'B'A"};
  static const char* const perceptual[] = {"Y~", "Y~A", "R~G~B~", "R~G~B~A"};
  const char* const* models = !coded ? linear : shared ? perceptual : primed;
  const std::string name = std::string(models[channels - 1]) + types[static_cast<int>(f.type)];
  out.babl = babl_format_with_space(name.c_str(), space);
  return out;
}

}  // namespace sfumato::gimp
