// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Every text of a filter, a parameter or a preset has its translation in the right room, and
// nothing else is there.
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "params/vocabulary.hpp"
#include "text/translations.hpp"

using namespace sfumato;

namespace {

namespace fs = std::filesystem;

using Text = std::pair<TextKind, std::string>;
using Texts = std::set<Text>;

void add(Texts& to, const std::string& text, TextKind kind = TextKind::text) {
  if (!text.empty()) to.emplace(kind, text);
}

void add(Texts& to, const Parameter& parameter) {
  add(to, parameter.label);
  add(to, parameter.help);
  for (const ChoiceOption& choice : parameter.choices) {
    add(to, choice.label, TextKind::choice);
    add(to, choice.help);
  }
}

Texts texts_of(const FilterInfo& info) {
  Texts out;
  add(out, info.label, TextKind::filter);
  add(out, info.category);
  add(out, info.summary);
  for (const Parameter& parameter : info.parameters) add(out, parameter);
  return out;
}

std::string file_text(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The value of a C++ literal, perhaps of several parts.
std::string value_of(const QString& literals) {
  static const QRegularExpression part(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
  QString out;
  auto parts = part.globalMatch(literals);
  while (parts.hasNext()) out += parts.next().captured(1);
  out.replace(QLatin1String("\\\""), QLatin1String("\""));
  out.replace(QLatin1String("\\\\"), QLatin1String("\\"));
  return out.toStdString();
}

struct Found {
  std::string file, id, text;
};

// All C++ sources, by their paths in the tree.
std::vector<std::string> sources() {
  std::vector<std::string> out;
  const fs::path source(SFUMATO_SOURCE);
  for (const char* part : {"core", "gui", "plugins"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source / part)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp") continue;
      out.push_back(entry.path().lexically_relative(source).string());
    }
  }
  return out;
}

// Every template in the sources.
std::vector<Found> templates() {
  static const QRegularExpression said(QStringLiteral(
      "\\bmessage\\(\\s*\\{\\s*\"([a-z0-9_.]+)\",\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)\\}"));
  std::vector<Found> out;
  for (const std::string& name : sources()) {
    if (name == "core/text/message.hpp") continue;  // an example
    const std::string text = file_text(fs::path(SFUMATO_SOURCE) / name);
    auto matches = said.globalMatch(QString::fromStdString(text));
    while (matches.hasNext()) {
      const auto match = matches.next();
      out.push_back({name, match.captured(1).toStdString(), value_of(match.captured(2))});
    }
  }
  return out;
}

// Below core: a filter's own room, the filters' shared one, a layer's, or that of texts for
// programs.
std::string room_of_source(const std::string& file) {
  const QStringList parts = QString::fromStdString(file).split(u'/');
  if (file.starts_with("plugins/cli/")) return "text/terminal";
  if (parts[0] != QLatin1String("core")) return "text";
  if (parts[1] != QLatin1String("filters")) return parts[1].toStdString();
  return "filters/" + (parts.size() > 3 ? parts[2].toStdString() : std::string("shared"));
}

// By the folder that their translations lie in, below core.
std::map<std::string, Texts> texts_by_room() {
  std::map<std::string, Texts> out;
  for (const Found& t : templates()) out[room_of_source(t.file)].emplace(TextKind::message, t.text);
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    out["filters/" + info.id].merge(texts_of(info));
  }
  for (const Parameter& word : vocabulary()) add(out["params"], word);
  const Presets presets({});
  for (const Preset& preset : presets.all()) {
    for (const std::string& text : {preset.name, preset.category, preset.summary}) {
      add(out["presets"], text);
    }
  }
  return out;
}

std::string room_of(const Translation& entry) {
  const std::string file(entry.file.substr(std::string("core/").size()));
  return file.substr(0, file.rfind('/'));
}

QStringList all_of(const std::string& text, const char* pattern) {
  QStringList found;
  auto matches = QRegularExpression(QLatin1String(pattern)).globalMatch(text.c_str());
  while (matches.hasNext()) found << matches.next().captured();
  found.sort();
  return found;
}

}  // namespace

class TestTranslations : public QObject {
  Q_OBJECT

 private:
  const std::vector<Translation>& german_ = Translations::of("de").all();
  const std::map<std::string, Texts> rooms_ = texts_by_room();
  std::map<std::string, Texts> translated_;

 private slots:
  void initTestCase() {
    QVERIFY(german_.size() > 400);
    QVERIFY(rooms_.size() > 25);
    for (const Translation& t : german_) translated_[room_of(t)].emplace(t.kind, t.english);
  }

  void locales_find_their_language() {
    for (const char* locale : {"de", "de_AT.UTF-8", "de-CH", "de@euro"}) {
      QCOMPARE(&Translations::of(locale), &Translations::of("de"));
    }
    for (const char* locale : {"", "C", "en_GB.UTF-8", "den", "fr"}) {
      QVERIFY2(Translations::of(locale).all().empty(), locale);
    }
    const std::string unknown = "a text that nobody wrote";
    QVERIFY(Translations::of("de")(unknown).data() == unknown.data());
  }

  void every_text_is_translated_where_it_belongs() {
    for (const auto& [room, texts] : rooms_) {
      for (const Text& text : texts) {
        bool found = translated_[room].contains(text);
        if (room.starts_with("filters/")) {
          for (const char* common : {"filters/shared", "params"}) {
            found = found || translated_[common].contains(text);
          }
        }
        QVERIFY2(found, ("core/" + room + "/de.json lacks \"" + text.second + '"').c_str());
      }
    }
  }

  void nothing_else_lies_there() {
    for (const Translation& t : german_) {
      const Text text(t.kind, t.english);
      const std::string room = room_of(t);
      const std::string where = std::string(t.file) + ": \"" + t.english + '"';
      if (room != "filters/shared" || t.kind == TextKind::message) {
        QVERIFY2(rooms_.contains(room) && rooms_.at(room).contains(text),
                 (where + " is said by nobody there").c_str());
        continue;
      }
      const auto says = [&](const auto& entry) { return entry.second.contains(text); };
      QVERIFY2(std::count_if(rooms_.begin(), rooms_.end(), says) > 1,
               (where + " is not shared").c_str());
    }
  }

  void a_template_has_one_id_and_an_id_one_text() {
    std::map<std::string, std::string> texts, ids;
    const std::vector<Found> all = templates();
    QVERIFY(all.size() > 100);
    for (const Found& t : all) {
      const std::string& text = texts.emplace(t.id, t.text).first->second;
      QVERIFY2(text == t.text, (t.file + ": " + t.id + " is \"" + text + "\" elsewhere").c_str());
      const std::string& id = ids.emplace(t.text, t.id).first->second;
      QVERIFY2(id == t.id, (t.file + ": \"" + t.text + "\" is " + id + " elsewhere").c_str());
    }
  }

  // A sentence of our own must be a message, wherever it is used.
  void no_words_of_ours_are_called_foreign() {
    static const QRegularExpression ours(
        QStringLiteral("foreign_message\\((?:std::string\\()?\\s*\""));
    for (const std::string& file : sources()) {
      const QString text = QString::fromStdString(file_text(fs::path(SFUMATO_SOURCE) / file));
      QVERIFY2(!text.contains(ours), file.c_str());
    }
  }

  void what_is_said_twice_is_translated_alike() {
    for (const Translation& t : german_) {
      QCOMPARE(std::string(Translations::of("de")(t.english, t.kind)), t.translated);
    }
  }

  void edges_and_numbers_are_kept() {
    for (const Translation& t : german_) {
      QVERIFY2(!t.translated.empty(), t.english.c_str());
      for (const char* kept : {"^\\s+|\\s+$", "(?:…|:)$", "<[^>]+>", "\\{[a-z_0-9]+\\}",
                               "\\{\\{|\\}\\}", "\\(--[a-z-]+\\)"}) {
        QVERIFY2(all_of(t.translated, kept) == all_of(t.english, kept), t.english.c_str());
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "test_translations.moc"
