// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Text helpers shared by the parsers of this folder; ASCII only, no locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::scan {

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

inline bool is_letter(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}

inline char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The trimmed parts between `separator`s; always at least one, which may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The parts between runs of white space; none are empty.
std::vector<std::string_view> words(std::string_view text);

/// Lower case with `_` for `-`: the form in which user-typed names are compared.
std::string folded(std::string_view text);

/// Replaces `-` by `_`.
std::string underscored(std::string_view name);

/// yes, true, on, 1 and no, false, off, 0 in any letter case; returns false for anything else.
bool parse_boolean(std::string_view text, bool& value);

/// The length of the UTF-8 sequence at `offset`, or 0 if there is no valid one.
std::size_t utf8_length(std::string_view text, std::size_t offset);

/// The offset of the first byte that is not valid UTF-8, or npos.
std::size_t invalid_utf8(std::string_view text);

/// "a, b, c".
std::string joined(const std::vector<std::string>& names);

}  // namespace sfumato::scan
