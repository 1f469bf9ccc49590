// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Headers of BMP files of Windows and OS/2 (BITMAPCOREHEADER to BITMAPV5HEADER).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "io/module/bytes.hpp"
#include "text/message.hpp"

namespace sfumato::files {

/// One channel of a pixel that is a number.
struct BmpMask {
  std::uint32_t bits = 0;

  int shift() const;
  std::uint64_t most() const { return bits >> shift(); }  ///< the largest sample
  /// Whether the bits stand side by side.
  bool is_sound() const { return (most() & (most() + 1)) == 0; }
};

struct BmpHeader {
  enum class Coding : std::uint8_t { rows, bytes_rle, halves_rle, pixels_rle };
  using Color = std::array<std::uint8_t, 3>;

  std::uint64_t size = 0;  ///< of the header without the file's own
  std::uint64_t data = 0;  ///< where rows or runs begin
  std::uint64_t width = 0, height = 0;
  int bits = 0;  ///< of a pixel
  bool top_down = false;
  Coding coding = Coding::rows;
  bool has_masks = false;
  std::array<BmpMask, 4> masks{};                  ///< of red, green, blue and alpha
  std::vector<Color> palette;                      ///< of at most 8 bits a pixel
  std::uint64_t x_per_metre = 0, y_per_metre = 0;  ///< pixels; 0 if it is not said

  explicit BmpHeader(Bytes& in);

  std::uint64_t row_bytes() const {
    return (width * static_cast<std::uint64_t>(bits) + 31) / 32 * 4;
  }
  bool is_gray() const;
  /// Why the picture cannot be read although the file may be sound: its kind.
  std::optional<Message> variant() const;
  /// What makes no sense.
  std::optional<Message> fault() const;

 private:
  void read_core(Bytes& in);
  void read_info(Bytes& in);
  void read_coding(std::uint64_t number);
  void read_masks(Bytes& in);
  void read_palette(Bytes& in, std::uint64_t at, std::uint64_t used);
  bool is_os2() const;

  std::uint64_t compression_ = 0;
  bool known_ = true;
};

}  // namespace sfumato::files
