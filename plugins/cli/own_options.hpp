// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Options that only one command has, taken out of its arguments before the common ones are read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"

namespace sfumato::cli {

/// The values of the options in CommandInfo::own that were given; a switch has the value "".
class OwnOptions {
 public:
  /// Takes them out of `arguments`, up to "--". Throws UsageError for one that is given twice,
  /// unless it is among `several`, or lacks its value, and for a switch with a value.
  OwnOptions(const CommandInfo& command, Arguments& arguments,
             const std::vector<std::string>& several = {});

  bool has(const std::string& name) const { return values_.contains(name); }
  /// Empty if it was not given.
  std::string text(const std::string& name) const;
  /// All of them, in their order.
  std::vector<std::string> texts(const std::string& name) const;
  /// Throws UsageError for what is no number of at least `least`.
  std::optional<double> number(const std::string& name, double least) const;
  /// Throws UsageError for what is no whole number from `least` to `most`.
  std::optional<int> whole(const std::string& name, int least, int most) const;
  /// One of some words, the first of which is the default. Throws UsageError for others.
  std::string word(const std::string& name, const std::vector<std::string>& words) const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace sfumato::cli
