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
  std::string before, after;  ///< the name's text around the number
  std::size_t digits = 1;
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
};

/// The sequence that a word describes; nullopt if it is none. Throws BatchError for a range that
/// ends before it begins.
std::optional<Sequence> sequence_of(const std::string& word);

/// The frame number in a file's name; nullopt if the name is not of the sequence. The number has as
/// many digits as the sequence asks for, or more if it has no leading zeros.
std::optional<std::int64_t> frame_in(const std::string& name, const Sequence& sequence);

/// Whether a name or path contains a wildcard: *, ? or [.
bool is_wild(const std::string& text);

/// A path with wildcards. `folder` is absolute and has none; `names` is the rest of the path, from
/// the first name with wildcards on (or the last name).
struct Pattern {
  std::filesystem::path folder;
  std::vector<std::string> names;
};
Pattern pattern_of(const std::string& word);

/// Whether a name fits a pattern of *, ? and [a-z] ([!a-z] for all but these).
bool fits_pattern(const std::string& name, const std::string& pattern);

/// Natural order: "a2" before "a10"; letter case is ignored.
bool natural_less(const std::string& a, const std::string& b);

/// Absolute, without "." and "..", without a slash at the end.
std::filesystem::path full_path(const std::filesystem::path& path);

}  // namespace sfumato
