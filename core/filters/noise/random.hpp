// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Random numbers that are a function of a counter and a key, and their distributions: the scalar
// twin of cl/noise/random.clh, operation by operation, so that all devices agree to the bit.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sfumato::filters {

/// Philox 2x32-10 (Salmon, Moraes, Dror, Shaw, 2011): two words for each counter and key.
inline std::pair<std::uint32_t, std::uint32_t> philox(std::uint32_t a, std::uint32_t b,
                                                      std::uint32_t key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product = std::uint64_t{0xD256D193u} * a;
    a = static_cast<std::uint32_t>(product >> 32) ^ key ^ b;
    b = static_cast<std::uint32_t>(product);
    key += 0x9E3779B9u;
  }
  return {a, b};
}

/// The word at a place of the picture, or of the grain's lattice.
inline std::uint32_t word_at(std::uint32_t x, std::uint32_t y, int channel, std::uint32_t seed) {
  return philox(x, y * 4 + static_cast<std::uint32_t>(channel), seed).first;
}

/// Uniform in -1..1, times 2^24: odd whole numbers, which floats hold exactly.
inline float odd_of(std::uint32_t word) {
  return static_cast<float>(static_cast<std::int32_t>((word >> 8) * 2 + 1) - 0x1000000);
}

/// 1 / sqrt(x), within a few units in the last place; finite at 0.
inline float inverse_root(float x) {
  const float half = x * 0.5f;
  float r = std::bit_cast<float>(0x5F3759DFu - (std::bit_cast<std::uint32_t>(x) >> 1));
  for (int i = 0; i < 3; ++i) r *= std::fma(-(half * r), r, 1.5f);
  return r;
}

/// -log2(x) of 0 < x <= 1; exactly 0 at 1. The fraction is interpolated at Chebyshev's points.
inline float bits_of_rarity(float x) {
  constexpr float powers[] = {1.44269499f,  -0.721352931f, 0.480916708f, -0.360225182f,
                              0.287288882f, -0.249271822f, 0.232652579f, -0.142759734f};
  const auto bits = std::bit_cast<std::int32_t>(x);
  const std::int32_t exponent = (bits - 0x3F3504F3) >> 23;  // of a mantissa around 1
  const float f = std::bit_cast<float>(bits - exponent * 0x800000) - 1.0f;
  float sum = powers[7];
  for (int i = 6; i >= 0; --i) sum = std::fma(sum, f, powers[i]);
  return -std::fma(f, sum, static_cast<float>(exponent));
}

/// The standard normal value at the quantile (1 + odd / 2^24) / 2, within 1.2e-5. With x = odd /
/// 2^24, the quotient of value and x is a smooth function of sqrt(-log2(1 - x^2)), here
/// interpolated at Chebyshev's points.
inline float normal_of(float odd) {
  constexpr float powers[] = {2.67976185f,  2.65901295f,  0.615528608f,  -0.822305254f,
                              0.371998917f, 0.527348618f, -0.633218949f, -0.327615176f,
                              0.644393726f, 0.135015584f, -0.374621667f, -0.0268185105f,
                              0.0941246472f};
  const float size = std::abs(odd);
  const float rest = (16777216.0f - size) * (16777216.0f + size) * 0x1p-48f;
  const float rarity = bits_of_rarity(rest);
  const float t = std::fma(rarity * inverse_root(rarity), 0.408248291f, -1.0f);
  float sum = powers[12];
  for (int i = 11; i >= 0; --i) sum = std::fma(sum, t, powers[i]);
  return sum * (odd * 0x1p-24f);
}

/// Means below this are counted exactly.
inline constexpr float few = 8;

/// The Poisson count at the quantile word / 2^32, for a mean of at most `few`: the distribution's
/// terms are added until their sum exceeds it. `inverses` holds 1 / k.
inline float few_counted(float mean, std::uint32_t word, const float* inverses) {
  constexpr float powers[] = {1,
                              0.693147207f,
                              0.240226509f,
                              0.0555032723f,
                              0.00961805668f,
                              0.00134004282f,
                              0.000154614447f};
  const float quantile = static_cast<float>(word >> 8) * 0x1p-24f;
  const float whole = std::rint(mean * -1.442695f);
  const float part = std::fma(mean, -1.442695f, -whole);
  float term = powers[6];
  for (int i = 5; i >= 0; --i) term = std::fma(term, part, powers[i]);
  term *= std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) * 0x800000);
  float sum = term, count = 0;
  for (int k = 1; k < 40; ++k) {
    // Terms below the quantile's resolution no longer count.
    if (quantile < sum || (term < 0x1p-25f && count > mean)) break;
    const float scaled = term * mean;
    term = scaled * inverses[k];
    sum = std::fma(scaled, inverses[k], sum);
    count = static_cast<float>(k);
  }
  return count;
}

/// The same for a larger mean: the quantile's expansion about the normal value, to the term in
/// 1 / mean (Giles, 2016).
inline float many_counted(float mean, float normal) {
  const float r = inverse_root(mean);
  const float square = normal * normal;
  const float a = std::fma(square, 1 / 6.0f, 1 / 3.0f);
  const float b = normal * std::fma(square, -1 / 72.0f, -1 / 36.0f);
  const float c = std::fma(square, std::fma(square, 1 / 270.0f, 7 / 810.0f), -8 / 405.0f);
  const float x = std::fma(mean * r, normal, mean);
  return std::fmax(std::floor(x + std::fma(r, std::fma(r, c, b), a)), 0.0f);
}

/// The weights of a cubic B-spline at the fraction f of a cell, scaled so that the sum of their
/// squares is 1: a weighted sum of independent values of variance 1 then has variance 1, too.
struct SplineWeights {
  float w[4];

  explicit SplineWeights(float f) {
    const float g = 1.0f - f;
    const float ff = f * f, gg = g * g;
    w[0] = gg * (g * (1 / 6.0f));
    w[1] = std::fma(ff, std::fma(f, 0.5f, -1.0f), 2 / 3.0f);
    w[2] = std::fma(gg, std::fma(g, 0.5f, -1.0f), 2 / 3.0f);
    w[3] = ff * (f * (1 / 6.0f));
    const float scale =
        inverse_root(std::fma(w[3], w[3], std::fma(w[2], w[2], std::fma(w[1], w[1], w[0] * w[0]))));
    for (float& one : w) one *= scale;
  }
};

/// A pixel's place in the lattice along one axis, whose cells are 2^20 / step pixels.
struct LatticePlace {
  std::uint32_t cell;
  SplineWeights weights;

  LatticePlace(int i, std::uint32_t step)
      : LatticePlace(std::uint64_t{step} * static_cast<std::uint32_t>(i)) {}
  explicit LatticePlace(std::uint64_t position)
      : cell(static_cast<std::uint32_t>(position >> 20)),
        weights(static_cast<float>(position & 0xFFFFF) * 0x1p-20f) {}
};

/// Smooth normal noise: normal values at the lattice's corners, interpolated by B-splines.
inline float grain_at(const LatticePlace& x, const LatticePlace& y, int channel,
                      std::uint32_t seed) {
  float sum = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    float column = 0;
    for (std::uint32_t j = 0; j < 4; ++j) {
      const float value = normal_of(odd_of(word_at(x.cell + i, y.cell + j, channel, seed)));
      column = std::fma(y.weights.w[j], value, column);
    }
    sum = std::fma(x.weights.w[i], column, sum);
  }
  return sum;
}

}  // namespace sfumato::filters
