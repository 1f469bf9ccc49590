// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/fits_header.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace sfumato::files {
namespace {

constexpr std::uint64_t block_bytes = 2880, card_bytes = 80;

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// What stands between quotes, of which two are one in a text; else what stands before a comment.
std::string value_of(const std::string& field) {
  const std::string from = trimmed(field);
  if (from.empty() || from[0] != '\'') return trimmed(from.substr(0, from.find('/')));
  std::string out;
  for (std::size_t i = 1; i < from.size(); ++i) {
    if (from[i] == '\'' && (i + 1 == from.size() || from[++i] != '\'')) break;
    out += from[i];
  }
  return trimmed(out);
}

void take_card(const std::string& card, FitsUnit& unit) {
  constexpr std::size_t keyword = 8;
  const std::string name = trimmed(card.substr(0, keyword));
  if (name == "COMMENT" || name == "HISTORY") {
    const std::string note = trimmed(card.substr(keyword));
    if (!note.empty()) unit.notes.push_back(note);
  } else if (card.compare(keyword, 2, "= ") == 0) {
    unit.values.emplace(name, value_of(card.substr(keyword + 2)));  // the first one counts
  } else if (!name.empty()) {
    unit.values.emplace(name, trimmed(card.substr(keyword)));  // of a convention of its own
  }
}

// False if the header has no end.
bool read_unit(Bytes& in, std::uint64_t at, FitsUnit& unit) {
  constexpr int most_blocks = 1000;
  for (int i = 0; i < most_blocks; ++i, at += block_bytes) {
    const std::string cards = in.text(at, block_bytes);
    for (std::uint64_t c = 0; c + card_bytes <= cards.size(); c += card_bytes) {
      const std::string card = cards.substr(c, card_bytes);
      if (card.compare(0, 8, "END     ") == 0) {
        unit.data = at + block_bytes;
        return true;
      }
      take_card(card, unit);
    }
    if (cards.empty()) return false;
  }
  return false;
}

// A number that counts, 0 if it is none.
std::uint64_t count(const FitsUnit& unit, const std::string& keyword, std::uint64_t otherwise) {
  constexpr double most = 1e15;
  const double value = unit.number(keyword, static_cast<double>(otherwise));
  return value >= 0 && value <= most ? static_cast<std::uint64_t>(value) : 0;
}

// The product of counts, at most what 64 bits hold.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 4;
  return b != 0 && a > most / b ? most : a * b;
}

// Numbers in an array from an axis on.
std::uint64_t numbers_from(const FitsUnit& unit, std::uint64_t axis) {
  const std::uint64_t axes = std::min<std::uint64_t>(count(unit, "NAXIS", 0), 999);
  std::uint64_t out = 1;
  for (; axis <= axes; ++axis) out = product(out, count(unit, "NAXIS" + std::to_string(axis), 0));
  return out;
}

int bits_of(const FitsUnit& unit) {
  return static_cast<int>(std::clamp(unit.number("BITPIX", 8), -64.0, 64.0));
}

// Bytes of a unit's data, in whole blocks.
std::uint64_t data_bytes(const FitsUnit& unit) {
  if (count(unit, "NAXIS", 0) == 0) return 0;
  const auto bytes = static_cast<std::uint64_t>(std::abs(bits_of(unit)) / 8);
  const std::uint64_t numbers = product(numbers_from(unit, 1) + count(unit, "PCOUNT", 0),
                                        std::max<std::uint64_t>(1, count(unit, "GCOUNT", 1)));
  return (product(numbers, bytes) + block_bytes - 1) / block_bytes * block_bytes;
}

// ImageMagick states the offset of unsigned integers of 32 bits in seven digits, and for floats,
// too, to which it does not belong.
void settle_zero(FitsPicture& picture) {
  constexpr double half_range = 2147483648.0, rounded = 1000;
  if (std::abs(picture.zero - half_range) > rounded || picture.scale != 1) return;
  if (picture.bits == 32) picture.zero = half_range;
  picture.no_zero = picture.bits < 0;
  if (picture.no_zero) picture.zero = 0;
}

// The first picture of a unit; none if its array is no picture.
std::optional<FitsPicture> picture_of(const FitsUnit& unit) {
  constexpr std::uint64_t longest = std::numeric_limits<int>::max();
  constexpr int kinds[] = {8, 16, 32, 64, -32, -64};
  const std::uint64_t width = count(unit, "NAXIS1", 0), height = count(unit, "NAXIS2", 0);
  FitsPicture out;
  out.bits = bits_of(unit);
  const bool known = std::find(std::begin(kinds), std::end(kinds), out.bits) != std::end(kinds);
  if (!known || count(unit, "NAXIS", 0) < 2 || width == 0 || height == 0 || width > longest ||
      height > longest) {
    return std::nullopt;
  }
  out.width = static_cast<int>(width);
  out.height = static_cast<int>(height);
  out.scale = unit.number("BSCALE", 1);
  out.zero = unit.number("BZERO", 0);
  settle_zero(out);
  out.upwards = unit.text("ROWORDER") != "TOP-DOWN";
  out.data = unit.data;
  return out;
}

void add_pictures(FitsFile& file, std::size_t most) {
  const FitsUnit& unit = file.units.back();
  std::optional<FitsPicture> picture = picture_of(unit);
  if (!picture) return;
  picture->unit = file.units.size() - 1;
  std::uint64_t planes = numbers_from(unit, 3);
  if (planes == 3) {
    picture->planes = 3;
    planes = 1;
  }
  for (; planes > 0 && file.pictures.size() < most; --planes) {
    file.pictures.push_back(*picture);
    picture->data += picture->plane_bytes();
  }
}

}  // namespace

double FitsUnit::number(const std::string& keyword, double otherwise) const {
  const auto found = values.find(keyword);
  if (found == values.end()) return otherwise;
  std::string digits = found->second;
  std::replace(digits.begin(), digits.end(), 'D', 'E');  // Fortran's exponent
  const char* begin = digits.data() + (digits.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(begin, digits.data() + digits.size(), value);
  return error == std::errc() ? value : otherwise;
}

std::string FitsUnit::text(const std::string& keyword) const {
  const auto found = values.find(keyword);
  return found == values.end() ? std::string() : found->second;
}

std::uint64_t FitsPicture::row_bytes() const {
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(std::abs(bits) / 8);
}

FitsFile read_fits(Bytes& in, std::size_t most) {
  constexpr std::size_t most_units = 10000;
  in.set_big_endian(true);
  FitsFile file;
  for (std::uint64_t at = 0; file.units.size() < most_units && in.has(at, block_bytes);) {
    FitsUnit& unit = file.units.emplace_back();
    if (!read_unit(in, at, unit)) {
      file.units.pop_back();
      break;
    }
    const std::string kind = unit.text("XTENSION");
    if (kind.empty() || kind == "IMAGE") add_pictures(file, most);
    file.compressed = file.compressed || unit.text("ZIMAGE") == "T";
    at = unit.data + data_bytes(unit);
  }
  return file;
}

}  // namespace sfumato::files
