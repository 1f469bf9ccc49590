// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A table-driven encode() for many numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "image/format.hpp"

namespace sfumato {

/// Encodes light to stored numbers with the relative accuracy of a float. Thread-safe.
class Encoder {
 public:
  explicit Encoder(Coding coding) : coding_(coding) {
    if (coding == Coding::linear()) return;
    for (std::uint32_t i = first; i <= last; ++i) table_.push_back(exactly(number_of(i)));
  }

  float operator()(float light) const {
    if (table_.empty()) return light;
    const auto bits = std::bit_cast<std::uint32_t>(light);
    const std::uint32_t at = (bits >> rest) - first;  // negative values end up beyond the table
    if (at >= last - first) return exactly(light);
    const float low = table_[at], high = table_[at + 1];
    return low + (high - low) * (static_cast<float>(bits & ((1u << rest) - 1)) / (1u << rest));
  }

 private:
  // 256 entries per octave, from 2^-16 to 2.
  static constexpr int rest = 15;
  static constexpr std::uint32_t first = (127u - 16) << 8, last = (127u + 1) << 8;

  static float number_of(std::uint32_t entry) { return std::bit_cast<float>(entry << rest); }
  float exactly(float light) const {
    return static_cast<float>(encode(coding_, static_cast<double>(light)));
  }

  Coding coding_;
  std::vector<float> table_;
};

}  // namespace sfumato
