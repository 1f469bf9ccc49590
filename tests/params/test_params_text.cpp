// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Values as text: accepted and rejected forms, the messages, and exact printing.
#include <QTest>
#include <bit>
#include <cmath>
#include <limits>
#include <locale>
#include <random>

#include "params/errors.hpp"
#include "params/text.hpp"
#include "params/vocabulary.hpp"

using namespace sfumato;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The message with which `action` is rejected, or a note that it was not.
template <typename Action>
QString refusal(Action action) {
  try {
    action();
  } catch (const ParameterError& error) {
    return QString::fromUtf8(error.what());
  }
  return QStringLiteral("(accepted)");
}

QString refusal(const Parameter& parameter, std::string_view text) {
  return refusal([&] { parse(parameter, text); });
}

Parameter any_real() {
  return Parameter::real("x", "X", "Any number.", 0, {-infinity, infinity});
}

Parameter any_integer() {
  return Parameter::integer("n", "N", "Any whole number.", 0, {-infinity, infinity});
}

Parameter any_color() {
  return Parameter::color("tint", "Tint", "Any colour.", {}, {-infinity, infinity});
}

Parameter any_gradient() {
  return Parameter::gradient("ramp", "Ramp", "Any gradient.", {{{0, {}}}}, {-infinity, infinity});
}

Parameter any_curve() {
  return Parameter::curve("tone", "Tone", "Any curve.", {{{0, 0}, {1, 1}}}, {-infinity, infinity});
}

Parameter any_matrix() {
  return Parameter::matrix("m", "M", "Any matrix.", {1, 1, {1}}, 9, 9, false);
}

Parameter methods() {
  return vocabulary("method").with_choices(
      {{"auto", "Automatic", ""}, {"direct", "Direct", ""}, {"boxes", "Boxes", ""}});
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Any finite double: every exponent is equally likely.
double random_double(std::mt19937_64& random) {
  for (;;) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) return value;
  }
}

class CommaNumbers : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

class TestParamsText : public QObject {
  Q_OBJECT

 private slots:
  void reals_are_read() {
    const Parameter x = any_real();
    const std::pair<const char*, double> cases[] = {
        {"2.5", 2.5},       {"1e3", 1000},
        {"+1", 1},          {".5", 0.5},
        {"5.", 5},          {" \t7 \n", 7},
        {"-0.25", -.25},    {"1E-2", 0.01},
        {"007", 7},         {"0e999", 0},
        {"5e-324", 5e-324}, {"1.7976931348623157e308", std::numeric_limits<double>::max()}};
    for (const auto& [text, value] : cases) QCOMPARE(std::get<double>(parse(x, text)), value);
    QVERIFY(std::signbit(std::get<double>(parse(x, "-0"))));
  }

  void reals_that_are_none_are_refused() {
    const Parameter sigma = vocabulary("sigma");
    const QString wanted = " is not a number; give a number from 0 to 1000 px";
    QCOMPARE(refusal(sigma, "abc"), "sigma: \"abc\"" + wanted);
    for (const char* text : {"", " ", "+", "-", ".", "1e", "1e+", "0x10", "1 2", "1,5", "1.2.3",
                             "--1", "+-1", "3px", "1_000", "e5", "1f", "\xC3\xA9", "one"}) {
      const QString said = refusal(sigma, text);
      QVERIFY2(said.startsWith("sigma: \"") && said.endsWith(wanted), qPrintable(said));
    }
    QCOMPARE(refusal(sigma, std::string_view("1\0", 2)), "sigma: \"1\uFFFD\"" + wanted);
    QCOMPARE(refusal(sigma, "\xFF"), "sigma: \"\uFFFD\"" + wanted);
  }

  void reals_out_of_range_name_the_range() {
    const Parameter sigma = vocabulary("sigma");
    QCOMPARE(refusal(sigma, "2000"), "sigma: 2000 px is outside 0 to 1000 px");
    QCOMPARE(refusal(sigma, "-0.5"), "sigma: -0.5 px is outside 0 to 1000 px");
    for (const char* text : {"nan", "NaN", "-nan", "inf", "-Infinity", "nan(1)"}) {
      const QString said = refusal(sigma, text);
      QVERIFY2(said.endsWith("is not allowed; give a number from 0 to 1000 px"), qPrintable(said));
    }
    QCOMPARE(refusal([&] { check(sigma, std::nan("")); }),
             "sigma: nan is not allowed; give a number from 0 to 1000 px");
    QCOMPARE(refusal([&] { check(sigma, infinity); }),
             "sigma: inf is not allowed; give a number from 0 to 1000 px");
    QVERIFY(refusal(sigma, "1e999").contains("\"1e999\" is beyond what a number can hold"));
    QVERIFY(refusal(sigma, "1e-999").contains("\"1e-999\" is beyond what a number can hold"));
    QCOMPARE(refusal([&] { check(any_real(), -infinity); }),
             "x: -inf is not allowed; give a number of any size");
    const Parameter above = Parameter::real("x", "X", "Not negative.", 0, {0, infinity});
    QCOMPARE(refusal(above, "-1"), "x: -1 is not allowed; give a number of at least 0");
    QCOMPARE(refusal(vocabulary("angle"), "400"),
             "angle: 400 degrees is outside -360 to 360 degrees");
    QCOMPARE(std::get<double>(parse(sigma, "1000")), 1000.0);
    QCOMPARE(std::get<double>(parse(sigma, "0")), 0.0);
  }

  void errors_carry_their_reason() {
    const auto reason = [](const Parameter& parameter, std::string_view text) {
      try {
        parse(parameter, text);
      } catch (const ParameterError& error) {
        if (error.parameter() == parameter.name) return error.reason();
      }
      return ParameterError::Reason::unknown_name;
    };
    QVERIFY(reason(vocabulary("sigma"), "x") == ParameterError::Reason::malformed);
    QVERIFY(reason(vocabulary("sigma"), "-1") == ParameterError::Reason::not_allowed);
    QVERIFY(reason(vocabulary("sigma"), "nan") == ParameterError::Reason::not_allowed);
    try {
      check(vocabulary("sigma"), std::int64_t{1});
      QFAIL("an integer is not a real");
    } catch (const ParameterError& error) {
      QVERIFY(error.reason() == ParameterError::Reason::wrong_kind);
      QCOMPARE(error.what(), "sigma: its kind is real, not integer");
    }
  }

  void integers() {
    const Parameter n = any_integer();
    QCOMPARE(std::get<std::int64_t>(parse(n, "3")), 3);
    QCOMPARE(std::get<std::int64_t>(parse(n, "+3")), 3);
    QCOMPARE(std::get<std::int64_t>(parse(n, " -2 ")), -2);
    QCOMPARE(std::get<std::int64_t>(parse(n, "3.0")), 3);
    QCOMPARE(std::get<std::int64_t>(parse(n, "1e3")), 1000);
    QCOMPARE(std::get<std::int64_t>(parse(n, "9223372036854775807")), INT64_MAX);
    QCOMPARE(std::get<std::int64_t>(parse(n, "-9223372036854775808")), INT64_MIN);
    const Parameter radius = vocabulary("radius");
    const QString wanted = " is not a whole number; give a number from 0 to 5000 px";
    QCOMPARE(refusal(radius, "2.5"), "radius: \"2.5\"" + wanted);
    QCOMPARE(refusal(radius, "nan"), "radius: \"nan\"" + wanted);
    QCOMPARE(refusal(radius, "0x3"), "radius: \"0x3\"" + wanted);
    QCOMPARE(refusal(radius, ""), "radius: \"\"" + wanted);
    QCOMPARE(refusal(radius, "9999"), "radius: 9999 px is outside 0 to 5000 px");
    QCOMPARE(refusal(radius, "9223372036854775808"),
             "radius: \"9223372036854775808\" is outside 0 to 5000 px");
    QVERIFY(refusal(n, "9223372036854775808").contains("beyond what a whole number"));
    QVERIFY(refusal(n, "1e300").contains("beyond what a whole number"));
    for (const std::int64_t value : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX})
      QVERIFY(parse(n, print(n, value)) == Value(value));
  }

  void numbers_of_ordinary_sizes_have_no_exponent() {
    const std::pair<double, const char*> expected[] = {
        {0, "0"},           {-0.0, "-0"},
        {100000, "100000"}, {-123456789, "-123456789"},
        {0.0001, "0.0001"}, {0.00005, "5e-05"},
        {1e9, "1e+09"},     {2147483648.0, "2147483648"},
        {0.1, "0.1"},       {1.0 / 3, "0.3333333333333333"}};
    for (const auto& [value, text] : expected) {
      QCOMPARE(print_number(value), text);
      double again = 1;
      QVERIFY(parse_number(text, again) && again == value);
    }
  }

  void booleans() {
    const Parameter flag = vocabulary("normalise");
    for (const char* text : {"yes", "true", "on", "1", "Yes", "TRUE", " on "})
      QCOMPARE(std::get<bool>(parse(flag, text)), true);
    for (const char* text : {"no", "false", "off", "0", "NO", "Off"})
      QCOMPARE(std::get<bool>(parse(flag, text)), false);
    for (const char* text : {"", "2", "y", "maybe", "yes no"})
      QVERIFY(refusal(flag, text).endsWith("is neither yes nor no"));
    QCOMPARE(print(flag, true), "yes");
    QCOMPARE(print(flag, false), "no");
  }

  void choices() {
    const Parameter method = methods();
    QVERIFY(parse(method, "boxes") == Value(Choice("boxes")));
    QVERIFY(parse(method, " Boxes ") == Value(Choice("boxes")));
    QCOMPARE(refusal(method, "bokes"),
             "method: \"bokes\" is not one of auto, direct, boxes; did you mean \"boxes\"?");
    QCOMPARE(refusal(method, "zzzzzz"), "method: \"zzzzzz\" is not one of auto, direct, boxes");
    QVERIFY(refusal(method, "").contains("is not one of"));
    QVERIFY(refusal([&] { check(method, Choice("Boxes")); }).contains("did you mean \"boxes\"?"));
  }

  void colors() {
    const Parameter tint = Parameter::color("tint", "Tint", "A colour.", {});
    QVERIFY(parse(tint, "#f00") == Value(Color{1, 0, 0, 1}));
    QVERIFY(parse(tint, "#F008") == Value(Color{1, 0, 0, 136 / 255.0}));
    QVERIFY(parse(tint, "#ff8000") == Value(Color{1, 128 / 255.0, 0, 1}));
    QVERIFY(parse(tint, "#ff800080") == Value(Color{1, 128 / 255.0, 0, 128 / 255.0}));
    QVERIFY(parse(tint, "0.1 0.2 0.3") == Value(Color{0.1, 0.2, 0.3, 1}));
    QVERIFY(parse(tint, "0.1  0.2\t0.3 0.4") == Value(Color{0.1, 0.2, 0.3, 0.4}));
    for (const char* text : {"", "#", "#ff", "#fffff", "#ggg", "#fffffff", "red", "1 2",
                             "0 0 0 0 0", "0,0,0", "nan 0 0", "#12 34 56", "#+1+1+1"})
      QVERIFY2(refusal(tint, text).contains("is not a colour"), text);
    QCOMPARE(refusal(tint, "0 1.5 0"), "tint: green 1.5 is outside 0 to 1");
    QCOMPARE(refusal(any_color(), "9 9 9 1.5"), "tint: alpha 1.5 is outside 0 to 1");
    QVERIFY(parse(any_color(), "9 -9 1e30") == Value(Color{9, -9, 1e30, 1}));
    QCOMPARE(print(tint, Color{1, 128 / 255.0, 0, 1}), "#ff8000");
    QCOMPARE(print(tint, Color{1, 0, 0, 0}), "#ff000000");
    QCOMPARE(print(tint, Color{0.1, 0.5, 0, 1}), "0.1 0.5 0");
    for (int i = 0; i < 256; ++i) {
      const Color color{i / 255.0, 0, std::nextafter(i / 255.0, 2), 1};
      QVERIFY(parse(any_color(), print(any_color(), color)) == Value(color));
    }
  }

  void gradients() {
    const Parameter ramp = vocabulary("gradient");
    const Gradient expected{{{0, {0, 0, 0, 1}}, {0.5, {0, 1, 0, 1}}, {1, {1, 1, 1, 0.5}}}};
    QVERIFY(parse(ramp, "0 #000000; 0.5 #00ff00; 1 1 1 1 0.5") == Value(expected));
    QCOMPARE(print(ramp, expected), "0 #000000; 0.5 #00ff00; 1 1 1 1 0.5");
    QVERIFY(parse(ramp, "0.5 #fff;0.5 #000") ==
            Value(Gradient{{{0.5, {1, 1, 1, 1}}, {0.5, {0, 0, 0, 1}}}}));
    for (const char* text : {"", ";", "0", "0 #000;", "#000", "0 #000; 1", "x #000", "0 #00"})
      QVERIFY2(refusal(ramp, text).contains("is not a gradient"), text);
    QVERIFY(refusal(ramp, "1 #000; 0 #fff").contains("from left to right"));
    QCOMPARE(refusal(ramp, "1.5 #000"), "gradient: position 1.5 is outside 0 to 1");
    QVERIFY(refusal(ramp, "0 -1 0 0").contains("red -1"));
    QVERIFY(refusal([&] { check(ramp, Gradient{}); }).contains("at least one stop"));
    QVERIFY(refusal([&] { check(ramp, Gradient{{{std::nan(""), {}}}}); }).contains("nan"));
  }

  void curves() {
    const Parameter curve = vocabulary("curve");
    const Curve expected{{{0, 0}, {0.5, 0.7}, {1, 1}}};
    QVERIFY(parse(curve, "0 0; 0.5 0.7; 1 1") == Value(expected));
    QCOMPARE(print(curve, expected), "0 0; 0.5 0.7; 1 1");
    for (const char* text : {"", "0", "0 0 0; 1 1", "0 0; 1 x", "0 0;"})
      QVERIFY2(refusal(curve, text).contains("is not a curve"), text);
    QVERIFY(refusal(curve, "0 0").contains("at least two points"));
    QVERIFY(refusal(curve, "0 0; 0 1").contains("x must rise"));
    QVERIFY(refusal(curve, "0.5 0; 0.2 1").contains("x must rise"));
    QCOMPARE(refusal(curve, "0 0; 1 2"), "curve: y 2 is outside 0 to 1");
  }

  void matrices() {
    const Parameter matrix = vocabulary("matrix");
    const Matrix sharpen{3, 3, {0, -1, 0, -1, 5, -1, 0, -1, 0}};
    QVERIFY(parse(matrix, "0 -1 0; -1 5 -1; 0 -1 0") == Value(sharpen));
    QCOMPARE(print(matrix, sharpen), "0 -1 0; -1 5 -1; 0 -1 0");
    QCOMPARE(sharpen.at(1, 0), -1.0);
    const Matrix wide{1, 3, {1, 2, 3}};
    QVERIFY(parse(matrix, "1 2 3") == Value(wide));
    QVERIFY(parse(matrix, "1;2;3") == Value(Matrix{3, 1, {1, 2, 3}}));
    QVERIFY(refusal(matrix, "").contains("is not a matrix; write as many numbers in every row"));
    QVERIFY(refusal(matrix, "1 2 3; 1 2").contains("as many numbers"));
    QVERIFY(refusal(matrix, "1 2 3;").contains("as many numbers"));
    QVERIFY(refusal(matrix, "1 b 3").contains("\"b\" is not a number"));
    QVERIFY(refusal(matrix, "1 nan 3").contains("\"nan\" is not a number"));
    QVERIFY(refusal(matrix, "1,5 2 3").contains("\"1,5\" is not a number"));
    QCOMPARE(refusal(matrix, "1 2; 3 4"),
             "matrix: a matrix of 2 x 2 has no middle; both sizes must be odd");
    QVERIFY(refusal(vocabulary("row"), "1 2 3; 4 5 6").contains("2 x 3 is larger than 1 x 255"));
    const Matrix downwards = std::get<Matrix>(parse(vocabulary("column"), "1; 2; 3"));
    QCOMPARE(downwards.rows, 1);
    QCOMPARE(downwards.columns, 3);
    QVERIFY(refusal([&] { check(matrix, Matrix{3, 3, {1}}); }).contains("does not hold 1"));
    QVERIFY(refusal([&] { check(matrix, Matrix{-1, -1, {1}}); }).contains("at least one row"));
    QVERIFY(refusal([&] { check(matrix, Matrix{1, 1, {infinity}}); }).contains("inf"));
    std::string huge;
    for (int i = 0; i < 100000; ++i) huge += "1 ";
    QVERIFY(refusal(matrix, huge).contains("1 x 100000 is larger than 255 x 255"));
  }

  void images() {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"file.exr", "file.exr", ""},
        {"file.exr:N.X,N.Y,N.Z", "file.exr", "N.X,N.Y,N.Z"},
        {"/a/b c/file.exr:Z", "/a/b c/file.exr", "Z"},
        {"a:b/file.exr:Z", "a:b/file.exr", "Z"},
        {"shot 12:30.png", "shot 12:30.png", ""},
        {"/dir.d:x/file", "/dir.d:x/file", ""},
        {"C:\\pictures\\file.exr", "C:\\pictures\\file.exr", ""},
        {"file.exr:", "file.exr:", ""},
        {"odd:name::N.X", "odd:name", "N.X"},
        {"a.exr:b::", "a.exr:b", ""},
        {".hidden:Z", ".hidden:Z", ""},
        {"", "", ""}};
    const Parameter normal = vocabulary("normal");
    for (const auto& [text, path, channels] : cases) {
      const ImageRef expected{path, channels};
      QVERIFY2(parse(normal, text) == Value(expected), text);
      QVERIFY2(parse(normal, print(normal, expected)) == Value(expected), text);
    }
    for (const char* path : {"a", "a.exr", "a:b.exr", "a.exr:b", "a::b.exr", "a.exr:", ":",
                             "::", "a:::", "/x/y.tif:z/w.png", "a.b:c.d", " a.exr "})
      for (const char* channels : {"", "Z", "N.X,N.Y", "layer/N.X", "depth"}) {
        const ImageRef image{path, channels};
        QVERIFY2(parse(normal, print(normal, image)) == Value(image), path);
      }
    QCOMPARE(print(normal, ImageRef{"n.exr", "N.X"}), "n.exr:N.X");
    QVERIFY(refusal(normal, "::Z").contains("have no file"));
    QVERIFY(refusal(normal, "a.exr:Z,,Y").contains("lack a name"));
    QVERIFY(refusal([&] { check(normal, ImageRef{"a.exr", "Z:Y"}); }).contains("not names"));
    QVERIFY(refusal(normal, std::string_view("a\0b", 3)).contains("NUL"));
  }

  void printing_is_exact() {
    std::mt19937_64 random(20240611);
    const Parameter x = any_real(), tint = any_color(), ramp = any_gradient();
    const Parameter tone = any_curve(), weights = any_matrix();
    for (int i = 0; i < 20000; ++i) {
      const double value = random_double(random);
      QVERIFY(same_bits(std::get<double>(parse(x, print(x, value))), value));
    }
    for (const double value : {0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e22, 0.1,
                               std::numeric_limits<double>::max(), 1.0 / 3})
      QVERIFY(same_bits(std::get<double>(parse(x, print(x, value))), value));
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 500; ++i) {
      const Color color{random_double(random), random_double(random), -0.0, unit(random)};
      const Value back = parse(tint, print(tint, color));
      QVERIFY(back == Value(color));
      QVERIFY(std::signbit(std::get<Color>(back).b));
      const double middle = unit(random);
      const Gradient gradient{{{middle * unit(random), color}, {middle, {0, 1, 0, 1}}, {1, color}}};
      QVERIFY(parse(ramp, print(ramp, gradient)) == Value(gradient));
      const Curve curve{{{middle, random_double(random)}, {middle + 1, random_double(random)}}};
      QVERIFY(parse(tone, print(tone, curve)) == Value(curve));
      Matrix matrix{1 + i % 9, 1 + i % 4, {}};
      for (int k = 0; k < matrix.rows * matrix.columns; ++k)
        matrix.values.push_back(random_double(random));
      QVERIFY(parse(weights, print(weights, matrix)) == Value(matrix));
    }
  }

  void printing_refuses_another_kind() {
    QCOMPARE(refusal([] { print(vocabulary("sigma"), true); }),
             "sigma: its kind is real, not boolean");
    QCOMPARE(refusal([] { print(vocabulary("radius"), 1.0); }),
             "radius: its kind is integer, not real");
  }

  void the_locale_changes_nothing() {
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaNumbers));
    const char* comma = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"})
      if (!comma) comma = std::setlocale(LC_ALL, name);
    const Parameter x = any_real();
    const double read = std::get<double>(parse(x, "1234.5"));
    const std::string written = print(x, 1234567.25);
    const QString comma_said = refusal(x, "1,5");
    const QString large = refusal(vocabulary("sigma"), "1234567.5");
    const std::string whole = print(any_integer(), std::int64_t{1234567});
    std::setlocale(LC_ALL, "C");
    std::locale::global(before);
    QCOMPARE(read, 1234.5);
    QCOMPARE(written, "1234567.25");
    QCOMPARE(comma_said, "x: \"1,5\" is not a number; give a number of any size");
    QCOMPARE(large, "sigma: 1234567.5 px is outside 0 to 1000 px");
    QCOMPARE(whole, "1234567");
  }

  void any_text_is_read_or_refused() {
    std::mt19937_64 random(7);
    const std::string alphabet = "0123456789.+-eE;:#, \tabcdefinx/\\\n\xC3\xA9\xFF";
    std::vector<Parameter> all = vocabulary();
    for (Parameter& word : all)
      if (word.kind == Kind::choice && word.choices.empty()) word = methods();
    for (int i = 0; i < 20000; ++i) {
      std::string text;
      for (std::size_t n = random() % 24; n > 0; --n) text += alphabet[random() % alphabet.size()];
      const Parameter& parameter = all[random() % all.size()];
      try {
        const Value value = parse(parameter, text);
        check(parameter, value);
        QVERIFY(parse(parameter, print(parameter, value)) == value);
      } catch (const ParameterError& error) {
        QVERIFY(std::string_view(error.what()).starts_with(parameter.name + ": "));
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestParamsText)
#include "test_params_text.moc"
