// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "own_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "options.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"

namespace sfumato::cli {

OwnOptions::OwnOptions(const CommandInfo& command, Arguments& arguments,
                       const std::vector<std::string>& several) {
  Arguments rest;
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    if (*word == "--") {
      rest.insert(rest.end(), word, arguments.end());
      break;
    }
    const std::size_t equals = word->find('=');
    const std::string name = word->substr(0, equals);
    const auto known = std::find_if(command.own.begin(), command.own.end(),
                                    [&](const OptionHelp& one) { return name == one.name; });
    if (known == command.own.end()) {
      rest.push_back(*word);
      continue;
    }
    std::string value;
    const bool is_switch = std::string_view(known->argument).empty();
    if (is_switch && equals != std::string::npos) {
      throw UsageError(message({"usage.switch", "{option} is a switch and takes no value"}, name));
    }
    if (!is_switch && equals == std::string::npos && ++word == arguments.end()) {
      throw UsageError(not_once(name));
    }
    if (!is_switch) value = equals == std::string::npos ? *word : word->substr(equals + 1);
    std::vector<std::string>& held = values_[name];
    held.push_back(value);
    const bool may_be_several = std::find(several.begin(), several.end(), name) != several.end();
    if (held.size() > 1 && !may_be_several) throw UsageError(not_once(name));
  }
  arguments = rest;
}

std::string OwnOptions::text(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : found->second.front();
}

std::vector<std::string> OwnOptions::texts(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::optional<double> OwnOptions::number(const std::string& name, double least) const {
  if (!has(name)) return std::nullopt;
  const std::string given = text(name);
  double value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc() || end != given.data() + given.size() || !std::isfinite(value)) {
    throw UsageError(message({"usage.not_number", "{option} takes a number, not {value}"}, name,
                             in_quotes(given)));
  }
  if (value >= least) return value;
  throw UsageError(
      message({"usage.too_small", "{option} takes a number of at least {least}, not {value}"}, name,
              print_number(least), in_quotes(given)));
}

std::optional<int> OwnOptions::whole(const std::string& name, int least, int most) const {
  if (!has(name)) return std::nullopt;
  const std::string given = text(name);
  int value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error == std::errc() && end == given.data() + given.size() && value >= least &&
      value <= most) {
    return value;
  }
  throw UsageError(message(
      {"usage.not_whole", "{option} takes a whole number from {least} to {most}, not {value}"},
      name, least, most, in_quotes(given)));
}

std::string OwnOptions::word(const std::string& name, const std::vector<std::string>& words) const {
  if (!has(name)) return words.front();
  const std::string given = text(name);
  if (std::find(words.begin(), words.end(), given) != words.end()) return given;
  std::string list;
  for (const std::string& one : words) list += (list.empty() ? "" : ", ") + one;
  throw UsageError(message({"usage.not_among", "{option} takes one of {words}, not {value}"}, name,
                           list, in_quotes(given)));
}

}  // namespace sfumato::cli
