// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How outputs are called: "{folder}/{stem}_{recipe}.{ext}".
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
  std::filesystem::path source;  ///< whose name and folder count
  std::filesystem::path below;   ///< its folder, from the one that was given; may be empty
  std::string recipe;            ///< the recipe's name
  std::string extension;         ///< the output's, without the dot
  std::int64_t counter = 1;      ///< the place in the plan, from 1
  std::optional<std::int64_t> frame = {};  ///< of a sequence or a movie
  std::int64_t time = 0;                   ///< when the source was last changed, seconds since 1970
};

/// A name with fields in braces: {stem}, {ext}, {recipe}, {folder} (the source's folder below the
/// one that was given), {parent} (its last folder), {date} (of the source's last change, as
/// 2026-05-31, local time), {time} (likewise, as 174501), {counter}, {frame}. Numbers may be told
/// how many digits they have: {counter:4}. "{{" and "}}" are braces themselves.
class NameTemplate {
 public:
  /// Throws BatchError for an unknown field (naming the nearest), a brace without its partner, a
  /// width where there is no number.
  explicit NameTemplate(std::string_view text);

  /// The text with its fields filled in. Throws BatchError for a frame where there is none.
  std::string text_of(const NameFields& fields) const;

  /// The same as a path without "..", relative but where the template begins with "/" or {folder}
  /// is absolute. What is empty between two slashes is left out. In a field that is one name,
  /// slashes and control characters become "_". Throws BatchError as text_of() does, and for ".."
  /// and names that are none.
  std::filesystem::path fill(const NameFields& fields) const;

  /// Whether the template has this field.
  bool uses(std::string_view field) const;
  const std::string& text() const { return text_; }

 private:
  struct Piece {
    std::string text;  ///< of what stands there as it is, or the field's name
    bool field = false;
    int digits = 0;
  };
  void add_literal(char c);
  /// What stands between two braces.
  void add_field(std::string_view inside);

  std::string text_;
  std::vector<Piece> pieces_;
};

/// The template that outputs have where none is given.
inline constexpr std::string_view default_name_template = "{folder}/{stem}_{recipe}.{ext}";

}  // namespace sfumato
