// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recipes: reading, writing, migrating, rejecting, and surviving hostile text.
#include <QTest>
#include <locale>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "params/json_object.hpp"
#include "params/json_text.hpp"
#include "params/recipe.hpp"
#include "params/scan.hpp"
#include "params/text.hpp"
#include "params/vocabulary.hpp"

using namespace sfumato;
using Json = nlohmann::ordered_json;

namespace {

/// Two filters: gaussian is at version 3 after a rename and a change of scale.
class Filters : public FilterLookup {
 public:
  Filters() {
    const Parameter method = vocabulary("method").with_choices(
        {{"auto", "Automatic", ""}, {"direct", "Direct", ""}, {"boxes", "Boxes", ""}});
    sets_.emplace(
        "gaussian",
        ParameterSet("gaussian", {vocabulary("sigma"), vocabulary("radius").with_default(0), method,
                                  vocabulary("border"), vocabulary("mask")}));
    sets_.emplace("geometry_blur",
                  ParameterSet("geometry_blur",
                               {vocabulary("sigma"), vocabulary("normal"), vocabulary("depth"),
                                vocabulary("matrix"), vocabulary("gradient"), vocabulary("curve"),
                                vocabulary("grayscale")}));
  }

  const ParameterSet* parameters(std::string_view filter) const override {
    const auto found = sets_.find(filter);
    return found == sets_.end() ? nullptr : &found->second;
  }
  int version(std::string_view filter) const override { return filter == "gaussian" ? 3 : 1; }
  std::vector<std::string> ids() const override { return {"gaussian", "geometry_blur"}; }

  Migration migration(std::string_view filter, int from) const override {
    if (filter != "gaussian") return {};
    if (from == 1) {
      return [](Json& values) {  // version 2 renamed "size" to "sigma"
        if (!values.contains("size")) return;
        values["sigma"] = values.at("size");
        values.erase("size");
      };
    }
    return [](Json& values) {  // version 3 took sigma in pixels, not in half pixels
      if (values.contains("sigma")) values["sigma"] = values.at("sigma").get<double>() / 2;
    };
  }

 private:
  std::map<std::string, ParameterSet, std::less<>> sets_;
};

const Filters filters;

template <typename Action>
QString refusal_by(Action action) {
  try {
    action();
  } catch (const RecipeError& error) {
    return QString::fromUtf8(error.what());
  }
  return QStringLiteral("(accepted)");
}

QString refusal(std::string_view text) {
  return refusal_by([&] { parse_recipe(text, filters); });
}

/// A recipe of one step with these members.
std::string step(const std::string& members) {
  return "{\"sfumato\": 1, \"steps\": [{" + members + "}]}";
}

std::string values(const std::string& members) {
  return step("\"filter\": \"gaussian\", \"version\": 3, \"values\": {" + members + "}");
}

const char* const full_recipe = R"({
  "sfumato": 1,
  "title": "Soft",
  "steps": [
    {
      "filter": "gaussian",
      "version": 3,
      "enabled": true,
      "values": {
        "sigma": 2.5,
        "radius": 7,
        "method": "boxes",
        "border": "mirror",
        "mask": null
      },
      "note": {"by": "Ada", "stars": [5, 4.5]}
    },
    {
      "filter": "geometry_blur",
      "version": 1,
      "enabled": false,
      "values": {
        "sigma": 0.1,
        "normal": {
          "path": "aux/render.exr",
          "channels": "N.X,N.Y,N.Z"
        },
        "depth": {
          "path": "../z.exr",
          "channels": ""
        },
        "matrix": [[0.0, 1.0, 0.0]],
        "gradient": [
          {"position": 0.0, "color": [0.0, 0.0, 0.0, 1.0]},
          {"position": 1.0, "color": [0.5, 1.0, 0.25, 1.0]}
        ],
        "curve": [[0.0, 0.0], [1.0, 0.5]],
        "grayscale": true
      }
    }
  ],
  "future": null
}
)";

class CommaNumbers : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

class TestRecipes : public QObject {
  Q_OBJECT

 private:
  // The text with up to four bytes or pieces changed, removed, added or repeated.
  static std::string mutated(std::string text, std::mt19937& random) {
    static const std::string pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"",
                                         "\\",
                                         "1e999",
                                         "-",
                                         "null",
                                         "true",
                                         "\"sigma\"",
                                         "\"values\"",
                                         "\"path\"",
                                         "::",
                                         "nan",
                                         "\n",
                                         "\xFF",
                                         "\xC3\xA9",
                                         "\\u0000",
                                         "\\ud800",
                                         "9223372036854775808",
                                         "0.1",
                                         "[[[[",
                                         "\"steps\": ",
                                         std::string(1, '\0'),
                                         "../",
                                         "#fff"};
    for (unsigned edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      const std::size_t length = random() % 12;
      switch (random() % 5) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, pieces[random() % std::size(pieces)]);
          break;
        case 3:
          text.insert(at, text.substr(random() % text.size(), length));
          break;
        default:
          text.replace(at, 1, pieces[random() % std::size(pieces)]);
      }
    }
    return text;
  }

 private slots:
  void an_object_that_was_moved_from_is_empty() {
    JsonObject from;
    from.set_text("name", "value");
    const JsonObject to = std::move(from);
    // NOLINTBEGIN(bugprone-use-after-move)
    QVERIFY(from.empty() && from == JsonObject() && !(from == to));
    QVERIFY(std::as_const(from).json().is_object() && !from.text("name"));
    from.erase("name");
    from.set_text("name", "value");
    QVERIFY(from == to);
    // NOLINTEND(bugprone-use-after-move)
  }

  void a_recipe_is_read() {
    const Recipe recipe = parse_recipe(full_recipe, filters);
    QCOMPARE(recipe.format, 1);
    QCOMPARE(recipe.steps.size(), std::size_t{2});
    const Step& first = recipe.steps[0];
    QCOMPARE(first.filter, "gaussian");
    QCOMPARE(first.version, 3);
    QVERIFY(first.enabled);
    QCOMPARE(first.values.get<double>("sigma"), 2.5);
    QCOMPARE(first.values.get<std::int64_t>("radius"), 7);
    QCOMPARE(first.values.choice("method"), "boxes");
    QCOMPARE(first.values.choice("border"), "mirror");
    QVERIFY(!first.values.get<ImageRef>("mask").bound());
    const Step& second = recipe.steps[1];
    QVERIFY(!second.enabled);
    QCOMPARE(second.values.get<ImageRef>("normal").path, "aux/render.exr");
    QCOMPARE(second.values.get<ImageRef>("normal").channels, "N.X,N.Y,N.Z");
    QCOMPARE(second.values.get<Matrix>("matrix").columns, 3);
    QCOMPARE(recipe.extra.json().dump(), "{\"title\":\"Soft\",\"future\":null}");
    QCOMPARE(first.extra.json().dump(), "{\"note\":{\"by\":\"Ada\",\"stars\":[5,4.5]}}");
    QVERIFY(second.extra.empty());
  }

  void printing_gives_the_same_recipe() {
    const Recipe recipe = parse_recipe(full_recipe, filters);
    const std::string printed = print_recipe(recipe, filters);
    QVERIFY(parse_recipe(printed, filters) == recipe);
    QCOMPARE(print_recipe(parse_recipe(printed, filters), filters), printed);
    // The same text except that unknown keys follow the known ones.
    Json expected = parse_json(full_recipe), actual = parse_json(printed);
    QVERIFY(actual["steps"] == expected["steps"]);
    QCOMPARE(actual.dump().find("{\"sfumato\":1,\"steps\":["), std::size_t{0});
    QVERIFY(printed.find("\n        \"sigma\": 2.5,\n") != std::string::npos);
    QVERIFY(printed.find("[[0.0, 1.0, 0.0]]") != std::string::npos);
  }

  void missing_values_take_the_default_and_are_written() {
    const Recipe recipe = parse_recipe(step("\"filter\": \"gaussian\""), filters);
    QVERIFY(recipe.steps[0].enabled);
    QCOMPARE(recipe.steps[0].version, 3);
    QVERIFY(recipe.steps[0].values == defaults(*filters.parameters("gaussian")));
    const Json printed = parse_json(print_recipe(recipe, filters));
    QCOMPARE(printed["steps"][0].dump(),
             "{\"filter\":\"gaussian\",\"version\":3,\"enabled\":true,\"values\":{\"sigma\":2.0,"
             "\"radius\":0,\"method\":\"auto\",\"border\":\"clamp\",\"mask\":null}}");
    Recipe sparse;
    sparse.steps.push_back({.filter = "gaussian", .values = {}});
    QCOMPARE(parse_json(print_recipe(sparse, filters))["steps"][0]["values"].size(),
             std::size_t{5});
    QVERIFY(parse_recipe(step("\"filter\": \"geometry-blur\""), filters).steps[0].filter ==
            "geometry_blur");
  }

  void unknown_keys_never_replace_known_ones() {
    Recipe recipe = parse_recipe(step("\"filter\": \"gaussian\""), filters);
    recipe.extra.json()["sfumato"] = 99;
    recipe.extra.json()["steps"] = "gone";
    recipe.extra.json()["kept"] = 1;
    recipe.steps[0].extra.json()["values"] = 7;
    const Json printed = parse_json(print_recipe(recipe, filters));
    QCOMPARE(printed["sfumato"].get<int>(), 1);
    QVERIFY(printed["steps"].is_array() && printed["steps"][0]["values"].is_object());
    QCOMPARE(printed["kept"].get<int>(), 1);
  }

  void wrong_recipes_are_refused_in_one_sentence() {
    QCOMPARE(refusal("[]"), "this is not a Sfumato recipe: it is not a JSON object");
    QCOMPARE(refusal("{}"), "this is not a Sfumato recipe: it has no \"sfumato\" version");
    QCOMPARE(refusal("{\"sfumato\": 1}"), "the recipe has no \"steps\"");
    QCOMPARE(refusal("{\"sfumato\": 1, \"steps\": {}}"), "the recipe's \"steps\" must be an array");
    QCOMPARE(refusal("{\"sfumato\": 1, \"steps\": []}"),
             "the recipe's \"steps\" are empty: it does nothing");
    QCOMPARE(refusal("{\"sfumato\": 1, \"steps\": [3]}"),
             "step 1: it must be an object with \"filter\" and \"values\"");
    QCOMPARE(refusal(step("")), "step 1: it has no \"filter\"");
    QCOMPARE(refusal(step("\"filter\": 3")), "step 1: \"filter\" must be a text");
    QCOMPARE(refusal(step("\"filter\": \"gausian\"")),
             "step 1: unknown filter \"gausian\"; did you mean \"gaussian\"?");
    QCOMPARE(refusal(step("\"filter\": \"xyz\"")), "step 1: unknown filter \"xyz\"");
    QCOMPARE(refusal(step("\"filter\": \"gaussian\", \"enabled\": 1")),
             "step 1 (gaussian): \"enabled\" must be true or false");
    QCOMPARE(refusal(step("\"filter\": \"gaussian\", \"values\": []")),
             "step 1 (gaussian): \"values\" must be an object of names and values");
    QCOMPARE(refusal(values("\"simga\": 1")),
             "step 1 (gaussian): unknown parameter \"simga\" of gaussian; did you mean \"sigma\"?");
    QCOMPARE(refusal(values("\"sigma\": 2000")),
             "step 1 (gaussian): sigma: 2000 px is outside 0 to 1000 px");
    QCOMPARE(refusal(values("\"sigma\": 1, \"sigma\": 2")),
             "the recipe cannot be read: the name \"sigma\" is given twice in one object");
    QVERIFY(refusal("{\"sfumato\": 1,\n\"steps\" []}")
                .startsWith("the recipe cannot be read: line 2, column 9: "));
    QVERIFY(refusal(std::string(100000, '[')).contains("nests deeper"));
    QVERIFY(refusal("\xFF").endsWith("the text is not valid UTF-8"));
    QVERIFY(refusal("").startsWith("the recipe cannot be read: line 1, column 1: "));
    std::string many = "{\"sfumato\": 1, \"steps\": [{}";
    for (int i = 0; i < 1000; ++i) many += ",{}";
    QCOMPARE(refusal(many + "]}"), "the recipe has 1001 steps; at most 1000 are allowed");
    const std::string second = "{\"sfumato\": 1, \"steps\": [{\"filter\": \"gaussian\"}, {}]}";
    try {
      parse_recipe(second, filters);
      QFAIL("the second step has no filter");
    } catch (const RecipeError& error) {
      QCOMPARE(error.step(), 1);
    }
  }

  void versions() {
    QCOMPARE(refusal("{\"sfumato\": 2, \"steps\": []}"),
             "the recipe has format version 2; this program knows version 1: update Sfumato");
    for (const char* format : {"0", "-1", "1.0", "\"1\"", "null", "true"})
      QVERIFY2(refusal("{\"sfumato\": " + std::string(format) + ", \"steps\": []}")
                   .contains("must be a whole number from 1"),
               format);
    QCOMPARE(refusal(step("\"filter\": \"gaussian\", \"version\": 4")),
             "recipe needs gaussian version 4; this program knows version 3: update Sfumato");
    QVERIFY(refusal(step("\"filter\": \"gaussian\", \"version\": 99999999999"))
                .contains("needs gaussian version 99999999999"));
    for (const char* version : {"0", "-1", "1.5", "\"1\"", "null", "[]"})
      QVERIFY2(refusal(step("\"filter\": \"gaussian\", \"version\": " + std::string(version)))
                   .contains("\"version\" must be a whole number from 1"),
               version);
  }

  void older_versions_migrate_step_by_step() {
    const auto sigma = [](const std::string& members) {
      const Recipe recipe = parse_recipe(step("\"filter\": \"gaussian\", " + members), filters);
      return std::pair(recipe.steps[0].values.get<double>("sigma"), recipe.steps[0].version);
    };
    QCOMPARE(sigma("\"version\": 1, \"values\": {\"size\": 6}"), std::pair(3.0, 3));
    QCOMPARE(sigma("\"version\": 2, \"values\": {\"sigma\": 6}"), std::pair(3.0, 3));
    QCOMPARE(sigma("\"version\": 3, \"values\": {\"sigma\": 6}"), std::pair(6.0, 3));
    QVERIFY(refusal(step("\"filter\": \"gaussian\", \"version\": 2, \"values\": {\"size\": 6}"))
                .contains("unknown parameter \"size\""));
    const QString said =
        refusal(step("\"filter\": \"gaussian\", \"version\": 1, \"values\": {\"size\": \"six\"}"));
    QVERIFY2(
        said.startsWith("step 1 (gaussian): its values could not be taken from version 2 to 3"),
        qPrintable(said));
  }

  void paths_are_relative_to_the_recipe() {
    const Recipe here = parse_recipe(full_recipe, filters, "/home/ada/recipes");
    QCOMPARE(here.steps[1].values.get<ImageRef>("normal").path, "/home/ada/recipes/aux/render.exr");
    QCOMPARE(here.steps[1].values.get<ImageRef>("depth").path, "/home/ada/z.exr");
    QVERIFY(!here.steps[0].values.get<ImageRef>("mask").bound());
    const auto path_in = [](const std::string& text, const char* role) {
      return parse_json(text)["steps"][1]["values"][role]["path"].get<std::string>();
    };
    const std::string back = print_recipe(here, filters, "/home/ada/recipes/");
    QCOMPARE(path_in(back, "normal"), "aux/render.exr");
    QCOMPARE(path_in(back, "depth"), "../z.exr");
    QVERIFY(parse_recipe(back, filters, "/home/ada/recipes") == here);
    const std::string moved = print_recipe(here, filters, "/home/ada/other/place");
    QCOMPARE(path_in(moved, "normal"), "../../recipes/aux/render.exr");
    QVERIFY(parse_recipe(moved, filters, "/home/ada/other/place") == here);
    QCOMPARE(path_in(print_recipe(here, filters), "depth"), "/home/ada/z.exr");
    const Recipe absolute = parse_recipe(print_recipe(here, filters), filters, "/elsewhere");
    QVERIFY(absolute == here);
    const Recipe relative = parse_recipe(full_recipe, filters, "recipes");
    const std::filesystem::path path = relative.steps[1].values.get<ImageRef>("normal").path;
    QVERIFY(path.is_absolute() && path == std::filesystem::absolute("recipes/aux/render.exr"));
    QVERIFY(parse_recipe(print_recipe(relative, filters, "./recipes"), filters, "recipes") ==
            relative);
  }

  void what_cannot_be_written_is_refused() {
    QVERIFY(refusal_by([] { print_recipe({}, filters); }).contains("without steps"));
    Recipe recipe = parse_recipe(full_recipe, filters);
    Recipe wrong = recipe;
    wrong.steps[1].values.set("sigma", 2000.0);
    QCOMPARE(refusal_by([&] { print_recipe(wrong, filters); }),
             "step 2 (geometry_blur): sigma: 2000 px is outside 0 to 1000 px");
    wrong = recipe;
    wrong.steps[0].values.set("simga", 2.0);
    QVERIFY(refusal_by([&] { print_recipe(wrong, filters); }).contains("did you mean \"sigma\"?"));
    wrong = recipe;
    wrong.steps[0].filter = "gausian";
    QVERIFY(
        refusal_by([&] { print_recipe(wrong, filters); }).contains("did you mean \"gaussian\"?"));
    wrong = recipe;
    wrong.steps[0].values.set("mask", ImageRef{"\xFF.png", ""});
    QCOMPARE(refusal_by([&] { print_recipe(wrong, filters); }),
             "the recipe cannot be written: a text in it is not valid UTF-8");
  }

  void the_locale_changes_nothing() {
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaNumbers));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
      if (std::setlocale(LC_ALL, name)) break;
    const Recipe recipe = parse_recipe(values("\"sigma\": 999.5, \"radius\": 4321"), filters);
    const std::string printed = print_recipe(recipe, filters);
    const QString said = refusal(step("\"filter\": \"gaussian\", \"version\": 1234567"));
    std::setlocale(LC_ALL, "C");
    std::locale::global(before);
    QCOMPARE(recipe.steps[0].values.get<double>("sigma"), 999.5);
    QVERIFY(printed.find("\"sigma\": 999.5,") != std::string::npos);
    QVERIFY(printed.find("\"radius\": 4321,") != std::string::npos);
    QVERIFY(said.contains("version 1234567;"));
  }

  void mutated_recipes_are_read_or_refused() {
    std::mt19937 random(4711);
    int accepted = 0;
    for (int round = 0; round < 30000; ++round) {
      const std::string text = mutated(full_recipe, random);
      try {
        const Recipe recipe = parse_recipe(text, filters, "/home/ada");
        const std::string printed = print_recipe(recipe, filters, "/home/ada");
        QVERIFY2(parse_recipe(printed, filters, "/home/ada") == recipe, text.c_str());
        ++accepted;
      } catch (const RecipeError& error) {
        QVERIFY(scan::invalid_utf8(error.what()) == std::string_view::npos);
        QVERIFY(std::string_view(error.what()).size() < 1000);
      }
    }
    QVERIFY2(accepted > 100 && accepted < 29000, std::to_string(accepted).c_str());
  }
};

QTEST_APPLESS_MAIN(TestRecipes)
#include "test_recipes.moc"
