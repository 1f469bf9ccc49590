// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The reference, and a form for many pixels whose steps are all of arithmetic, so that compilers
// make vectors of it: hues are directions, not angles.
#include "image/ciede2000.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "image/wide.hpp"

namespace sfumato {
namespace {

// IEC 61966-2-1: X, Y, Z of linear red, green and blue, each divided by that of white.
constexpr double xyz_of_rgb[3][3] = {{0.4123907992659595, 0.3575843393838780, 0.1804807884018343},
                                     {0.2126390058715104, 0.7151686787677559, 0.0721923153607337},
                                     {0.0193308187155918, 0.1191947797946259, 0.9505321522496608}};
constexpr double white[3] = {0.9504559270516717, 1.0, 1.0890577507598784};

constexpr double linear_part = 216.0 / 24389;  // (6/29)^3
constexpr double slope = 841.0 / 108, offset = 4.0 / 29;

double cube_root_of_cie(double t) {
  return t > linear_part ? std::cbrt(t) : slope * t + offset;
}

double degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}
double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

// 0 to 360.
double hue_of(double a, double b) {
  if (a == 0 && b == 0) return 0;
  const double hue = degrees(std::atan2(b, a));
  return hue < 0 ? hue + 360 : hue;
}

double power7(double x) {
  return x * x * x * x * x * x * x;
}
constexpr double chroma7 = 6103515625.0;  // 25^7

}  // namespace

Lab lab_of(double red, double green, double blue) {
  double f[3];
  for (int i = 0; i < 3; ++i) {
    const auto& row = xyz_of_rgb[i];
    f[i] = cube_root_of_cie((row[0] * red + row[1] * green + row[2] * blue) / white[i]);
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double ciede2000(const Lab& x, const Lab& y) {
  const double mean7 = power7((std::hypot(x[1], x[2]) + std::hypot(y[1], y[2])) / 2);
  const double stretch = 1.5 - 0.5 * std::sqrt(mean7 / (mean7 + chroma7));
  const double a1 = stretch * x[1], a2 = stretch * y[1];
  const double c1 = std::hypot(a1, x[2]), c2 = std::hypot(a2, y[2]);
  const double h1 = hue_of(a1, x[2]), h2 = hue_of(a2, y[2]);
  const bool gray = c1 * c2 == 0;

  double between = h2 - h1;
  if (between > 180) between -= 360;
  if (between < -180) between += 360;
  if (gray) between = 0;
  double hue = h1 + h2;
  if (!gray) {
    if (std::abs(h1 - h2) > 180) hue += hue < 360 ? 360 : -360;
    hue /= 2;
  }
  const double light = (x[0] + y[0]) / 2, chroma = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(radians(hue - 30)) + 0.24 * std::cos(radians(2 * hue)) +
                   0.32 * std::cos(radians(3 * hue + 6)) - 0.20 * std::cos(radians(4 * hue - 63));
  const double from_middle = (light - 50) * (light - 50);
  const double sl = 1 + 0.015 * from_middle / std::sqrt(20 + from_middle);
  const double sc = 1 + 0.045 * chroma, sh = 1 + 0.015 * chroma * t;
  const double blue = (hue - 275) / 25;
  const double turn = 30 * std::exp(-blue * blue);
  const double rc = 2 * std::sqrt(power7(chroma) / (power7(chroma) + chroma7));
  const double dl = (y[0] - x[0]) / sl, dc = (c2 - c1) / sc;
  const double dh = 2 * std::sqrt(c1 * c2) * std::sin(radians(between) / 2) / sh;
  return std::sqrt(dl * dl + dc * dc + dh * dh - std::sin(radians(2 * turn)) * rc * dc * dh);
}

namespace {

// By the inverse root: minus a third of the exponent, and three of Newton's steps, which do not
// divide. Of numbers above the linear part.
SFUMATO_PART float cube_root(float t) {
  auto inverse = std::bit_cast<float>(0x54a2'1d2au - std::bit_cast<std::uint32_t>(t) / 3);
  for (int i = 0; i < 3; ++i) {
    inverse *= 4.0f / 3 - t * (1.0f / 3) * (inverse * inverse * inverse);
  }
  return t * (inverse * inverse);
}

SFUMATO_PART float curve_of_cie(float t) {
  constexpr auto knee = static_cast<float>(linear_part);
  const float root = cube_root(t > knee ? t : knee);
  return t > knee ? root : static_cast<float>(slope) * t + static_cast<float>(offset);
}

struct LabPixel {
  float l, a, b;
};

SFUMATO_PART LabPixel lab_pixel(float red, float green, float blue) {
  float f[3];
  for (int i = 0; i < 3; ++i) {
    const float r = static_cast<float>(xyz_of_rgb[i][0] / white[i]),
                g = static_cast<float>(xyz_of_rgb[i][1] / white[i]),
                b = static_cast<float>(xyz_of_rgb[i][2] / white[i]);
    f[i] = curve_of_cie(r * red + g * green + b * blue);
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

// exp(-x*x) for 0 <= x; by powers of two and their part below one.
SFUMATO_PART float bell(float x) {
  const float power = -1.44269504f * x * x;
  const float limited = power < -126.0f ? -126.0f : power;
  const auto whole = static_cast<std::int32_t>(limited - 0.5f);
  const float f = limited - static_cast<float>(whole);  // -0.5 to 0.5
  const float fraction =
      1 + f * (0.693147182f +
               f * (0.240226462f + f * (0.0555032991f + f * (0.00967884157f + f * 0.00134409f))));
  return fraction * std::bit_cast<float>(static_cast<std::uint32_t>(whole + 127) << 23);
}

// atan(x) for -1 <= x <= 1, to 1e-5 (Abramowitz and Stegun, 4.4.49).
SFUMATO_PART float arc_tangent(float x) {
  const float s = x * x;
  return x *
         (0.9998660f + s * (-0.3302995f + s * (0.1801410f + s * (-0.0851330f + s * 0.0208351f))));
}

// sin(x) for 0 <= x <= pi/3.
SFUMATO_PART float short_sine(float x) {
  const float s = x * x;
  return x * (1 + s * (-0.166666667f + s * (0.00833333333f + s * -0.000198412698f)));
}

SFUMATO_PART float square_root(float x) {
  return std::sqrt(x < 0 ? 0.0f : x);
}

// The share of chroma's seventh power: 2 * sqrt(c^7 / (c^7 + 25^7)), by (c/25)^7 within range.
SFUMATO_PART float share_of_chroma(float chroma) {
  const float c = chroma < 400 ? chroma / 25 : 16.0f;
  const float c7 = c * c * c * c * c * c * c;
  return square_root(c7 / (c7 + 1));
}

SFUMATO_PART float difference_of(const LabPixel& p, const LabPixel& q) {
  const float mean_chroma =
      0.5f * (square_root(p.a * p.a + p.b * p.b) + square_root(q.a * q.a + q.b * q.b));
  const float stretch = 1.5f - 0.5f * share_of_chroma(mean_chroma);
  const float a1 = stretch * p.a, a2 = stretch * q.a;
  const float c1 = square_root(a1 * a1 + p.b * p.b), c2 = square_root(a2 * a2 + q.b * q.b);
  // Products of the two chromas and the cosine and sine of the angle between the hues.
  const float product = c1 * c2, along = a1 * a2 + p.b * q.b, across = a1 * q.b - p.b * a2;
  // 2 sqrt(c1 c2) sin(angle / 2): by the sine where the angle is small, else by the cosine.
  const float wide = square_root(2 * (product - along));
  const float narrow = across * 1.41421356f / (square_root(product + along) + 1e-30f);
  const float dh = along > 0 ? narrow : (across < 0 ? -wide : wide);

  // The direction half-way between: that of the sum of both, or across it where they are opposite.
  const float s1 = 1 / (c1 + 1e-30f), s2 = 1 / (c2 + 1e-30f);
  const float u1 = a1 * s1, v1 = p.b * s1, u2 = a2 * s2, v2 = q.b * s2;
  float u = u1 + u2, v = v1 + v2;
  const bool opposite = u * u + v * v < 1e-12f;
  const bool first_is_above = v1 > 0 || (v1 == 0 && u1 > 0);
  u = opposite ? (first_is_above ? -v1 : -v2) : u;
  v = opposite ? (first_is_above ? u1 : u2) : v;
  const float length = square_root(u * u + v * v);
  const float per_length = 1 / (length + 1e-30f);
  // Of grays the formula takes the hue of the other, or 0.
  u = length > 0 ? u * per_length : 1.0f;
  v *= per_length;

  // Cosines and sines of the hue's multiples.
  const float u_2 = u * u - v * v, v_2 = 2 * u * v;
  const float u_3 = u_2 * u - v_2 * v, v_3 = v_2 * u + u_2 * v;
  const float u_4 = u_2 * u_2 - v_2 * v_2, v_4 = 2 * u_2 * v_2;
  const float t = 1 - 0.17f * (u * 0.866025404f + v * 0.5f) + 0.24f * u_2 +
                  0.32f * (u_3 * 0.994521895f - v_3 * 0.104528463f) -
                  0.20f * (u_4 * 0.453990500f + v_4 * 0.891006524f);
  // The angle from 275 degrees, by its half; beyond a right angle the bell is 0.
  const float along_blue = u * 0.0871557427f - v * 0.996194698f;
  const float across_blue = u * 0.996194698f + v * 0.0871557427f;
  const float half = across_blue / (1 + (along_blue > 0 ? along_blue : 0.0f));
  const float degrees_from_blue = along_blue > 0 ? 114.591559f * arc_tangent(half) : 1000.0f;
  const float rotation = short_sine(1.04719755f * bell(degrees_from_blue / 25));

  const float light = 0.5f * (p.l + q.l) - 50, chroma = 0.5f * (c1 + c2);
  const float squared = light * light;
  const float dl = (q.l - p.l) / (1 + 0.015f * squared / square_root(20 + squared));
  const float dc = (c2 - c1) / (1 + 0.045f * chroma);
  const float dh_scaled = dh / (1 + 0.015f * chroma * t);
  return square_root(dl * dl + dc * dc + dh_scaled * dh_scaled -
                     rotation * 2 * share_of_chroma(chroma) * dc * dh_scaled);
}

}  // namespace

SFUMATO_WIDE void ciede2000(const float* a, const float* b, std::size_t stride, std::size_t count,
                            float* out) {
  constexpr std::size_t at_once = 256;
  float parts[6][at_once];
  for (std::size_t begin = 0; begin < count; begin += at_once) {
    const std::size_t now = std::min(at_once, count - begin);
    for (std::size_t i = 0; i < now; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        parts[c][i] = a[(begin + i) * stride + c];
        parts[3 + c][i] = b[(begin + i) * stride + c];
      }
    }
    for (std::size_t i = 0; i < now; ++i) {
      out[begin + i] = difference_of(lab_pixel(parts[0][i], parts[1][i], parts[2][i]),
                                     lab_pixel(parts[3][i], parts[4][i], parts[5][i]));
    }
  }
}

}  // namespace sfumato
