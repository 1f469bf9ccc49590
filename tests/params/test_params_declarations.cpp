// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Declarations: inconsistent ones are rejected, parameters are narrowed, conditions hold, sliders
// and zoom follow.
#include <QTest>
#include <cmath>
#include <limits>
#include <set>

#include "params/errors.hpp"
#include "params/parameter_set.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"
#include "params/vocabulary.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;

namespace {

template <typename Error, typename Action>
QString refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return QStringLiteral("(accepted)");
}

template <typename Action>
bool is_nonsense(Action action) {
  return refusal<std::logic_error>(action) != "(accepted)";
}

Parameter method() {
  return vocabulary("method").with_choices(
      {{"auto", "Automatic", ""}, {"boxes", "Boxes", ""}, {"fft", "Fourier", ""}});
}

ParameterSet gaussian() {
  return ParameterSet(
      "gaussian",
      {vocabulary("sigma"), vocabulary("radius").with_default(0), method(),
       vocabulary("iterations").with_default(4).with_valid({1, 5}).visible_when("method = boxes"),
       vocabulary("border"), vocabulary("normalise"), vocabulary("mask")});
}

}  // namespace

class TestParamsDeclarations : public QObject {
  Q_OBJECT

 private slots:
  void every_word_is_sound() {
    std::set<std::string> names;
    for (const Parameter& word : testing::not_empty(vocabulary(), "words")) {
      QVERIFY2(names.insert(word.name).second, word.name.c_str());
      QVERIFY2(word.help.ends_with('.') && word.help.size() < 120, word.name.c_str());
      QVERIFY(&vocabulary(word.name) == &word);
      const bool open = word.kind == Kind::choice && word.choices.empty();
      if (open)
        QVERIFY2(is_nonsense([&] { word.validate(); }), word.name.c_str());
      else
        word.validate();
    }
    for (const char* name :
         {"sigma", "radius", "range_sigma", "low_threshold", "high_threshold", "iterations",
          "border", "light", "distance", "method", "mix", "mask", "normal", "depth", "guide"})
      QVERIFY2(names.contains(name), name);
  }

  void the_shared_words_mean_what_the_design_says() {
    const Parameter& sigma = vocabulary("sigma");
    QVERIFY(sigma.kind == Kind::real && sigma.unit == Unit::px && sigma.changes_halo);
    QVERIFY(sigma.zoom == ZoomLaw::scales_with_picture);
    QVERIFY((sigma.valid == Range{0, 1000} && sigma.slider == Range{0, 100}));
    const Parameter& radius = vocabulary("radius");
    QVERIFY(radius.kind == Kind::integer && radius.unit == Unit::px && radius.changes_halo);
    QVERIFY((radius.valid == Range{0, 5000}));
    QVERIFY(vocabulary("iterations").changes_halo && !vocabulary("mix").changes_halo);
    QVERIFY(vocabulary("border").default_value == Value(Choice("clamp")));
    for (const char* id : {"clamp", "mirror", "wrap", "zero", "renormalise"})
      QVERIFY2(vocabulary("border").find_choice(id), id);
    for (const char* id : {"linear", "display", "stored"})
      QVERIFY2(vocabulary("light").find_choice(id), id);
    QVERIFY(vocabulary("mix").default_value == Value(1.0));
    for (const char* name : {"mask", "normal", "depth", "guide"})
      QVERIFY2(vocabulary(name).kind == Kind::image, name);
  }

  void an_unknown_word_is_nonsense() {
    QCOMPARE(refusal<std::logic_error>([] { vocabulary("simga"); }),
             "the vocabulary has no \"simga\"; did you mean \"sigma\"?");
  }

  void narrowing() {
    const Parameter& sigma = vocabulary("sigma");
    const Parameter narrow = sigma.with_default(1.4).with_valid({0.5, 50});
    QVERIFY((narrow.valid == Range{0.5, 50} && narrow.slider == Range{0.5, 50}));
    QVERIFY(narrow.default_value == Value(1.4));
    QVERIFY((sigma.valid == Range{0, 1000}));  // the word itself is unchanged
    QVERIFY((sigma.with_valid({200, 300}).slider == Range{200, 300}));
    QVERIFY(sigma.with_default(3).default_value == Value(3.0));
    QVERIFY(vocabulary("radius").with_default(3.0).default_value == Value(std::int64_t{3}));
    QVERIFY(vocabulary("border").with_default("mirror").default_value == Value(Choice("mirror")));
    QVERIFY(vocabulary("grayscale").with_default(true).default_value == Value(true));
    QVERIFY(is_nonsense([&] { sigma.with_valid({0, 2000}); }));
    QVERIFY(is_nonsense([&] { sigma.with_valid({-1, 10}); }));
    QVERIFY(is_nonsense([&] { sigma.with_valid({10, 5}); }));
    QVERIFY(is_nonsense([&] { sigma.with_valid({std::nan(""), 5}); }));
    QVERIFY(is_nonsense([&] { sigma.with_slider({0, 2000}); }));
    QVERIFY(is_nonsense([&] { sigma.with_default(-1); }));
    QVERIFY(is_nonsense([&] { sigma.with_default(std::nan("")); }));
    QVERIFY(is_nonsense([&] { sigma.with_default("wide"); }));
    QVERIFY(is_nonsense([&] { sigma.with_default(true); }));
    QVERIFY(is_nonsense([&] { sigma.with_law(SliderLaw::logarithmic); }));  // starts at 0
    QVERIFY(is_nonsense([&] { sigma.with_law(SliderLaw::power, 0); }));
    QVERIFY(is_nonsense([&] { sigma.with_choices({{"a", "A", ""}}); }));
    QVERIFY(is_nonsense([&] { sigma.with_limits(3, 3, true); }));
    QVERIFY(is_nonsense([&] { sigma.as_real(); }));
    QVERIFY(is_nonsense([&] { vocabulary("radius").with_default(2.5); }));
    QVERIFY(is_nonsense([&] { vocabulary("radius").with_step(0.5); }));
    QVERIFY(is_nonsense([&] { vocabulary("border").with_slider({0, 1}); }));
    QVERIFY(is_nonsense([&] { vocabulary("border").with_valid({0, 1}); }));
    QVERIFY(is_nonsense([&] { vocabulary("mask").with_zoom(ZoomLaw::scales_with_picture); }));
    QVERIFY(is_nonsense([&] { vocabulary("matrix").with_limits(257, 257, true); }));
    QVERIFY(is_nonsense([&] { vocabulary("matrix").with_limits(5, 5, false); }));
    QCOMPARE(vocabulary("matrix").with_limits(5, 3, true).max_columns, 3);
    // Only visible when complete: a default left outside by a later narrowing.
    QVERIFY(is_nonsense([&] { sigma.with_valid({10, 20}).validate(); }));
    QVERIFY(is_nonsense([&] { ParameterSet({sigma.with_valid({10, 20})}); }));
    sigma.with_valid({10, 20}).with_default(12).validate();
  }

  void an_integer_word_can_be_real() {
    const Parameter radius = vocabulary("radius").as_real();
    QVERIFY(radius.kind == Kind::real && radius.default_value == Value(1.0));
    QVERIFY(parse(radius, "2.5") == Value(2.5));
    radius.validate();
  }

  void choices_are_narrowed_not_widened() {
    const Parameter& border = vocabulary("border");
    const Parameter few = border.only_choices({"mirror", "clamp"});
    QCOMPARE(few.choices.size(), std::size_t{2});
    QVERIFY(few.default_value == Value(Choice("clamp")));  // kept: still there
    QVERIFY(border.only_choices({"wrap", "zero"}).default_value == Value(Choice("wrap")));
    QVERIFY(is_nonsense([&] { border.only_choices({"none"}); }));
    QVERIFY(is_nonsense([&] { border.only_choices({}); }));
    QVERIFY(is_nonsense([&] { border.with_choices({{"clamp", "Clamp", ""}, {"x", "X", ""}}); }));
    const Parameter& open = vocabulary("method");
    QVERIFY(is_nonsense([&] { open.with_choices({{"a", "A", ""}, {"a", "B", ""}}); }));
    QVERIFY(is_nonsense([&] { open.with_choices({{"a-b", "A", ""}, {"a_b", "B", ""}}); }));
    QVERIFY(is_nonsense([&] { open.with_choices({{"A", "A", ""}}); }));
    QVERIFY(is_nonsense([&] { open.with_choices({{"", "A", ""}}); }));
    QVERIFY(is_nonsense([&] { open.with_choices({{"a", "", ""}}); }));
    QVERIFY(is_nonsense([&] { method().with_default("bokes"); }));
    open.with_choices({{"2x2", "2 x 2", ""}, {"band-pass", "Band", ""}}).validate();
  }

  void new_declarations_are_checked() {
    for (const char* name : {"", "Sigma", "1st", "a-b", "a b", "_a", "a_", "a__b", "\xC3\xA9"})
      QVERIFY2(is_nonsense([&] { Parameter::boolean(name, "L", "Help.", false); }), name);
    QVERIFY(is_nonsense([] { Parameter::boolean("a", "", "Help.", false); }));
    QVERIFY(is_nonsense([] { Parameter::boolean("a", "L", "", false); }));
    QVERIFY(is_nonsense([] { Parameter::real("a", "L", "Help.", 2, {0, 1}); }));
    QVERIFY(is_nonsense([] { Parameter::real("a", "L", "Help.", 0, {1, 0}); }));
    QVERIFY(is_nonsense([] { Parameter::integer("a", "L", "Help.", 9, {0, 1}); }));
    QVERIFY(is_nonsense([] { Parameter::color("a", "L", "Help.", {2, 0, 0, 1}); }));
    QVERIFY(is_nonsense([] { Parameter::gradient("a", "L", "Help.", {}); }));
    QVERIFY(is_nonsense([] { Parameter::curve("a", "L", "Help.", {}); }));
    QVERIFY(is_nonsense([] {
      Parameter::matrix("a", "L", "Help.", {2, 2, {1, 1, 1, 1}}, 3, 3, true);
    }));
    const double infinity = std::numeric_limits<double>::infinity();
    const Parameter free = Parameter::real("a", "L", "Help.", 0, {-infinity, infinity});
    QVERIFY(std::isfinite(free.slider.min) && std::isfinite(free.slider.max));
    free.validate();
    Parameter::real("a", "L", "Help.", 300, {200, infinity}).validate();
    Parameter::real("a", "L", "Help.", -300, {-infinity, -200}).validate();
    Parameter broken = vocabulary("sigma");
    broken.default_value = true;
    QVERIFY(is_nonsense([&] { broken.validate(); }));
  }

  void sets_are_checked() {
    QVERIFY(is_nonsense([] { ParameterSet({vocabulary("sigma"), vocabulary("sigma")}); }));
    QVERIFY(is_nonsense([] { ParameterSet({vocabulary("method")}); }));  // open
    const auto with = [](const char* condition) {
      return [condition] {
        ParameterSet({vocabulary("sigma").visible_when(condition), method(), vocabulary("mask"),
                      vocabulary("normalise"), vocabulary("iterations")});
      };
    };
    for (const char* condition :
         {"mask", "!normalise", "method = boxes | fft", "method != auto", "normalise = yes",
          "iterations > 1 & normalise", "iterations = 2 | 3"})
      QCOMPARE(refusal<std::logic_error>(with(condition)), "(accepted)");
    for (const char* condition : {"radius", "sigma > 1", "method = bokes", "method", "method > 1",
                                  "normalise = perhaps", "iterations = many", "mask = 1"})
      QVERIFY2(is_nonsense(with(condition)), condition);
  }

  void sets_find_by_either_spelling() {
    const ParameterSet set({vocabulary("range_sigma"), vocabulary("cutoff")});
    QCOMPARE(set.at("range-sigma").name, "range_sigma");
    QCOMPARE(set.at("range_sigma").name, "range_sigma");
    QVERIFY(!set.find("range sigma") && !set.find("range") && !set.find(""));
    QCOMPARE(refusal<ParameterError>([&] { set.at("offcut"); }),
             "unknown parameter \"offcut\"; there are range_sigma, cutoff");
    QCOMPARE(refusal<ParameterError>([] { gaussian().at("simga"); }),
             "unknown parameter \"simga\" of gaussian; did you mean \"sigma\"?");
    try {
      gaussian().at("simga");
    } catch (const ParameterError& error) {
      QCOMPARE(error.filter(), "gaussian");
      QCOMPARE(error.parameter(), "simga");
      QVERIFY(error.reason() == ParameterError::Reason::unknown_name);
    }
  }

  void conditions_are_read_and_written() {
    const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                         {" mask ", "mask"},
                                                         {"!mask", "!mask"},
                                                         {"! mask", "!mask"},
                                                         {"method=a|b-c", "method = a | b-c"},
                                                         {"method != a", "method != a"},
                                                         {"n>0&m<=-1.5e3", "n > 0 & m <= -1.5e3"},
                                                         {"n >= 2 & n < 5", "n >= 2 & n < 5"}};
    for (const auto& [text, canonical] : cases) {
      const Condition condition = Condition::parse(text);
      QCOMPARE(condition.text(), canonical);
      QVERIFY(Condition::parse(condition.text()) == condition);
    }
    QVERIFY((Condition::parse("n > 0 & m & n < 5").names() == std::vector<std::string>{"n", "m"}));
    for (const char* text :
         {"&", "a &", "a = ", "a = |", "a = b |", "= b", "a > b", "a > 1 | 2", "a b", "A", "!",
          "!!a", "a == b", "a => 1", "a = b c", "!a = b", "a = (b)", "a > nan"})
      QVERIFY2(is_nonsense([&] { Condition::parse(text); }), text);
  }

  void conditions_hold_or_not() {
    Values values;
    values.set("method", Choice("boxes"));
    values.set("n", std::int64_t{3});
    values.set("x", 0.0);
    values.set("flag", true);
    values.set("mask", ImageRef{});
    values.set("depth", ImageRef{"z.exr", ""});
    for (const char* text :
         {"", "flag", "n", "depth", "!mask", "!x", "method = auto | boxes", "method != auto | fft",
          "n = 3", "n = 3.0", "n != 4", "n > 2", "n >= 3", "n < 3.5", "n <= 3", "x = 0",
          "flag = yes", "flag != off", "flag & n > 2 & !mask"})
      QVERIFY2(Condition::parse(text).evaluate(values), text);
    for (const char* text :
         {"!flag", "mask", "x", "!depth", "method = auto", "method != boxes", "n = 4", "n > 3",
          "n < 3", "n >= 4", "n <= 2", "flag = no", "method > 1", "flag & mask", "mask & flag"})
      QVERIFY2(!Condition::parse(text).evaluate(values), text);
    QVERIFY(is_nonsense([&] { Condition::parse("unknown").evaluate(values); }));
  }

  void values_by_name() {
    Values values;
    values.set("range-sigma", 0.5);
    QCOMPARE(values.get<double>("range_sigma"), 0.5);
    QVERIFY(is_nonsense([&] { values.get<bool>("range_sigma"); }));
    QVERIFY(is_nonsense([&] { values.get<double>("sigma"); }));
    values.set("n", std::int64_t{4});
    values.set("method", Choice("fft"));
    QCOMPARE(values.number("n"), 4.0);
    QCOMPARE(values.number("range_sigma"), 0.5);
    QCOMPARE(values.choice("method"), "fft");
    QVERIFY(is_nonsense([&] { values.number("method"); }));
    Values other = values;
    QVERIFY(other == values);
    other.set("n", std::int64_t{5});
    QVERIFY(!(other == values));
    other.erase("n");
    QVERIFY(!other.has("n"));
  }

  void values_are_completed() {
    const ParameterSet set = gaussian();
    Values given;
    given.set("sigma", std::int64_t{3});
    given.set("radius", 7.0);
    const Values all = complete(set, given);
    QCOMPARE(all.size(), set.size());
    QCOMPARE(all.get<double>("sigma"), 3.0);
    QCOMPARE(all.get<std::int64_t>("radius"), 7);
    QCOMPARE(all.choice("method"), "auto");
    QVERIFY(complete(set, {}) == defaults(set));
    given.set("simga", 1.0);
    QVERIFY(refusal<ParameterError>([&] { complete(set, given); }).contains("did you mean"));
    given.erase("simga");
    given.set("sigma", 2000.0);
    QCOMPARE(refusal<ParameterError>([&] { complete(set, given); }),
             "sigma: 2000 px is outside 0 to 1000 px");
    given.set("sigma", 2.0);
    given.set("radius", 2.5);
    QVERIFY(refusal<ParameterError>([&] { complete(set, given); }).contains("kind is integer"));
    Values typed;
    set_text(typed, set, "sigma", "2.5");
    QCOMPARE(typed.get<double>("sigma"), 2.5);
    QVERIFY(refusal<ParameterError>([&] {
              set_text(typed, set, "sgima", "1");
            }).contains("did you mean \"sigma\"?"));
  }

  void zoom_scales_lengths() {
    const ParameterSet set({vocabulary("sigma"), vocabulary("radius"), vocabulary("cutoff"),
                            vocabulary("range_sigma"), vocabulary("border"),
                            vocabulary("spacing")});
    Values values = defaults(set);
    values.set("sigma", 8.0);
    values.set("radius", std::int64_t{10});
    values.set("cutoff", 0.25);
    values.set("spacing", 2.0);
    const Values half = scaled(set, values, 0.5);
    QCOMPARE(half.get<double>("sigma"), 4.0);
    QCOMPARE(half.get<std::int64_t>("radius"), 5);
    QCOMPARE(half.get<double>("cutoff"), 0.5);
    QCOMPARE(half.get<double>("range_sigma"), values.get<double>("range_sigma"));
    QVERIFY(half.at("border") == values.at("border"));
    const Values tiny = scaled(set, values, 0.01);
    QCOMPARE(tiny.get<std::int64_t>("radius"), 1);  // never 0, which may mean "choose"
    QCOMPARE(tiny.get<double>("spacing"), 1.0);     // its least
    const Values large = scaled(set, values, 1e6);
    QCOMPARE(large.get<double>("sigma"), 1000.0);
    QCOMPARE(large.get<std::int64_t>("radius"), 5000);
    values.set("radius", std::int64_t{0});
    QCOMPARE(scaled(set, values, 0.3).get<std::int64_t>("radius"), 0);
    QVERIFY(scaled(set, values, 1) == values);
    values.set("cutoff", 0.0);
    const Values least = scaled(set, values, 5e-324);
    QCOMPARE(least.get<double>("cutoff"), 0.0);
    for (const double zoom : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
      QVERIFY_THROWS_EXCEPTION(std::invalid_argument, scaled(set, values, zoom));
  }

  void sliders_follow_their_law() {
    for (const Parameter& word : testing::not_empty(vocabulary(), "words")) {
      if (word.kind != Kind::real && word.kind != Kind::integer) continue;
      QCOMPARE(value_at(word, 0), word.slider.min);
      QCOMPARE(value_at(word, 1), word.slider.max);
      QCOMPARE(value_at(word, -3), word.slider.min);
      QCOMPARE(position_of(word, word.valid.max), 1.0);
      QCOMPARE(position_of(word, word.valid.min), 0.0);
      if (word.kind == Kind::integer) continue;
      for (double t = 0.05; t < 1; t += 0.05)
        QVERIFY(std::fabs(position_of(word, value_at(word, t)) - t) < 1e-9);
    }
    const Parameter x = Parameter::real("x", "X", "Help.", 1, {0.01, 100});
    QCOMPARE(value_at(x.with_law(SliderLaw::linear), 0.5), 50.005);
    QCOMPARE(value_at(x.with_law(SliderLaw::logarithmic), 0.5), 1.0);
    QCOMPARE(value_at(x.with_valid({1, 11}).with_law(SliderLaw::power, 2), 0.5), 3.5);
    QCOMPARE(value_at(vocabulary("radius").with_law(SliderLaw::linear), 0.333), 33.0);
  }

  void suggestions() {
    const std::vector<std::string> known = {"sigma",         "radius",         "range_sigma",
                                            "low_threshold", "high_threshold", "mix",
                                            "mask",          "gaussian"};
    const std::pair<const char*, const char*> cases[] = {{"simga", "sigma"},
                                                         {"sgima", "sigma"},
                                                         {"sigam", "sigma"},
                                                         {"Sigma", "sigma"},
                                                         {"sigmas", "sigma"},
                                                         {"radus", "radius"},
                                                         {"raduis", "radius"},
                                                         {"rangesigma", "range_sigma"},
                                                         {"range-sigma", "range_sigma"},
                                                         {"range", "range_sigma"},
                                                         {"gauss", "gaussian"},
                                                         {"gaussian_blur", "gaussian"},
                                                         {"threshold", "low_threshold"},
                                                         {"mxi", "mix"},
                                                         {"msk", "mask"},
                                                         {"hihg_treshold", "high_threshold"},
                                                         {"", ""},
                                                         {"x", ""},
                                                         {"brightness", ""},
                                                         {"zz", ""},
                                                         {"contrast", ""}};
    for (const auto& [given, expected] : cases)
      QCOMPARE(QString::fromStdString(nearest_name(given, known)), QString(expected));
    QCOMPARE(nearest_name(std::string(100000, 's'), known), "");
    const std::string longest(64, 's');
    QCOMPARE(nearest_name(longest.substr(1), {longest}), longest);
    QCOMPARE(nearest_name(longest + "s", {longest}), "");  // no typing error
    QCOMPARE(edit_distance("abc", "acb"), std::size_t{1});
    QCOMPARE(edit_distance("", "abc"), std::size_t{3});
    QCOMPARE(edit_distance("kitten", "sitting"), std::size_t{3});
    QCOMPARE(in_quotes("a\nb"), "\"a\uFFFDb\"");
    QVERIFY(in_quotes(std::string(1000, 'x')).size() < 80);
  }
};

QTEST_APPLESS_MAIN(TestParamsDeclarations)
#include "test_params_declarations.moc"
