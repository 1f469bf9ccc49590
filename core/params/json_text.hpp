// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JSON as text: a parser safe against hostile input, and a writer for human readers.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "text/message.hpp"

namespace sfumato {

/// Invalid JSON. `what()` is one sentence with line and column.
class JsonError : public MessageError {
 public:
  explicit JsonError(Message sentence, std::size_t line = 0, std::size_t column = 0)
      : MessageError(std::move(sentence)), line_(line), column_(column) {}

  /// Counted from 1, columns in characters; 0 if the fault has no single position.
  std::size_t line() const noexcept { return line_; }
  std::size_t column() const noexcept { return column_; }

 private:
  std::size_t line_, column_;
};

inline constexpr std::size_t json_largest = 8u << 20;  ///< bytes
inline constexpr std::size_t json_deepest = 64;        ///< nesting depth of arrays and objects

/// Parses JSON, keeping the order of members, independent of the locale. Throws JsonError if the
/// text is not valid UTF-8 or JSON, is larger than json_largest, nests deeper than json_deepest,
/// has a number beyond the range of a double, or repeats a name in an object.
nlohmann::ordered_json parse_json(std::string_view text);

/// Writes JSON with two spaces of indentation, flat arrays on one line where they fit, and a final
/// newline. Throws JsonError if a string is not valid UTF-8.
std::string print_json(const nlohmann::ordered_json& json);

}  // namespace sfumato
