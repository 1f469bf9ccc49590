// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Every text of a filter, a parameter or a preset has its translation in the room where it belongs,
// and nothing else lies there.
#include <QRegularExpression>
#include <QtTest>
#include <map>
#include <set>

#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "params/vocabulary.hpp"
#include "text/translations.hpp"

using namespace sfumato;

namespace {

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

// By the folder that their translations lie in, below core.
std::map<std::string, Texts> texts_by_room() {
  std::map<std::string, Texts> out;
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    out["filters/" + info.id] = texts_of(info);
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
        bool found = translated_[room].contains(text) || translated_["params"].contains(text);
        if (room.starts_with("filters/")) {
          found = found || translated_["filters/shared"].contains(text);
        }
        const bool preset_of_a_category =
            room == "presets" && translated_["filters/shared"].contains(text);
        QVERIFY2(found || preset_of_a_category,
                 ("core/" + room + "/de.json lacks \"" + text.second + '"').c_str());
      }
    }
  }

  void nothing_else_lies_there() {
    for (const Translation& t : german_) {
      const Text text(t.kind, t.english);
      const std::string room = room_of(t);
      const std::string where = std::string(t.file) + ": \"" + t.english + '"';
      if (room != "filters/shared") {
        QVERIFY2(rooms_.contains(room) && rooms_.at(room).contains(text),
                 (where + " is said by nobody there").c_str());
        continue;
      }
      const auto says = [&](const auto& entry) { return entry.second.contains(text); };
      QVERIFY2(std::count_if(rooms_.begin(), rooms_.end(), says) > 1,
               (where + " is not shared").c_str());
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
      for (const char* kept : {"^\\s+|\\s+$", "(?:…|:)$", "<[^>]+>"}) {
        QVERIFY2(all_of(t.translated, kept) == all_of(t.english, kept), t.english.c_str());
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "test_translations.moc"
