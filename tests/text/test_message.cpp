// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sentences as data: their values, their text, and their readers.
#include <QTest>
#include <cerrno>
#include <future>
#include <stdexcept>
#include <system_error>

#include "filters/registry.hpp"
#include "params/errors.hpp"
#include "params/recipe.hpp"
#include "params/text.hpp"
#include "text/message.hpp"
#include "text/system_reason.hpp"
#include "text/translations.hpp"

using namespace sfumato;

class TestMessage : public QObject {
  Q_OBJECT

 private:
  const Translations& german_ = Translations::of("de");

  static Message thrown_by(const std::function<void()>& work) {
    try {
      work();
    } catch (const MessageError& error) {
      return error.message();
    }
    return {};
  }

 private slots:
  void values_stand_where_they_are_named() {
    const Message m = message({"a.b", "{file} has {count} {{layers}}, {file} {{"},
                              std::string("a {count}.exr"), 3);
    QCOMPARE(m.id, std::string("a.b"));
    QCOMPARE(m.values.size(), std::size_t{2});
    QCOMPARE(m.find("count")->text(), std::string("3"));
    QVERIFY(m.find("layers") == nullptr);
    QCOMPARE(in_english(m), std::string("a {count}.exr has 3 {layers}, a {count}.exr {"));
    QVERIFY(m == message_of(m.id, m.text, {"a {count}.exr", "3"}));
    QVERIFY(!(m == message_of(m.id, m.text, {"a {count}.exr", "4"})));
  }

  void sentences_stand_within_sentences() {
    const Message inner = message({"in", "it is too large for a recipe"});
    const Message outer = message({"out", "the preset {file} cannot be used: {why}"}, "x", inner);
    QCOMPARE(outer.find("why")->sentence()->id, std::string("in"));
    QCOMPARE(in_english(outer),
             std::string("the preset x cannot be used: it is too large for a recipe"));
    const std::string german = in_words(outer, german_, Reader::terminal);
    QVERIFY2(german.find("recipe") == std::string::npos && german.find('x') != std::string::npos,
             german.c_str());
  }

  // By number or as a code of either category; other categories have sentences of their own.
  void the_systems_reasons_are_messages() {
    const Message missing = system_reason(ENOENT);
    QVERIFY(!missing.id.empty());
    QVERIFY(system_reason(std::make_error_code(std::errc::no_such_file_or_directory)) == missing);
    QVERIFY(system_reason(std::error_code(ENOENT, std::system_category())) == missing);
    const Message other = system_reason(std::make_error_code(std::future_errc::no_state));
    QVERIFY(other.id.empty());
    QCOMPARE(in_english(other), std::make_error_code(std::future_errc::no_state).message());
  }

  void what_is_for_the_terminal_is_not_shown_in_windows() {
    const Message m = message(
        {"a", "{file} exists (--overwrite); see (a) (`sfumato help` says more)"}, "b (--x)");
    const Translations& english = Translations::of("en");
    QCOMPARE(in_words(m, english, Reader::terminal), in_english(m));
    QCOMPARE(in_words(m, english, Reader::window), std::string("b (--x) exists; see (a)"));
  }

  void parameters_go_by_their_labels_in_windows() {
    const Filter& levels = *Registry::get().at("levels").filter;
    Values values = defaults(levels.info().parameters);
    values.set("black", 0.9);
    values.set("white", 0.1);
    const Message m = thrown_by([&] { levels.check(values); });
    QCOMPARE(m.id, std::string("levels.white_below_black"));
    QVERIFY(in_english(m).starts_with("white: it must be above black;"));
    QVERIFY(in_words(m, Translations::of("en"), Reader::window)
                .starts_with("White: it must be above Black;"));
    QVERIFY(in_words(m, german_, Reader::window).starts_with("Weiß: "));
    QVERIFY(in_words(m, german_, Reader::terminal).starts_with("white: "));
  }

  void faults_of_a_recipe_keep_what_they_are_about() {
    const Message m = thrown_by([] {
      (void)parse_recipe(
          R"({"sfumato": 1, "steps": [{"filter": "gaussian", "values": {"sigma": -1}}]})",
          Registry::get());
    });
    QCOMPARE(m.id, std::string("recipe.step_of"));
    QCOMPARE(m.find("step")->text(), std::string("1"));
    const Message* why = m.find("why")->sentence();
    QVERIFY(why != nullptr);
    QCOMPARE(why->id, std::string("parameter.outside"));
    QCOMPARE(why->find("parameter")->text(), std::string("sigma"));
    QCOMPARE(why->find("value")->text(), std::string("-1 px"));
    QCOMPARE(in_english(m), std::string("step 1 (gaussian): sigma: -1 px is outside 0 to 1000 px"));
  }

  void errors_of_others_keep_their_words() {
    QCOMPARE(in_english(message_in(std::runtime_error("a {b} c"))), std::string("a {b} c"));
    QVERIFY(message_in(std::runtime_error("x")).id.empty());
    const RecipeError error(message({"preset.no_name", "a preset needs a name"}), 2);
    QCOMPARE(message_in(error).id, std::string("preset.no_name"));
    QCOMPARE(std::string(error.what()), std::string("a preset needs a name"));
  }

  // A wrong translation must not lose a sentence.
  void a_name_without_a_value_leaves_a_gap() {
    QCOMPARE(in_english(message_of("a", "{x} and {y}", {"1"})), std::string("1 and "));
  }
};

QTEST_GUILESS_MAIN(TestMessage)
#include "test_message.moc"
