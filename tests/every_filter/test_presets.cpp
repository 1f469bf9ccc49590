// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Presets: every built-in one is complete, runs and has an effect, and the user's are listed with
// them.
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "params/json_text.hpp"
#include "params/suggest.hpp"
#include "support/engine.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

namespace fs = std::filesystem;

const char* const plain_recipe =
    R"({"sfumato": 1, "steps": [{"filter": "gaussian", "values": {"sigma": 3}}]})";

/// The built-in presets without any user's.
const Presets& built_in() {
  static const Presets presets{fs::path()};
  return presets;
}

/// "" if the text is a recipe.
QString fault_of(std::string_view text) {
  try {
    const Recipe recipe = parse_recipe(text, Registry::get());
    for (const Step& step : recipe.steps) {
      Registry::get().at(step.filter).filter->check(step.values);
    }
    return {};
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  }
}

Recipe recipe_of_row(const QString& id) {
  for (const BuiltInPreset& row : not_empty(built_in_presets(), "presets")) {
    if (row.id == id.toStdString() && fault_of(row.text).isEmpty()) {
      return parse_recipe(row.text, Registry::get());
    }
  }
  return {};  // is_a_recipe() reports why
}

bool is_finite(Image& image) {
  for (int y = 0; y < image.format.height; ++y) {
    for (int x = 0; x < image.format.width; ++x) {
      for (int c = 0; c < image.format.channels; ++c) {
        if (!std::isfinite(image.get(x, y, c))) return false;
      }
    }
  }
  return true;
}

}  // namespace

class TestPresets : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir data_;
  fs::path folder_;

  void write(const char* name, const QByteArray& bytes) {
    QFile file(QString::fromStdString((folder_ / name).string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }

  static void every_id() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("text");
    for (const BuiltInPreset& row : not_empty(built_in_presets(), "presets")) {
      const QByteArray id(row.id.data(), static_cast<qsizetype>(row.id.size()));
      QTest::newRow(id.constData())
          << QString(id) << QByteArray(row.text.data(), static_cast<qsizetype>(row.text.size()));
    }
  }

 private slots:
  void initTestCase() {
    QVERIFY(data_.isValid());
    folder_ = fs::path(data_.path().toStdString()) / "sfumato" / "presets";
  }
  void init() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  void there_are_presets_of_every_category() {
    std::map<std::string, int> categories;
    for (const Preset& p : built_in().all()) ++categories[p.category];
    QVERIFY(built_in().damaged().empty());
    QVERIFY(built_in().all().size() >= 25);
    QCOMPARE(built_in().all().size(), built_in_presets().size());
    for (const auto& [name, count] : categories) {  // a typing error makes its own
      QVERIFY2(count >= 2, name.c_str());
    }
  }

  void is_a_recipe_data() { every_id(); }
  void is_a_recipe() {
    QFETCH(QString, id);
    QFETCH(QByteArray, text);
    QVERIFY2(fault_of(text.toStdString()).isEmpty(),
             qPrintable("core/presets/" + id + ".json: " + fault_of(text.toStdString())));
  }

  void says_what_it_is_data() { every_id(); }
  void says_what_it_is() {
    QFETCH(QString, id);
    QVERIFY(QRegularExpression("^[a-z][a-z0-9]*(_[a-z0-9]+)*$").match(id).hasMatch());
    // A command that accepts both must find the word unambiguous.
    QVERIFY2(Registry::get().find(id.toStdString()) == nullptr, "a filter has this id");
    const Recipe recipe = recipe_of_row(id);
    QVERIFY(!recipe.steps.empty());
    for (const char* key : {"name", "category", "summary"}) {
      QVERIFY2(recipe.extra.text(key).has_value(), key);
      const std::string text = *recipe.extra.text(key);
      QVERIFY2(!text.empty() && text.find('\n') == std::string::npos, key);
    }
    QCOMPARE(recipe.extra.json().size(), std::size_t{3});
    const QString summary = QString::fromStdString(*recipe.extra.text("summary"));
    QVERIFY2(summary.endsWith('.') && !summary.chopped(1).contains(". "), qPrintable(summary));
  }

  void is_written_as_the_program_writes_it_data() { every_id(); }
  void is_written_as_the_program_writes_it() {
    QFETCH(QString, id);
    QFETCH(QByteArray, text);
    QVERIFY(fault_of(text.toStdString()).isEmpty());
    QCOMPARE(QByteArray::fromStdString(print_recipe(recipe_of_row(id), Registry::get())), text);
    // Nothing is left to a default, which another version may change.
    const nlohmann::ordered_json json = parse_json(text.toStdString());
    for (const auto& step : not_empty(json["steps"], "steps")) {
      for (const char* key : {"filter", "version", "enabled", "values"}) {
        QVERIFY2(step.contains(key), key);
      }
      const ParameterSet* set = Registry::get().parameters(step["filter"].get<std::string>());
      QVERIFY(set != nullptr);
      for (const Parameter& p : *set) {
        QVERIFY2(step["values"].contains(p.name), p.name.c_str());
        // A picture on the author's disk is not on anyone else's.
        if (p.kind == Kind::image) QVERIFY2(step["values"][p.name].is_null(), p.name.c_str());
      }
    }
  }

  void changes_a_picture_and_keeps_it_finite_data() { every_id(); }
  void changes_a_picture_and_keeps_it_finite() {
    QFETCH(QString, id);
    QVERIFY(!recipe_of_row(id).steps.empty());
    static Session session{quiet()};
    for (const int channels : {1, 3, 4}) {
      PictureFormat format = rgba(56, 40);
      format.channels = channels;
      if (channels != 4) format.alpha = AlphaKind::none;
      Image input = scene(format);
      Image output = run(session, recipe_of_row(id), input, format);
      QVERIFY2(is_finite(output), qPrintable(QString::number(channels)));
      const double difference = largest_difference(input, output);
      QVERIFY2(difference > 1e-3,
               qPrintable(QString("%1 channels: differs by %2").arg(channels).arg(difference)));
    }
  }

  // The matrices of the sources, number by number.
  void the_sources_matrices_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<std::vector<double>>("weights");
    QTest::addColumn<double>("divisor");
    QTest::addColumn<double>("offset");
    QTest::addColumn<bool>("grayscale");
    using W = std::vector<double>;
    const auto row = [](const char* id, const W& weights, double divisor = 1, double offset = 0,
                        bool grayscale = false) {
      QTest::newRow(id) << id << weights << divisor << offset << grayscale;
    };
    row("sharpen_3x3", {0, -1, 0, -1, 5, -1, 0, -1, 0});
    row("sharpen_strong_3x3", {-1, -1, -1, -1, 9, -1, -1, -1, -1});
    row("outline_3x3", {-0.125, -0.125, -0.125, -0.125, 1, -0.125, -0.125, -0.125, -0.125});
    row("horizontal_edges_3x3", {-1, -1, -1, 0, 0, 0, 1, 1, 1});
    row("emboss_3x3", {2, 0, 0, 0, -1, 0, 0, 0, -1}, 1, 0.5, true);
    row("gaussian_5x5",
        {1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1}, 273);
  }
  void the_sources_matrices() {
    QFETCH(QString, id);
    QFETCH(std::vector<double>, weights);
    QFETCH(double, divisor);
    QFETCH(double, offset);
    QFETCH(bool, grayscale);
    const Recipe recipe = recipe_of_row(id);
    QCOMPARE(recipe.steps.size(), std::size_t{1});
    QCOMPARE(recipe.steps[0].filter, "convolve");
    const Values& values = recipe.steps[0].values;
    QCOMPARE(values.get<Matrix>("matrix").values, weights);
    double sum = 0;
    for (const double w : weights) sum += w;
    QCOMPARE(values.get<bool>("normalise") ? sum : 1.0, divisor);
    QCOMPARE(values.number("factor"), 1.0);
    QCOMPARE(values.number("offset"), offset);
    QCOMPARE(values.get<bool>("grayscale"), grayscale);
  }

  void names_are_found_as_people_write_them() {
    for (const char* id : {"faded_film", "faded-film", "Faded_Film"}) {
      const Preset* found = built_in().find(id);
      QVERIFY2(found != nullptr && found->id == "faded_film" && found->built_in(), id);
    }
    QVERIFY(built_in().find("no_such_preset") == nullptr);
    QCOMPARE(nearest_name("faded_flim", built_in().ids()), "faded_film");
  }

  void a_users_preset_stands_behind_the_built_in_ones() {
    // The last value tries to colour the terminal.
    write("my_look.json", QByteArray(plain_recipe).chopped(1) +
                              ", \"name\": \"My look\", \"category\": \"Mine\", "
                              "\"summary\": \"Soft.\\u001b[31m\"}");
    write("bare.json", plain_recipe);
    write("notes.txt", "not a preset, and none is expected");
    const Presets presets(folder_);
    QVERIFY(presets.damaged().empty());
    const std::size_t count = built_in().all().size();
    QCOMPARE(presets.all().size(), count + 2);
    const Preset& bare = presets.all()[count];
    QCOMPARE(bare.id, "bare");
    QCOMPARE(bare.name, "bare");
    QCOMPARE(bare.summary, "gaussian");
    QVERIFY(!bare.built_in());
    const Preset& mine = presets.all()[count + 1];
    QCOMPARE(mine.name, "My look");
    QCOMPARE(mine.category, "Mine");
    QCOMPARE(mine.summary, "Soft. [31m");
    QCOMPARE(presets.find("my-look"), &mine);
    QCOMPARE(mine.recipe().steps[0].values.number("sigma"), 3.0);
  }

  void a_users_preset_takes_the_place_of_a_built_in_one() {
    write("sepia.json", plain_recipe);
    const Presets presets(folder_);
    QCOMPARE(presets.all().size(), built_in().all().size());
    QCOMPARE(presets.all().back().id, "sepia");
    const Preset* found = presets.find("sepia");
    QVERIFY(found != nullptr && !found->built_in());
    QCOMPARE(found->recipe().steps[0].filter, "gaussian");
  }

  void damaged_files_are_reported_and_hide_nothing_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("word");
    QTest::newRow("cut short") << QByteArray(R"({"sfumato": 1, "steps": [)") << "line";
    QTest::newRow("empty") << QByteArray() << "cannot be read";
    QTest::newRow("no recipe") << QByteArray("[1, 2]") << "not a Sfumato recipe";
    QTest::newRow("a filter that is none")
        << QByteArray(R"({"sfumato": 1, "steps": [{"filter": "gausian"}]})") << "gaussian";
    QTest::newRow("newer") << QByteArray(R"({"sfumato": 9, "steps": []})") << "update Sfumato";
    QTest::newRow("too large") << QByteArray((8 << 20) + 1, ' ') << "too large";
  }
  void damaged_files_are_reported_and_hide_nothing() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, word);
    write("a_good_one.json", plain_recipe);
    write("sepia.json", bytes);
    write("z_good_one.json", plain_recipe);
    const Presets presets(folder_);
    QCOMPARE(presets.all().size(), built_in().all().size() + 2);
    QVERIFY(presets.find("a_good_one") != nullptr && presets.find("z_good_one") != nullptr);
    QCOMPARE(presets.damaged().size(), std::size_t{1});
    const QString why = QString::fromStdString(in_english(presets.damaged()[0].why));
    QVERIFY2(why.contains("sepia.json") && why.contains(word), qPrintable(why));
    // The built-in preset must not silently replace the user's.
    QVERIFY_THROWS_EXCEPTION(RecipeError, presets.find("sepia"));
  }

  void files_that_cannot_be_presets() {
    fs::create_directories(folder_ / "folder.json");
    write("bad\nname.json", plain_recipe);
    fs::create_symlink(folder_ / "nowhere", folder_ / "broken.json");
    const Presets presets(folder_);
    QCOMPARE(presets.all().size(), built_in().all().size());
    QCOMPARE(presets.damaged().size(), std::size_t{1});
    const QString why = QString::fromStdString(in_english(presets.damaged()[0].why));
    QVERIFY2(why.contains("plain") && !why.contains('\n'), qPrintable(why));
  }

  void pictures_are_looked_for_from_the_presets_folder() {
    write("masked.json", R"({"sfumato": 1, "steps": [
          {"filter": "gaussian", "values": {"mask": {"path": "m.png"}}}]})");
    const Presets presets(folder_);
    const Preset* found = presets.find("masked");
    QVERIFY(found != nullptr);
    QCOMPARE(found->recipe().steps[0].values.get<ImageRef>("mask").path,
             (folder_ / "m.png").string());
  }

  void a_preset_may_wait_for_its_pictures() {  // a host binds them
    write("by_depth.json", R"({"sfumato": 1, "steps": [{"filter": "geometry_blur"}]})");
    QVERIFY(Presets(folder_).find("by_depth") != nullptr);
  }

  void the_users_folder() {
    const QByteArray xdg = qgetenv("XDG_DATA_HOME"), home = qgetenv("HOME");
    qputenv("XDG_DATA_HOME", data_.path().toUtf8());
    QCOMPARE(user_preset_folder(), folder_);
    for (const char* unusable : {"", "relative/folder"}) {
      qputenv("XDG_DATA_HOME", unusable);
      qputenv("HOME", "/home/someone");
      QCOMPARE(user_preset_folder(), fs::path("/home/someone/.local/share/sfumato/presets"));
    }
    qunsetenv("HOME");
    QVERIFY(user_preset_folder().empty());
    xdg.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", xdg);
    home.isNull() ? qunsetenv("HOME") : qputenv("HOME", home);
    QCOMPARE(Presets(folder_ / "missing").all().size(), built_in().all().size());
  }
};

QTEST_GUILESS_MAIN(TestPresets)
#include "test_presets.moc"
