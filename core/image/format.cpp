// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Tone curves, half precision and border names.
#include "image/format.hpp"

#include <bit>
#include <cmath>

namespace sfumato {

std::optional<Border> border_from_name(std::string_view name) {
  constexpr std::string_view names[] = {"clamp", "mirror", "wrap", "zero", "renormalise"};
  for (int i = 0; i < 5; ++i) {
    if (names[i] == name) return static_cast<Border>(i);
  }
  return std::nullopt;
}

double decode(Coding coding, double value) {
  const double v = std::abs(value);
  switch (coding.curve) {
    case Coding::Curve::linear:
      return value;
    case Coding::Curve::srgb:
      return std::copysign(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4), value);
    case Coding::Curve::gamma:
      return std::copysign(std::pow(v, static_cast<double>(coding.gamma)), value);
  }
  return value;
}

double encode(Coding coding, double value) {
  const double v = std::abs(value);
  switch (coding.curve) {
    case Coding::Curve::linear:
      return value;
    case Coding::Curve::srgb:
      return std::copysign(v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055,
                           value);
    case Coding::Curve::gamma:
      return std::copysign(std::pow(v, 1.0 / static_cast<double>(coding.gamma)), value);
  }
  return value;
}

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {  // subnormal: scaled to units of 2^-24 and rounded to even
    const float units = std::ldexp(std::bit_cast<float>(magnitude), 24);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(units)));
  }
  const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

}  // namespace sfumato
