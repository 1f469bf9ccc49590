// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Visibility of a parameter: a small expression over the filter's other parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sfumato {

class Values;

/// Terms joined with `&`, all of which must hold:
///   `name`            a boolean that is yes, a number that is not 0, an image that is bound
///   `!name`           the opposite
///   `name = a | b`    a choice, boolean or number equal to one of these
///   `name != a | b`   equal to none of these
///   `name > 0`        also `>=`, `<`, `<=`: comparison of a number
/// The empty condition always holds.
class Condition {
 public:
  enum class Relation { truthy, falsy, equal, not_equal, less, less_equal, greater, greater_equal };
  struct Term {
    std::string name;
    Relation relation = Relation::truthy;
    std::vector<std::string> operands;  ///< empty for truthy and falsy, one for the order relations
    bool operator==(const Term&) const = default;
  };

  Condition() = default;

  /// Throws std::logic_error on a syntax error, since conditions are part of the program.
  static Condition parse(std::string_view text);

  bool empty() const { return terms_.empty(); }
  const std::vector<Term>& terms() const { return terms_; }

  /// Whether every term holds. Throws std::logic_error if `values` lacks a name used here.
  bool evaluate(const Values& values) const;

  /// The canonical text; parse(text()) yields the same condition.
  std::string text() const;

  /// The parameters used, each once, in order of appearance.
  std::vector<std::string> names() const;

  bool operator==(const Condition&) const = default;

 private:
  std::vector<Term> terms_;
};

}  // namespace sfumato
