// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Generated from the registry; no filter has code here.
#include "gimp/procedures.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "params/text.hpp"

namespace sfumato::gimp {
namespace {

constexpr char menu[] = "<Image>/Filters/Sfumato";

// The form of procedure names: letters, digits and dashes.
std::string dashed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    out += std::isalnum(letter) != 0 ? static_cast<char>(std::tolower(letter)) : '-';
  }
  return out;
}

std::vector<Procedure> all_procedures() {
  std::vector<Procedure> out;
  const Message any = message({"gimp.any_filter", "Any filter, with a live preview"});
  out.push_back({"plug-in-sfumato",
                 "_Sfumato...",
                 in_english(any),
                 "Opens a window with every filter of Sfumato, its settings and a preview.",
                 menu,
                 nullptr,
                 {},
                 any});
  std::set<std::string> categories;
  for (const RegisteredFilter& entry : Registry::get().all()) {
    categories.insert(entry.filter->info().category);
  }
  for (const std::string& category : categories) {
    const Message said = message({"gimp.category", "{category}: filters with a live preview"},
                                 MessageValue(category, category, TextKind::text));
    out.push_back({"plug-in-sfumato-menu-" + dashed(category), category + "...", in_english(said),
                   "Opens Sfumato's window at the filters of this category.", menu, nullptr,
                   category, said});
  }
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    out.push_back({"plug-in-sfumato-" + dashed(info.id),
                   info.label,
                   info.summary,
                   info.description.empty() ? info.summary : info.description,
                   {},
                   entry.filter.get(),
                   info.category,
                   {}});
  }
  return out;
}

}  // namespace

const std::vector<Procedure>& procedures() {
  static const std::vector<Procedure> all = all_procedures();
  return all;
}

const Procedure* find_procedure(const std::string& name) {
  const auto found = std::find_if(procedures().begin(), procedures().end(),
                                  [&](const Procedure& p) { return p.name == name; });
  return found == procedures().end() ? nullptr : &*found;
}

std::string argument_name(const Parameter& parameter) {
  std::string name = parameter.name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string argument_help(const Parameter& parameter) {
  std::string out = parameter.label;
  switch (parameter.kind) {
    case Kind::real:
    case Kind::integer:
      out += ": " + print_range(parameter.valid, parameter.unit);
      break;
    case Kind::choice: {
      const char* between = " { ";
      for (const ChoiceOption& option : parameter.choices) {
        out += between + ("\"" + option.id + "\"");
        between = ", ";
      }
      out += " }";
      break;
    }
    case Kind::image:
      out += ": a layer or channel, or -1";
      break;
    case Kind::boolean:
    case Kind::color:
      break;
    default:
      out += ", such as \"" + print(parameter, parameter.default_value) + "\"";
  }
  return out;
}

}  // namespace sfumato::gimp
