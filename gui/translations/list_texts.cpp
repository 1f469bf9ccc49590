// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Prints every text of the registry and of the built-in presets that windows show, for lupdate.
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "engine/presets.hpp"
#include "filters/registry.hpp"

using namespace sfumato;

namespace {

// `what` is as in gui::model_text().
void print(const std::string& text, const std::string& what = {}) {
  static std::set<std::pair<std::string, std::string>> printed;
  if (text.empty() || !printed.insert({text, what}).second) return;
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  if (what.empty()) {
    std::printf("QT_TRANSLATE_NOOP(\"sfumato\", \"%s\")\n", escaped.c_str());
  } else {
    std::printf("QT_TRANSLATE_NOOP3(\"sfumato\", \"%s\", \"%s\")\n", escaped.c_str(), what.c_str());
  }
}

}  // namespace

int main() {
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    print(info.label, "filter");
    print(info.category);
    print(info.summary);
    for (const Parameter& p : info.parameters) {
      print(p.label);
      print(p.help);
      for (const ChoiceOption& c : p.choices) {
        print(c.label, "choice");
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
