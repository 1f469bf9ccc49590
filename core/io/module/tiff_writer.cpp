// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Writes directories as TIFF stores them.
#include "io/module/tiff_writer.hpp"

#include <algorithm>
#include <array>

namespace sfumato::files {
namespace {

// By type: how many bytes are swapped together, and how many make a value (fractions are two
// numbers).
constexpr std::array<std::uint8_t, 19> units = {0, 1, 1, 2, 4, 4, 1, 1, 2, 4,
                                                4, 4, 8, 4, 0, 0, 8, 8, 8};
constexpr std::array<std::uint8_t, 19> sizes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4,
                                                8, 4, 8, 4, 0, 0, 8, 8, 8};

}  // namespace

std::uint64_t tiff_value_bytes(int type) {
  return type >= 0 && type < static_cast<int>(sizes.size()) ? sizes[static_cast<std::size_t>(type)]
                                                            : 0;
}

std::size_t tiff_unit(int type) {
  return tiff_value_bytes(type) > 0 ? units[static_cast<std::size_t>(type)] : 1;
}

void reverse_units(std::string& bytes, std::size_t unit) {
  for (std::size_t at = 0; unit > 1 && at + unit <= bytes.size(); at += unit) {
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    std::reverse(from, from + static_cast<std::ptrdiff_t>(unit));
  }
}

void swap_tiff_value(std::string& value, int type) {
  reverse_units(value, tiff_unit(type));
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  TiffWriter(false, false, 0).put(out, value, bytes);
  return out;
}

void TiffWriter::put(std::string& to, std::uint64_t value, int bytes) const {
  for (int i = 0; i < bytes; ++i) {
    to.push_back(static_cast<char>(value >> 8 * (big_endian_ ? bytes - 1 - i : i)));
  }
}

std::uint64_t TiffWriter::add(const TiffEntries& entries, std::uint64_t next) {
  const int word = big_tiff_ ? 8 : 4, counter = big_tiff_ ? 8 : 2;
  const std::uint64_t at = begin_ + bytes_.size();
  const std::uint64_t values_at = at + static_cast<std::uint64_t>(counter) +
                                  entries.size() * (big_tiff_ ? 20 : 12) +
                                  static_cast<std::uint64_t>(word);
  std::string directory, values;
  put(directory, entries.size(), counter);
  for (const auto& [tag, entry] : entries) {
    if (!entry.raw.empty()) {
      directory += entry.raw;
      continue;
    }
    put(directory, tag, 2);
    put(directory, static_cast<std::uint64_t>(entry.type), 2);
    put(directory, entry.count, word);
    std::string value = entry.value;
    if (big_endian_) swap_tiff_value(value, entry.type);
    if (value.size() <= static_cast<std::size_t>(word)) {
      value.resize(static_cast<std::size_t>(word), '\0');
      directory += value;
    } else {
      put(directory, values_at + values.size(), word);
      values += value;
      values.append(values.size() & 1, '\0');
    }
  }
  put(directory, next, word);
  bytes_ += directory + values;
  bytes_.append(bytes_.size() & 1, '\0');
  return at;
}

}  // namespace sfumato::files
