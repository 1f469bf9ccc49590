// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-catalog LANGUAGE FILE: writes the translations that GIMP looks up for our procedures, as
// a gettext catalog (an .mo file).
#include <QCoreApplication>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "dialog/language.hpp"
#include "gimp/words.hpp"
#include "params/translation.hpp"

namespace {

using namespace sfumato;
using Catalog = std::map<std::string, std::string>;  // in the order that its readers expect

void add(Catalog& to, const std::string& text, const std::string& translation) {
  if (!text.empty() && translation != text) to.emplace(text, translation);
}

Catalog catalog() {
  Catalog out{{"", "Content-Type: text/plain; charset=UTF-8\n"}};
  for (const gimp::Procedure& procedure : gimp::procedures()) {
    const gimp::Words words = gimp::words_of(procedure);
    if (procedure.filter == nullptr) add(out, procedure.label, words.label);
    add(out, procedure.blurb, words.blurb);
  }
  return out;
}

// Numbers, a table of the lengths and offsets of the texts, one of those of the translations, then
// both.
std::string as_file(const Catalog& all) {
  constexpr std::uint32_t magic = 0x950412de, numbers = 7;
  const auto count = static_cast<std::uint32_t>(all.size());
  const std::uint32_t first = 4 * numbers, second = first + 8 * count, texts = second + 8 * count;
  std::vector<std::uint32_t> head{magic, 0, count, first, second, 0, texts};
  std::string bytes;
  const auto put = [&](const std::string& text) {
    head.push_back(static_cast<std::uint32_t>(text.size()));
    head.push_back(texts + static_cast<std::uint32_t>(bytes.size()));
    bytes += text;
    bytes += '\0';
  };
  for (const auto& [text, translation] : all) put(text);
  for (const auto& [text, translation] : all) put(translation);
  return std::string(reinterpret_cast<const char*>(head.data()), 4 * head.size()) + bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: sfumato-catalog LANGUAGE FILE\n", stderr);
    return 2;
  }
  const QCoreApplication application(argc, argv);
  gui::install_translations(QString::fromLocal8Bit(argv[1]));
  std::ofstream file(argv[2], std::ios::binary);
  file << as_file(catalog());
  file.close();
  if (file.good()) return 0;
  std::fprintf(stderr, "sfumato-catalog: %s cannot be written\n", argv[2]);
  return 1;
}
