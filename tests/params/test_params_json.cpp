// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Values and declarations as JSON, and the JSON reader and writer themselves.
#include <QTest>
#include <bit>
#include <cmath>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "params/errors.hpp"
#include "params/json.hpp"
#include "params/json_text.hpp"
#include "params/text.hpp"
#include "params/vocabulary.hpp"
#include "support/locale.hpp"
#include "support/not_empty.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using Json = nlohmann::ordered_json;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename Error, typename Action>
QString refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return QStringLiteral("(accepted)");
}

QString refusal(const Parameter& parameter, const char* json) {
  return refusal<ParameterError>([&] { sfumato::from_json(parameter, parse_json(json)); });
}

QString unreadable(std::string_view text) {
  return refusal<JsonError>([&] { parse_json(text); });
}

Parameter any_real() {
  return Parameter::real("x", "X", "Any number.", 0, {-infinity, infinity});
}

Parameter method() {
  return vocabulary("method").with_choices({{"auto", "Automatic", ""}, {"boxes", "Boxes", ""}});
}

/// Through text and back, as in a recipe.
Value there_and_back(const Parameter& parameter, const Value& value) {
  return sfumato::from_json(parameter, parse_json(print_json(to_json(parameter, value))));
}

/// Lists that only fit on several lines, and objects within lists.
std::string wide() {
  return "[[" + std::string(60, '1').insert(1, ".") + ", " + std::string(60, '2').insert(1, ".") +
         "], [1, [2, [3]], []], {\"a\": {}}, {\"b\": [1, 2], \"c\": null}, {}]";
}

class CommaNumbers : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

class TestParamsJson : public QObject {
  Q_OBJECT

 private slots:
  void every_kind_has_its_form() {
    const Parameter tint = Parameter::color("tint", "Tint", "A colour.", {});
    const auto text = [](const Parameter& parameter, const Value& value) {
      return to_json(parameter, value).dump();
    };
    QCOMPARE(text(vocabulary("sigma"), 2.5), "2.5");
    QCOMPARE(text(vocabulary("radius"), std::int64_t{3}), "3");
    QCOMPARE(text(vocabulary("normalise"), true), "true");
    QCOMPARE(text(method(), Choice("boxes")), "\"boxes\"");
    QCOMPARE(text(tint, Color{0.5, 0, 1, 1}), "[0.5,0.0,1.0,1.0]");
    QCOMPARE(text(vocabulary("gradient"), Gradient{{{0.5, {0, 0, 0, 1}}}}),
             "[{\"position\":0.5,\"color\":[0.0,0.0,0.0,1.0]}]");
    QCOMPARE(text(vocabulary("curve"), Curve{{{0, 0.25}, {1, 1}}}), "[[0.0,0.25],[1.0,1.0]]");
    QCOMPARE(text(vocabulary("matrix"), Matrix{1, 3, {1, 2, 1}}), "[[1.0,2.0,1.0]]");
    QCOMPARE(text(vocabulary("mask"), ImageRef{"m.png", "R"}),
             "{\"path\":\"m.png\",\"channels\":\"R\"}");
    QCOMPARE(text(vocabulary("mask"), ImageRef{}), "null");
    QVERIFY_THROWS_EXCEPTION(ParameterError, to_json(vocabulary("sigma"), true));
  }

  void other_forms_are_read() {
    const auto read = [](const Parameter& parameter, const char* json) {
      return sfumato::from_json(parameter, parse_json(json));
    };
    const Parameter tint = Parameter::color("tint", "Tint", "A colour.", {});
    QVERIFY(read(vocabulary("sigma"), "2") == Value(2.0));
    QVERIFY(read(vocabulary("radius"), "3.0") == Value(std::int64_t{3}));
    QVERIFY(read(tint, "\"#f00\"") == Value(Color{1, 0, 0, 1}));
    QVERIFY(read(tint, "[1, 0, 0]") == Value(Color{1, 0, 0, 1}));
    QVERIFY(read(vocabulary("matrix"), "\"1 2 1\"") == Value(Matrix{1, 3, {1, 2, 1}}));
    QVERIFY(read(vocabulary("curve"), "\"0 0; 1 0.5\"") == Value(Curve{{{0, 0}, {1, 0.5}}}));
    QVERIFY(read(vocabulary("normal"), "\"n.exr:N.X\"") == Value(ImageRef{"n.exr", "N.X"}));
    QVERIFY(read(vocabulary("normal"), "{\"path\": \"n.exr\"}") == Value(ImageRef{"n.exr", ""}));
    QVERIFY(read(method(), "\"BOXES\"") == Value(Choice("boxes")));
  }

  void wrong_json_is_refused() {
    QCOMPARE(refusal(vocabulary("sigma"), "\"2\""), "sigma: \"2\" is not a number");
    QCOMPARE(refusal(vocabulary("sigma"), "true"), "sigma: true is not a number");
    QCOMPARE(refusal(vocabulary("sigma"), "null"), "sigma: null is not a number");
    QCOMPARE(refusal(vocabulary("sigma"), "[1]"), "sigma: an array is not a number");
    QCOMPARE(refusal(vocabulary("sigma"), "2000"), "sigma: 2000 px is outside 0 to 1000 px");
    QCOMPARE(refusal(vocabulary("radius"), "2.5"), "radius: 2.5 is not a whole number");
    QVERIFY(refusal(vocabulary("radius"), "18446744073709551615").contains("outside 0 to 5000 px"));
    const Parameter n = Parameter::integer("n", "N", "Any.", 0, {-infinity, infinity});
    QVERIFY(refusal(n, "18446744073709551615").startsWith("n: 18446744073709551615 is beyond"));
    QVERIFY(refusal(n, "9223372036854775808").startsWith("n: 9223372036854775808 is beyond"));
    QVERIFY(refusal(vocabulary("radius"), "1e300").contains("outside 0 to 5000 px"));
    QCOMPARE(refusal(vocabulary("normalise"), "1"), "normalise: 1 is not true or false");
    QCOMPARE(refusal(vocabulary("normalise"), "\"yes\""),
             "normalise: \"yes\" is not true or false");
    QVERIFY(refusal(method(), "\"bokes\"").contains("did you mean \"boxes\"?"));
    QCOMPARE(refusal(method(), "3"), "method: 3 is not a text");
    const Parameter tint = Parameter::color("tint", "Tint", "A colour.", {});
    for (const char* json : {"[1, 2]", "[1, 1, 1, 1, 1]", "1", "{}", "[1, 1, \"1\"]", "[]"})
      QVERIFY2(refusal(tint, json).startsWith("tint: "), json);
    QCOMPARE(refusal(tint, "[2, 0, 0]"), "tint: red 2 is outside 0 to 1");
    for (const char* json : {"[]", "[1]", "[{}]", "[{\"position\": 0}]", "{}",
                             "[{\"position\": 0, \"color\": [0, 0, 0], \"x\": 1}]",
                             "[{\"position\": \"0\", \"color\": [0, 0, 0]}]"})
      QVERIFY2(refusal(vocabulary("gradient"), json).startsWith("gradient: "), json);
    for (const char* json :
         {"[]", "[[0, 0]]", "[[0], [1]]", "[0, 1]", "[[0, 0], [1, 1, 1]]", "[[0, 0], [0, 1]]"})
      QVERIFY2(refusal(vocabulary("curve"), json).startsWith("curve: "), json);
    for (const char* json :
         {"[]", "[[]]", "[1]", "[[1], [1, 2], [1]]", "[[1, 2], [3, 4]]", "[[\"1\"]]", "{}", "7"})
      QVERIFY2(refusal(vocabulary("matrix"), json).startsWith("matrix: "), json);
    for (const char* json : {"{}", "{\"channels\": \"R\"}", "{\"path\": 1}", "[]", "3",
                             "{\"path\": \"\", \"channels\": \"R\"}"})
      QVERIFY2(refusal(vocabulary("mask"), json).startsWith("mask: "), json);
    QCOMPARE(refusal(vocabulary("mask"), "{\"path\": \"a.png\", \"chanels\": \"R\"}"),
             "mask: an image has no \"chanels\"; did you mean \"channels\"?");
  }

  void values_survive_to_the_last_bit() {
    std::mt19937_64 random(99);
    const Parameter x = any_real();
    const auto exact = [&](double value) {
      const double back = std::get<double>(there_and_back(x, value));
      return std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value);
    };
    for (int i = 0; i < 20000; ++i) {
      const double value = std::bit_cast<double>(random());
      if (std::isfinite(value)) QVERIFY2(exact(value), print_number(value).c_str());
    }
    for (const double value : {0.0, -0.0, 5e-324, 0.1, 1e22, 2.2250738585072014e-308, 1e15, 1e17,
                               std::numeric_limits<double>::max(), 1.0 / 3, 123456789.0})
      QVERIFY(exact(value));
    const Parameter n = Parameter::integer("n", "N", "Any.", 0, {-infinity, infinity});
    for (const std::int64_t value : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX})
      QVERIFY(there_and_back(n, value) == Value(value));
    const Parameter tint = Parameter::color("tint", "Tint", "Any.", {}, {-infinity, infinity});
    const Color color{1e300, -5e-324, 1.0 / 3, 0.1};
    QVERIFY(there_and_back(tint, color) == Value(color));
    const Gradient gradient{{{0, {}}, {1.0 / 3, {1e5, 0.1, 0, 0.5}}, {1.0 / 3, {}}, {1, {}}}};
    QVERIFY(there_and_back(vocabulary("gradient"), gradient) == Value(gradient));
    const Curve curve{{{0, 1.0 / 7}, {1.0 / 3, 0.1}, {1, 1}}};
    QVERIFY(there_and_back(vocabulary("curve"), curve) == Value(curve));
    const Matrix matrix{3, 1, {1.0 / 9, -5e-324, 1e300}};
    QVERIFY(there_and_back(vocabulary("matrix"), matrix) == Value(matrix));
    for (const ImageRef& image :
         {ImageRef{}, ImageRef{"a\"b\\c \xC3\xA9.exr", "N.X,N.Y"}, ImageRef{"a.exr:b::c", ""}})
      QVERIFY(there_and_back(vocabulary("mask"), image) == Value(image));
    QVERIFY(there_and_back(method(), Choice("boxes")) == Value(Choice("boxes")));
    QVERIFY(there_and_back(vocabulary("centred"), false) == Value(false));
  }

  void sets_of_values() {
    const ParameterSet set("box", {vocabulary("radius"), vocabulary("border"), vocabulary("mask")});
    Values values;
    values.set("radius", std::int64_t{7});
    const Json json = to_json(set, values);
    QCOMPARE(json.dump(), "{\"radius\":7,\"border\":\"clamp\",\"mask\":null}");
    QVERIFY(sfumato::from_json(set, json) == complete(set, values));
    QVERIFY(sfumato::from_json(set, Json::object()) == defaults(set));
    QCOMPARE(
        refusal<ParameterError>([&] { sfumato::from_json(set, parse_json("{\"raduis\": 1}")); }),
        "unknown parameter \"raduis\" of box; did you mean \"radius\"?");
    QVERIFY(refusal<ParameterError>([&] {
              sfumato::from_json(set, parse_json("[1]"));
            }).contains("must be an object"));
  }

  void schemas_are_complete() {
    for (const Parameter& word : testing::not_empty(vocabulary(), "words")) {
      if (word.kind == Kind::choice && word.choices.empty()) continue;
      const Json json = schema(word);
      for (const char* key :
           {"name", "label", "help", "kind", "default", "visible_if", "changes_halo"})
        QVERIFY2(json.contains(key), (word.name + " lacks " + key).c_str());
      QVERIFY(sfumato::from_json(word, json["default"]) == word.default_value);
      const bool number = word.kind == Kind::real || word.kind == Kind::integer;
      for (const char* key : {"valid", "slider", "law", "step", "unit", "zoom"})
        if (number) QVERIFY2(json.contains(key), (word.name + " lacks " + key).c_str());
      QCOMPARE(json.contains("choices"), word.kind == Kind::choice);
      QCOMPARE(json.contains("max_rows"), word.kind == Kind::matrix);
      QVERIFY(parse_json(print_json(json)) == json);
    }
    QCOMPARE(schema(vocabulary("sigma").visible_when("mask")).dump(),
             "{\"name\":\"sigma\",\"label\":\"Sigma\",\"help\":\"Standard deviation of the "
             "Gaussian; 0 leaves the picture unchanged.\",\"kind\":\"real\",\"default\":2.0,"
             "\"valid\":[0.0,1000.0],\"slider\":[0.0,100.0],\"law\":\"power\",\"law_gamma\":3.0,"
             "\"step\":0.1,\"unit\":\"px\",\"zoom\":\"scales_with_picture\",\"visible_if\":\"mask\""
             ",\"changes_halo\":true}");
    QCOMPARE(schema(vocabulary("gradient"))["valid"].dump(), "[0.0,null]");
    QCOMPARE(schema(method())["choices"][1].dump(),
             "{\"id\":\"boxes\",\"label\":\"Boxes\",\"help\":\"\"}");
    const ParameterSet set({vocabulary("mix"), vocabulary("mask")});
    QCOMPARE(schema(set).size(), std::size_t{2});
    QCOMPARE(schema(set)[1]["name"].get<std::string>(), "mask");
  }

  void malformed_json_names_line_and_column() {
    QVERIFY2(unreadable("{\n  \"a\": 1,\n  }").startsWith("line 3, column 3: "),
             qPrintable(unreadable("{\n  \"a\": 1,\n  }")));
    QVERIFY(unreadable("").startsWith("line 1, column 1: "));
    QVERIFY(unreadable("[1, 2").startsWith("line 1, column 6: "));
    QVERIFY(unreadable("[\"\xC3\xA9\", x]").startsWith("line 1, column 7: "));
    for (const char* text :
         {"",        " ",        "{",      "[",       "]",          "{]",      "[1,]",
          "{\"a\"}", "{\"a\":}", "{a: 1}", "'a'",     "nul",        "NaN",     "Infinity",
          "+1",      "01",       "1.",     ".5",      "0x1",        "\"\\x\"", "\"a",
          "\"\n\"",  "1 2",      "[1] x",  "// c\n1", "\"\\ud800\""}) {
      const QString said = unreadable(text);
      QVERIFY2(said.startsWith("line "), text);
      QVERIFY2(!said.contains("json.exception") && !said.contains("last read"), qPrintable(said));
    }
    QVERIFY(unreadable("[1e999]").startsWith("line 1, column "));
    QVERIFY(unreadable("[1e999]").contains("1e999"));
    QCOMPARE(unreadable("[\n\"\xFF\"]"), "line 2, column 2: the text is not valid UTF-8");
    for (const char* text : {"\"\xC0\x80\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"", "\"\xC3",
                             "\"\xE0\x80\x80\"", "\"\x80\""})
      QVERIFY2(unreadable(text).endsWith("the text is not valid UTF-8"), text);
    try {
      parse_json("[1,\n 2,, 3]");
      QFAIL("two commas");
    } catch (const JsonError& error) {
      QCOMPARE(error.line(), std::size_t{2});
      QCOMPARE(error.column(), std::size_t{4});
    }
  }

  void dangerous_json_is_refused() {
    QCOMPARE(unreadable("{\"a\": 1, \"b\": {\"a\": 2}, \"a\": 3}"),
             "the name \"a\" is given twice in one object");
    QCOMPARE(unreadable("{\"a\": {\"a\": 1}}"), "(accepted)");
    const auto nested = [](std::size_t depth) {
      return std::string(depth, '[') + std::string(depth, ']');
    };
    QCOMPARE(unreadable(nested(json_deepest)), "(accepted)");
    QVERIFY(unreadable(nested(json_deepest + 1)).contains("nests deeper than 64"));
    QVERIFY(unreadable(std::string(1000000, '[')).contains("nests deeper"));
    std::string objects;
    for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
    QVERIFY(unreadable(objects).contains("nests deeper"));
    QVERIFY(unreadable(std::string(json_largest + 1, ' ')).contains("larger than 8 MiB"));
    std::string many = "{";
    for (int i = 0; i < 600000; ++i) many += "\"k" + std::to_string(i) + "\":0,";
    many.back() = '}';
    // In quadratic time this would exceed the test's time limit.
    QCOMPARE(parse_json(many).size(), std::size_t{600000});
  }

  void order_and_text_are_kept() {
    const char* text =
        "{\"z\": 1, \"a\": [1, 2.5, -3], \"m\": {\"k\": \"\\u00e9\\n\", \"b\": null}}";
    const Json json = parse_json(text);
    QCOMPARE(json.dump(), "{\"z\":1,\"a\":[1,2.5,-3],\"m\":{\"k\":\"\xC3\xA9\\n\",\"b\":null}}");
    QCOMPARE(print_json(json),
             "{\n  \"z\": 1,\n  \"a\": [1, 2.5, -3],\n  \"m\": {\n    \"k\": \"\xC3\xA9\\n\",\n"
             "    \"b\": null\n  }\n}\n");
    QVERIFY(parse_json(print_json(json)) == json);
    const std::string deep =
        std::string(60, '[') + "\"" + std::string(200, 'x') + "\"" + std::string(60, ']');
    QVERIFY(parse_json(print_json(parse_json(deep))) == parse_json(deep));
    const std::string printed = print_json(parse_json(wide()));
    for (const QString& line : QString::fromStdString(printed).split('\n'))
      QVERIFY2(line.size() <= 101, qPrintable(line));
    QVERIFY(parse_json("\xEF\xBB\xBF[1]") == parse_json("[1]"));
    QVERIFY(parse_json(print_json(parse_json(wide()))) == parse_json(wide()));
    QVERIFY_THROWS_EXCEPTION(JsonError, print_json(Json("\xFF")));
    QVERIFY_THROWS_EXCEPTION(JsonError, print_json(Json::object({{"\xFF", 1}})));
  }

  void the_locale_changes_nothing_data() {
    QTest::addColumn<QString>("locale");
    QTest::newRow("facet alone") << QString();
    QTest::newRow("decimal comma") << QStringLiteral("de_DE");
    QTest::newRow("decimal point of two bytes") << QStringLiteral("ps_AF");
  }

  void the_locale_changes_nothing() {
    QFETCH(QString, locale);
    if (!locale.isEmpty() && !sfumato::testing::build_locale(locale))
      SKIP_WITHOUT("localedef or its sources");
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaNumbers));
    if (!locale.isEmpty()) std::setlocale(LC_ALL, (locale + ".UTF-8").toUtf8().constData());
    QString read, said;
    std::string written;
    try {
      const Json json = parse_json("[1234.5, 1e-3, 1234567]");
      written = print_json(json);
      said = refusal(vocabulary("sigma"), "1234567.5");
      if (json[0].get<double>() == 1234.5 && json[1].get<double>() == 0.001) read = "right";
    } catch (const std::exception& error) {
      read = error.what();
    }
    std::setlocale(LC_ALL, "C");
    std::locale::global(before);
    QCOMPARE(read, "right");
    QCOMPARE(written, "[1234.5, 0.001, 1234567]\n");
    QCOMPARE(said, "sigma: 1234567.5 px is outside 0 to 1000 px");
  }

  void threads_read_at_once() {
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (std::size_t i = 0; i < wrong.size(); ++i)
      threads.emplace_back([&wrong, i] {
        for (int k = 0; k < 500; ++k) {
          const double value = std::get<double>(there_and_back(any_real(), k + 0.1));
          if (value != k + 0.1) ++wrong[i];
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (const int count : wrong) QCOMPARE(count, 0);
  }
};

QTEST_APPLESS_MAIN(TestParamsJson)
#include "test_params_json.moc"
