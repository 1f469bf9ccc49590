// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// ICC profiles in numbers. A profile of unknown origin is parsed by a decoder's process alone; what
// libraries in this process get is a profile that is written from its numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "image/format.hpp"

namespace sfumato {

/// A tone curve as a profile holds it (ICC.1:2022, 10.6 and 10.18).
struct ProfileTone {
  int function = -1;                     ///< a parametric one, 0 to 4; -1: samples
  std::vector<std::int32_t> parameters;  ///< of the function, in 1/65536
  std::vector<std::uint16_t> samples;    ///< none: the identity; one: a gamma, in 1/256
};

/// What a profile for gray or RGB says. Colours are relative to the white of D50.
struct ProfileNumbers {
  enum class Kind : std::uint8_t {
    none,      ///< it is not for gray or RGB, or damaged
    gray,      ///< one curve
    matrix,    ///< three curves and three colorants
    table,     ///< a grid of colours in CIE Lab
    xyz_table  ///< a grid of colours in CIE XYZ
  };
  static constexpr int grid = 33;

  Kind kind = Kind::none;
  std::optional<Coding> coding;                ///< as coding_of_icc()
  std::array<std::int32_t, 9> colorants = {};  ///< X, Y, Z of red, green and blue, in 1/65536
  std::vector<ProfileTone> tones;
  /// As 16-bit tables hold them (ICC.1:2022, 10.10): grid^3 colours, blue varying fastest.
  std::vector<std::uint16_t> table;
};

/// Whether the numbers are as many as their kind has.
bool are_complete(const ProfileNumbers& numbers);

/// A profile of version 4 with these numbers, which must be complete; empty for Kind::none.
std::vector<unsigned char> profile_of_numbers(const ProfileNumbers& numbers);

}  // namespace sfumato
