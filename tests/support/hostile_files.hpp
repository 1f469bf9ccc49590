// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files that take down the process that reads them.
#pragma once

#include <cstdint>
#include <string>

namespace sfumato::testing {

/// A Softimage picture of 16 x 16 whose runs of pixels are longer than its rows: OpenImageIO's
/// reader writes past them.
inline std::string crashing_pic() {
  std::string out;
  const auto big = [&](std::uint32_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(value >> (8 * i)));
  };
  big(0x5380f634, 4);
  big(0x3f800000, 4);  // version 1, as a float
  out.append(80, '\0');
  out += "PICT";
  big(16, 2);
  big(16, 2);
  big(0x3f800000, 4);  // square pixels
  big(3, 2);
  big(0, 2);
  big(0x000801e0, 4);
  for (int i = 0; i < 3200; ++i) big(0xff010203, 4);
  return out;
}

}  // namespace sfumato::testing
