// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-catalog LANGUAGE FILE TRANSLATIONS: what GIMP looks up of our procedures, and GEGL's
// module of the filters and says, with the translations that the windows have (a .ts file), as
// gettext reads it (an .mo file).
#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "dialog/host_text.hpp"
#include "gimp/words.hpp"
#include "params/translation.hpp"

namespace {

using namespace sfumato;
using Catalog = std::map<std::string, std::string>;  // in the order that its readers want

// `what` tells apart what has the same words, in gettext's way.
void add(Catalog& to, const std::string& text, const std::string& translation,
         const std::string& what = {}) {
  if (text.empty() || translation == text) return;
  to.emplace(what.empty() ? text : what + '\x04' + text, translation);
}

// The sentences of the core and of hosts, which have places for values: GEGL's module has no other
// list of them. A line each, the translation in the next.
std::string sentences(const char* translations) {
  QFile file(QString::fromLocal8Bit(translations));
  if (!file.open(QFile::ReadOnly)) return {};
  QXmlStreamReader xml(&file);
  QString context, text, out;
  static const QRegularExpression option(QStringLiteral(" \\(--[a-z-]+\\)"));
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("name")) context = xml.readElementText();
    if (xml.name() == QLatin1String("source")) text = xml.readElementText();
    if (xml.name() != QLatin1String("translation")) continue;
    const QString translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
    const bool known = context == QLatin1String("Core") || context == QLatin1String("Hosts");
    const QString both = text + translation;
    if (!known || text.isEmpty() || translation.isEmpty() || both.contains(QLatin1Char('\n'))) {
      continue;
    }
    out += text + QLatin1Char('\n') + QString(translation).remove(option) + QLatin1Char('\n');
  }
  return out.toStdString();
}

Catalog catalog(const char* translations) {
  Catalog out{{"", "Content-Type: text/plain; charset=UTF-8\n"}};
  for (const gimp::Procedure& procedure : gimp::procedures()) {
    const gimp::Words words = gimp::words_of(procedure);
    if (procedure.filter == nullptr) add(out, procedure.label, words.label);
    add(out, procedure.blurb, words.blurb);
  }
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    add(out, info.label, hosts::filter_text(info.label), "filter");
    add(out, info.category, hosts::model_text(info.category));
    add(out, info.summary, hosts::model_text(info.summary));
    for (const Parameter& p : info.parameters) {
      add(out, p.label, hosts::model_text(p.label));
      add(out, p.help, hosts::model_text(p.help));
      for (const ChoiceOption& c : p.choices) {
        add(out, c.label, hosts::choice_text(c.label), "choice");
      }
    }
  }
  add(out, "all", sentences(translations), "sentences");
  return out;
}

// Numbers, a table of the texts' lengths and places, one of the translations', then the texts.
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
  if (argc != 4) {
    std::fputs("usage: sfumato-catalog LANGUAGE FILE TRANSLATIONS\n", stderr);
    return 2;
  }
  const QCoreApplication application(argc, argv);
  gui::install_translations(QString::fromLocal8Bit(argv[1]));
  std::ofstream file(argv[2], std::ios::binary);
  file << as_file(catalog(argv[3]));
  file.close();
  if (file.good()) return 0;
  std::fprintf(stderr, "sfumato-catalog: %s cannot be written\n", argv[2]);
  return 1;
}
