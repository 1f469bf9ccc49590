// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What was released stays: versions, and the kinds, defaults, ranges and choices of parameters, on
// which recipes and presets of users rely. New filters and parameters are not in released.txt until
// a release; `test_released --print` writes the whole file.
#include <QTest>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "filters/registry.hpp"
#include "params/json.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;

namespace {

// Without what people read: texts may be improved.
std::string declaration_of(const Parameter& parameter) {
  nlohmann::ordered_json json = schema(parameter);
  for (const char* text : {"label", "help", "name"}) json.erase(text);
  if (json.contains("choices")) {
    nlohmann::ordered_json ids = nlohmann::ordered_json::array();
    for (const ChoiceOption& choice : parameter.choices) ids.push_back(choice.id);
    json["choices"] = ids;
  }
  return json.dump();
}

// By filter and parameter.
std::map<std::string, std::string> declarations() {
  std::map<std::string, std::string> out;
  for (const RegisteredFilter& f : testing::not_empty(Registry::get().all(), "filters")) {
    const FilterInfo& info = f.filter->info();
    out[info.id + " version"] = std::to_string(info.version);
    for (const Parameter& p : info.parameters) out[info.id + ' ' + p.name] = declaration_of(p);
  }
  return out;
}

}  // namespace

class TestReleased : public QObject {
  Q_OBJECT

 private slots:
  void declarations_are_those_that_were_released() {
    std::ifstream file(QFINDTESTDATA("every_filter/released.txt").toStdString());
    const std::map<std::string, std::string> now = declarations();
    int lines = 0;
    for (std::string line; std::getline(file, line); ++lines) {
      const std::size_t name_end = line.find(' ', line.find(' ') + 1);
      const auto found = now.find(line.substr(0, name_end));
      const std::string is = found == now.end() ? "(nothing)" : found->first + ' ' + found->second;
      QVERIFY2(is == line,
               qPrintable(QString("released: %1\nnow: %2").arg(line.c_str(), is.c_str())));
    }
    QVERIFY(lines > 100);
  }
};

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--print") {
    for (const auto& [name, declaration] : declarations()) {
      std::puts((name + ' ' + declaration).c_str());
    }
    return 0;
  }
  TestReleased test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_released.moc"
