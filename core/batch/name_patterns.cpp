// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Parses sequences and patterns, and compares names.
#include "batch/name_patterns.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "batch/errors.hpp"
#include "params/suggest.hpp"

namespace sfumato {

namespace fs = std::filesystem;

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || text.size() > 15 || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Finds "%04d" or "####" in a name: its position, its length and the number of digits.
bool find_number(const std::string& name, std::size_t& at, std::size_t& length,
                 std::size_t& digits) {
  at = name.find('#');
  if (at != std::string::npos) {
    length = std::min(name.find_first_not_of('#', at), name.size()) - at;
    digits = length;
    return true;
  }
  at = name.find('%');
  if (at == std::string::npos) return false;
  std::size_t end = at + 1;
  while (end < name.size() && is_digit(name[end])) ++end;
  if (end >= name.size() || name[end] != 'd' || end - at > 3) return false;
  length = end + 1 - at;
  digits = end == at + 1 ? 1 : static_cast<std::size_t>(std::stoi(name.substr(at + 1)));
  return digits >= 1 && digits <= 15;
}

// Moves a range such as "1001-1100" from the end of `before` to `range`.
void take_range(Sequence& sequence) {
  std::string& text = sequence.before;
  std::size_t begin = text.size();
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  if (begin == text.size() || begin == 0 || text[begin - 1] != '-') return;
  const std::size_t dash = begin - 1;
  std::size_t first = dash;
  while (first > 0 && is_digit(text[first - 1])) --first;
  const auto from = number_of(std::string_view(text).substr(first, dash - first));
  const auto to = number_of(std::string_view(text).substr(begin));
  if (!from || !to) return;
  if (*from > *to) {
    throw BatchError(
        message({"batch.empty_range", "the range of frames {range} ends before it begins"},
                in_quotes(text.substr(first))));
  }
  sequence.range = {*from, *to};
  text.resize(first);
}

}  // namespace

std::optional<Sequence> sequence_of(const std::string& word) {
  const fs::path path(word);
  const std::string name = path.filename().string();
  std::size_t at = 0, length = 0, digits = 0;
  if (!find_number(name, at, length, digits)) return std::nullopt;
  Sequence out;
  out.folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  out.before = name.substr(0, at);
  out.after = name.substr(at + length);
  out.digits = digits;
  take_range(out);
  return out;
}

std::optional<std::int64_t> frame_in(const std::string& name, const Sequence& sequence) {
  const std::size_t around = sequence.before.size() + sequence.after.size();
  if (name.size() < around + sequence.digits || !name.starts_with(sequence.before) ||
      !name.ends_with(sequence.after)) {
    return std::nullopt;
  }
  const std::string_view digits =
      std::string_view(name).substr(sequence.before.size(), name.size() - around);
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  if (digits.size() > sequence.digits && digits[0] == '0') return std::nullopt;
  return number_of(digits);
}

bool is_wild(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

Pattern pattern_of(const std::string& word) {
  const fs::path path(word);
  Pattern out;
  out.folder = path.has_root_path() ? path.root_path() : fs::path(".");
  for (const fs::path& part : path.relative_path()) out.names.push_back(part.string());
  std::size_t fixed = 0;
  while (fixed + 1 < out.names.size() && !is_wild(out.names[fixed])) {
    out.folder /= out.names[fixed++];
  }
  out.names.erase(out.names.begin(), out.names.begin() + static_cast<std::ptrdiff_t>(fixed));
  out.folder = full_path(out.folder);
  return out;
}

bool fits_pattern(const std::string& name, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD | FNM_NOESCAPE) == 0;
}

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto run = [](const std::string& text, std::size_t& at) {
        while (at < text.size() && text[at] == '0') ++at;
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return std::string_view(text).substr(begin, at - begin);
      };
      const std::string_view x = run(a, i), y = run(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    const int x = std::tolower(static_cast<unsigned char>(a[i++])),
              y = std::tolower(static_cast<unsigned char>(b[j++]));
    if (x != y) return x < y;
  }
  const std::size_t left = a.size() - i, right = b.size() - j;
  return left != right ? left < right : a < b;
}

fs::path full_path(const fs::path& path) {
  return (fs::absolute(path) / "").lexically_normal().parent_path();
}

}  // namespace sfumato
