// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Prints every text of the registry and of the built-in presets that windows show, for lupdate.
#include <cstdio>
#include <set>
#include <string>

#include "engine/presets.hpp"
#include "filters/registry.hpp"

using namespace sfumato;

namespace {

void print(const std::string& text) {
  static std::set<std::string> printed;
  if (text.empty() || !printed.insert(text).second) return;
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  std::printf("QT_TRANSLATE_NOOP(\"sfumato\", \"%s\")\n", escaped.c_str());
}

}  // namespace

int main() {
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    for (const std::string& text : {info.label, info.category, info.summary}) print(text);
    for (const Parameter& p : info.parameters) {
      print(p.label);
      print(p.help);
      for (const ChoiceOption& c : p.choices) {
        print(c.label);
        print(c.help);
      }
    }
  }
  const Presets presets({});
  for (const Preset& p : presets.all()) {
    for (const std::string& text : {p.name, p.category, p.summary}) print(text);
  }
  return 0;
}
