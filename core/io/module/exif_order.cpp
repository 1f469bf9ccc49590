// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// EXIF for a file in the other byte order, on which some of its bytes without a type depend: texts
// in UTF-16 and tables (JEITA CP-3451, 4.6.5).
#include <algorithm>

#include "io/module/embedded.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view unicode_mark = "UNICODE\0"sv;

// Swaps numbers of so many bytes from one place to another.
void swap_numbers(std::string& value, std::size_t from, std::size_t to, std::size_t bytes) {
  for (std::size_t at = from; at + bytes <= std::min(to, value.size()); at += bytes) {
    const auto first = value.begin() + static_cast<std::ptrdiff_t>(at);
    std::reverse(first, first + static_cast<std::ptrdiff_t>(bytes));
  }
}

std::size_t short_at(const std::string& value, std::size_t at, bool big_endian) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(value[i]); };
  return big_endian ? static_cast<std::size_t>(byte(at)) << 8 | byte(at + 1)
                    : static_cast<std::size_t>(byte(at + 1)) << 8 | byte(at);
}

// Numbers of columns and rows, the columns' names, and a fraction for each cell. `big_endian`: as
// it is.
void swap_table(std::string& value, bool big_endian) {
  constexpr std::size_t head = 4, cell = 8;
  if (value.size() < head) return;
  const std::size_t cells = short_at(value, 0, big_endian) * short_at(value, 2, big_endian);
  swap_numbers(value, 0, head, 2);
  if (cells > (value.size() - head) / cell) return;
  swap_numbers(value, value.size() - cells * cell, value.size(), 4);
}

void swap_entry(std::uint16_t tag, std::string& value, bool big_endian) {
  constexpr std::uint16_t curve = 0x8828, response = 0xa20c, pattern = 0xa302, settings = 0xa40b,
                          exposures = 0xa462;
  // Seven fractions, two numbers, and a fraction for each of the pictures.
  constexpr std::size_t sums = 56, counts = 60;
  switch (tag) {
    case curve:
    case response:
      return swap_table(value, big_endian);
    case pattern:  // two sizes before the colours
      return swap_numbers(value, 0, 4, 2);
    case settings:
      return swap_numbers(value, 0, value.size(), 2);
    case exposures:
      swap_numbers(value, 0, sums, 4);
      swap_numbers(value, sums, counts, 2);
      return swap_numbers(value, counts, value.size(), 4);
    default:
      if (value.rfind(unicode_mark, 0) == 0) {
        swap_numbers(value, unicode_mark.size(), value.size(), 2);
      }
  }
}

}  // namespace

Exif exif_in_order(Exif exif, bool big_endian) {
  if (exif.big_endian == big_endian) return exif;
  for (TiffEntries* entries : {&exif.photo, &exif.gps}) {
    for (auto& [tag, entry] : *entries) {
      if (entry.type == tiff_undefined) swap_entry(tag, entry.value, exif.big_endian);
    }
  }
  exif.big_endian = big_endian;
  return exif;
}

}  // namespace sfumato::files
