// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures that are sound and blank: a few bytes, however large.
#pragma once

#include <cstdint>
#include <string>

namespace sfumato::testing {

// A JPEG 2000 codestream of one tile of 8-bit channels whose packets are all empty (ISO 15444-1,
// B.10.3): mid-gray.
inline std::string blank_codestream(std::uint32_t width, std::uint32_t height, unsigned channels) {
  const auto big = [](std::uint64_t value, int bytes) {
    std::string out;
    while (bytes-- > 0) out.push_back(static_cast<char>(value >> (8 * bytes) & 0xff));
    return out;
  };
  const auto segment = [&](const std::string& mark, const std::string& body) {
    return mark + big(body.size() + 2, 2) + body;
  };
  constexpr unsigned levels = 5, packets = 400;
  std::string size = big(0, 2);
  for (int i = 0; i < 2; ++i) size += big(width, 4) + big(height, 4) + big(0, 8);
  size += big(channels, 2);
  for (unsigned i = 0; i < channels; ++i) size += std::string("\7\1\1", 3);
  // No precincts, one layer, no mix of channels; blocks of 64 x 64, without loss.
  const std::string coding = big(0, 1) + big(0, 1) + big(1, 2) + big(0, 1) + big(levels, 1) +
                             big(4, 1) + big(4, 1) + big(0, 1) + big(1, 1);
  const std::string steps = big(0x40, 1) + std::string(3 * levels + 1, 8 << 3);
  constexpr unsigned head_of_tile = 14;
  return "\xff\x4f" + segment("\xff\x51", size) + segment("\xff\x52", coding) +
         segment("\xff\x5c", steps) +
         segment("\xff\x90", big(0, 2) + big(head_of_tile + packets, 4) + big(0, 1) + big(1, 1)) +
         "\xff\x93" + std::string(packets, '\0') + "\xff\xd9";
}

}  // namespace sfumato::testing
