// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recognises formats by name, and tone curves by evaluating them.
#include "numbers.hpp"

#include <cmath>
#include <map>
#include <mutex>
#include <string>

namespace sfumato::gegl {
namespace {

struct Type {
  const char* name;
  SampleType type;
};
constexpr Type types[] = {{"u8", SampleType::u8},
                          {"u16", SampleType::u16},
                          {"half", SampleType::f16},
                          {"float", SampleType::f32}};

// By number of channels: linear light, the space's curve, sRGB's curve in any space.
constexpr const char* linear_models[] = {"Y", "YA", "RGB", "RGBA"};
constexpr const char* coded[] = {"Y'", "Y'A", "R'G'B'", "R'G'B'A"};
constexpr const char* perceptual[] = {"Y~", "Y~A", "R~G~B~", "R~G~B~A"};

std::optional<PictureFormat> looked_up(const Babl* format) {
  const Babl* space = babl_format_get_space(format);
  const int channels = babl_format_get_n_components(format);
  const std::string type_name = babl_get_name(babl_format_get_type(format, 0));
  PictureFormat out;
  const Type* type = nullptr;
  for (const Type& t : types) {
    if (type_name == t.name) type = &t;
  }
  if (type == nullptr || channels < 1 || channels > 4) return std::nullopt;
  out.channels = channels;
  out.type = type->type;
  out.alpha = channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
  const auto is = [&](const char* const* models) {
    const std::string name = std::string(models[channels - 1]) + " " + type->name;
    return babl_format_with_space(name.c_str(), space) == format;
  };
  if (is(linear_models)) {
    out.coding = Coding::linear();
  } else if (is(perceptual)) {
    out.coding = Coding::srgb();
  } else if (is(coded)) {
    const auto curve = coding_of(space);
    if (!curve) return std::nullopt;
    out.coding = *curve;
  } else {
    return std::nullopt;
  }
  return out;
}

}  // namespace

bool is_gray(const Babl* format) {
  const bool has_alpha = babl_format_has_alpha(format) != 0;
  return babl_format_get_n_components(format) == (has_alpha ? 2 : 1) &&
         babl_format_is_palette(format) == 0;
}

std::optional<Coding> coding_of(const Babl* space) {
  const double samples[] = {0.05, 0.2, 0.5, 0.8};
  double light[4];
  babl_process(babl_fish(babl_format_with_space("Y' double", space),
                         babl_format_with_space("Y double", space)),
               samples, light, 4);
  const auto is = [&](Coding coding) {
    for (int i = 0; i < 4; ++i) {
      if (!(std::abs(decode(coding, samples[i]) - light[i]) < 1e-3)) return false;
    }
    return true;
  };
  const double gamma = std::log(light[2]) / std::log(samples[2]);
  const Coding power = Coding::power(static_cast<float>(gamma));
  if (is(Coding::srgb())) return Coding::srgb();
  if (is(Coding::linear())) return Coding::linear();
  if (gamma > 0.1 && gamma < 10 && is(power)) return power;
  return std::nullopt;
}

// Called for every region; formats live as long as the process.
std::optional<PictureFormat> stored_format(const Babl* format) {
  static std::mutex mutex;
  static std::map<const Babl*, std::optional<PictureFormat>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(format);
  return found != known.end() ? found->second
                              : known.emplace(format, looked_up(format)).first->second;
}

}  // namespace sfumato::gegl
