// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Names of files: numbered sequences, patterns, and the order of names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfumato {

/// "shot.####.exr", "shot.%04d.exr" or "shot.1001-1100####.exr" in parts.
struct Sequence {
  std::filesystem::path folder;
  std::string before, after;  ///< of the number, in the name
  std::size_t digits = 1;
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
};

/// Nullopt where a word is no sequence. Throws BatchError for a range that ends before it begins.
std::optional<Sequence> sequence_of(const std::string& word);

/// The frame's number in a file's name: of as many digits as the sequence has or, without zeros in
/// front, of more.
std::optional<std::int64_t> frame_in(const std::string& name, const Sequence& sequence);

/// Whether a name or a path has something of a pattern: *, ? or [.
bool is_wild(const std::string& text);

/// A path with wild names: `folder`, absolute, has none; `names` lie below it, the first wild one
/// (or the last name) in front.
struct Pattern {
  std::filesystem::path folder;
  std::vector<std::string> names;
};
Pattern pattern_of(const std::string& word);

/// Whether a name fits a pattern of *, ? and [a-z] ([!a-z] for all but these).
bool fits_pattern(const std::string& name, const std::string& pattern);

/// Names in order as people count: "a2" before "a10", letter case aside.
bool natural_less(const std::string& a, const std::string& b);

/// Absolute, without "." and "..", without a slash at the end.
std::filesystem::path full_path(const std::filesystem::path& path);

}  // namespace sfumato
