// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Babl's formats by their names, tone curves by trying them.
#include "gimp/pixels.hpp"

#include <cmath>
#include <cstring>
#include <string>

namespace sfumato::gimp {
namespace {

// The curve of coded numbers in that space: sRGB's, a power, or none; sRGB's for any other.
Coding coding_of(const Babl* space) {
  const double codes[] = {0.05, 0.2, 0.5, 0.8};
  double light[4];
  babl_process(babl_fish(babl_format_with_space("Y' double", space),
                         babl_format_with_space("Y double", space)),
               codes, light, 4);
  const auto is = [&](Coding coding) {
    for (int i = 0; i < 4; ++i) {
      if (!(std::abs(decode(coding, codes[i]) - light[i]) < 1e-3)) return false;
    }
    return true;
  };
  const double gamma = std::log(light[2]) / std::log(codes[2]);
  const Coding power = Coding::power(static_cast<float>(gamma));
  if (is(Coding::srgb())) return Coding::srgb();
  if (is(Coding::linear())) return Coding::linear();
  return gamma > 0.1 && gamma < 10 && is(power) ? power : Coding::srgb();
}

}  // namespace

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
  f.coding = !coded ? Coding::linear() : shared ? Coding::srgb() : coding_of(space);
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
