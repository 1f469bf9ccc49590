// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Names of outputs, from templates such as "{folder}/{stem}_{recipe}.{ext}".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato {

/// What a template is filled with.
struct NameFields {
  std::filesystem::path source;  ///< its name and its folder are used
  std::filesystem::path below;   ///< its folder, relative to the searched one; may be empty
  std::string recipe;            ///< the recipe's name
  std::string extension;         ///< the output's, without the dot
  std::int64_t counter = 1;      ///< the place in the plan, from 1
  std::optional<std::int64_t> frame = {};  ///< of a sequence or a movie
  std::int64_t time = 0;                   ///< when the source was last changed, seconds since 1970
};

/// A name with fields in braces: {stem}, {ext}, {recipe}, {folder} (the source's folder, relative
/// to the searched one), {parent} (the name of the source's folder), {date} (of the source's last
/// change, as 2026-05-31, local time), {time} (likewise, as 174501), {counter}, {frame}. Numbers
/// may be padded with zeros to 1 to 12 digits: {counter:4}. "{{" and "}}" stand for braces.
class NameTemplate {
 public:
  /// Throws BatchError for an empty template, an unknown field (suggesting the nearest), an
  /// unmatched brace, a zero byte, and a number of digits that is out of range or given to another
  /// field.
  explicit NameTemplate(std::string_view text);

  /// The text with its fields filled in. Throws BatchError if {frame} is used but `fields` has no
  /// frame.
  std::string text_of(const NameFields& fields) const;

  /// The same as a path: relative unless the template begins with "/" or with a {folder} that is
  /// absolute. Empty parts between slashes are dropped. In all fields but {folder}, slashes and
  /// control characters become "_". Throws BatchError as text_of() does, and for a path that
  /// contains ".." or has no file name.
  std::filesystem::path fill(const NameFields& fields) const;

  /// Whether the template has this field.
  bool uses(std::string_view field) const;
  const std::string& text() const { return text_; }

 private:
  struct Piece {
    std::string text;  ///< literal text, or the field's name
    bool field = false;
    int digits = 0;  ///< at least
  };
  void add_literal(char c);
  /// `inside` is the text between two braces.
  void add_field(std::string_view inside);

  std::string text_;
  std::vector<Piece> pieces_;
};

/// Used if no template is given.
inline constexpr std::string_view default_name_template = "{folder}/{stem}_{recipe}.{ext}";

}  // namespace sfumato
