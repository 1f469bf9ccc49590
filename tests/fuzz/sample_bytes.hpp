// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files that are written byte by byte, and the picture in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace sfumato::fuzz {

inline constexpr int width = 24, height = 20;

inline unsigned char value(int x, int y, int c) {
  return static_cast<unsigned char>(x * 9 + y * 5 + c * 60);
}

/// Numbers are put down byte by byte.
class Bytes {
 public:
  Bytes& text(const std::string& more) {
    out_ += more;
    return *this;
  }
  Bytes& big(std::uint32_t number, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) out_ += static_cast<char>(number >> (8 * i) & 0xff);
    return *this;
  }
  Bytes& little(std::uint32_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out_ += static_cast<char>(number >> (8 * i) & 0xff);
    return *this;
  }
  Bytes& zeros(std::size_t up_to) {
    out_.resize(std::max(out_.size(), up_to), '\0');
    return *this;
  }
  Bytes& pixel(int x, int y, bool reversed) {
    for (int c = 0; c < 3; ++c) out_ += static_cast<char>(value(x, y, reversed ? 2 - c : c));
    return *this;
  }
  Bytes& pixels(bool reversed) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) pixel(x, y, reversed);
    }
    return *this;
  }
  const std::string& out() const { return out_; }

 private:
  std::string out_;
};

}  // namespace sfumato::fuzz
