// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The seed of the noise in one frame of a movie.
#pragma once

#include <cstdint>

#include "params/parameter_set.hpp"

namespace sfumato {

/// `seed` itself for frame 0; else a mixture of both, by the output function of SplitMix64 (Steele,
/// Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014).
inline std::uint32_t frame_seed(std::uint32_t seed, std::uint32_t frame) {
  if (frame == 0) return seed;
  std::uint64_t z = (std::uint64_t{seed} << 32 | frame) + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

/// Of the parameters `seed` and `frame_number`.
inline std::uint32_t seed_of(const Values& values) {
  return frame_seed(static_cast<std::uint32_t>(values.get<std::int64_t>("seed")),
                    static_cast<std::uint32_t>(values.get<std::int64_t>("frame_number")));
}

}  // namespace sfumato
