// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The nearest known name to an unknown one.
#include "params/suggest.hpp"

#include <algorithm>
#include <cstdint>

#include "params/scan.hpp"

namespace sfumato {
namespace {

constexpr std::size_t longest_name = 64;   // longer names are not typing errors
constexpr std::size_t longest_quote = 60;  // code points
constexpr std::size_t not_near = SIZE_MAX;

/// Twice the number of edits, so that a prefix match can rank between two edit counts.
std::size_t score(const std::string& given, const std::string& known) {
  const std::size_t longer = std::max(given.size(), known.size());
  const std::size_t shorter = std::min(given.size(), known.size());
  const std::size_t limit = std::max<std::size_t>(1, longer / 3);
  const std::size_t edits = edit_distance(given, known);
  if (edits <= limit && edits < shorter) return 2 * edits;
  const bool begins = shorter >= 2 && given.compare(0, shorter, known, 0, shorter) == 0;
  if (begins) return 2 * limit + 1;
  const bool last_word = given.size() >= 3 && known.size() > given.size() + 1 &&
                         known.ends_with(given) && known[known.size() - given.size() - 1] == '_';
  return last_word ? 2 * limit + 3 : not_near;
}

// One character of `length` bytes; `length` 0 means it is invalid.
std::string_view printable_character(std::string_view text, std::size_t offset,
                                     std::size_t length) {
  const auto byte = static_cast<unsigned char>(text[offset]);
  // U+0080 to U+009F are control characters too.
  const bool c1 =
      byte == 0xC2 && length == 2 && static_cast<unsigned char>(text[offset + 1]) < 0xA0;
  if (length == 0 || byte < 0x20 || byte == 0x7F || c1) return "\uFFFD";
  return text.substr(offset, length);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string nearest_name(std::string_view given, const std::vector<std::string>& known) {
  const std::string wanted = scan::folded(scan::trim(given));
  if (wanted.empty() || wanted.size() > longest_name) return {};
  std::size_t best = not_near;
  std::string result;
  for (const std::string& name : known) {
    if (name.size() > longest_name) continue;
    const std::size_t found = score(wanted, scan::folded(name));
    if (found < best) {
      best = found;
      result = name;
    }
  }
  return result;
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& known) {
  const std::string name = nearest_name(given, known);
  return name.empty() ? std::string() : "; did you mean \"" + name + "\"?";
}

std::string printable(std::string_view given) {
  std::string result;
  for (std::size_t offset = 0; offset < given.size();) {
    const std::size_t length = scan::utf8_length(given, offset);
    result += printable_character(given, offset, length);
    offset += std::max<std::size_t>(1, length);
  }
  return result;
}

std::string in_quotes(std::string_view given) {
  std::string result = "\"";
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < given.size(); ++count) {
    if (count == longest_quote) {
      result += "\u2026";
      break;
    }
    const std::size_t length = scan::utf8_length(given, offset);
    result += printable_character(given, offset, length);
    offset += std::max<std::size_t>(1, length);
  }
  return result + "\"";
}

}  // namespace sfumato
