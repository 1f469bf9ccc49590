// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Saving, renaming and removing the user's presets, without affecting built-in ones.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "engine/user_presets.hpp"
#include "filters/registry.hpp"

using namespace sfumato;

namespace {

namespace fs = std::filesystem;

Recipe blur(double sigma) {
  const FilterInfo& info = Registry::get().at("gaussian").filter->info();
  Values values;
  values.set("sigma", sigma);
  return recipe_of(info, complete(info.parameters, values));
}

template <typename Body>
QString fault_of(Body&& body) {
  try {
    body();
    return {};
  } catch (const RecipeError& e) {
    return QString::fromUtf8(e.what());
  }
}

}  // namespace

class TestUserPresets : public QObject {
  Q_OBJECT

 private slots:
  void titles_make_ids() {
    QCOMPARE(preset_id_of("Soft skin"), std::string("soft_skin"));
    QCOMPARE(preset_id_of("  A/b: 2! "), std::string("a_b_2"));
    QCOMPARE(preset_id_of("../../etc"), std::string("etc"));
    QCOMPARE(preset_id_of("Мягкий свет"), std::string("Мягкий_свет"));
    QCOMPARE(preset_id_of("日本…"), std::string("日本…"));
    QCOMPARE(preset_id_of(" ?! "), std::string("preset"));
    QCOMPARE(preset_id_of("a\xFFz"), std::string("a"));  // no UTF-8
    QCOMPARE(preset_id_of(std::string(59, 'x') + "ü"), std::string(59, 'x'));
    QCOMPARE(preset_id_of(std::string(200, 'x')).size(), std::size_t{60});
  }

  void what_is_saved_is_listed_and_comes_back() {
    const QTemporaryDir dir;
    const fs::path folder = fs::path(dir.path().toStdString()) / "deep" / "presets";
    const fs::path file = save_preset(folder, " My blur ", blur(7.25));
    QCOMPARE(file, folder / "my_blur.json");
    const Presets presets(folder);
    const Preset* mine = presets.find("my-blur");
    QVERIFY(mine != nullptr && !mine->built_in());
    QCOMPARE(mine->name, std::string("My blur"));
    QCOMPARE(mine->recipe().steps.at(0).values.number("sigma"), 7.25);
  }

  void a_title_is_numbered_until_it_is_free() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    QCOMPARE(free_preset_title(folder, " Mine "), std::string("Mine"));
    QCOMPARE(free_preset_title(folder, "Sepia"), std::string("Sepia 2"));  // a built-in one
    save_preset(folder, "Mine", blur(1));
    save_preset(folder, "Mine 2", blur(1));
    QCOMPARE(free_preset_title(folder, "mine"), std::string("mine 3"));
    const std::string longest = std::string(70, 'x');
    save_preset(folder, longest, blur(1));
    QCOMPARE(free_preset_title(folder, longest), std::string(50, 'x') + " 2");
  }

  void a_name_that_is_taken_is_refused_unless_it_is_to_be_replaced() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    save_preset(folder, "Mine", blur(1));
    QVERIFY(fault_of([&] { save_preset(folder, "mine", blur(2)); }).contains("already"));
    QCOMPARE(Presets(folder).find("mine")->recipe().steps[0].values.number("sigma"), 1.0);
    save_preset(folder, "Mine", blur(2), true);
    QCOMPARE(Presets(folder).find("mine")->recipe().steps[0].values.number("sigma"), 2.0);
    // A built-in preset is only replaced knowingly.
    QVERIFY(fault_of([&] { save_preset(folder, "Sepia", blur(2)); }).contains("already"));
    QVERIFY(fault_of([&] { save_preset(folder, "   ", blur(2)); }).contains("name"));
  }

  void the_system_says_why_it_cannot_be_saved() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    std::ofstream(folder / "file") << "no folder";
    const QString fault = fault_of([&] { save_preset(folder / "file", "Mine", blur(1)); });
    QVERIFY2(fault.contains("mine.json") && fault.contains("(Not a directory)"), qPrintable(fault));
  }

  void what_is_being_written_is_no_preset() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    save_preset(folder, "Mine", blur(1));
    std::ofstream(folder / ".other.sfumato-1-2.json") << "half";
    const Presets presets(folder);
    QVERIFY(presets.find("mine") != nullptr && presets.damaged().empty());
  }

  void renamed_presets_leave_no_twin() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    save_preset(folder, "One", blur(3));
    save_preset(folder, "Two", blur(4));
    const Preset one = *Presets(folder).find("one");
    QVERIFY(fault_of([&] { rename_preset(one, "Two"); }).contains("already"));
    QVERIFY(Presets(folder).find("one") != nullptr);
    rename_preset(one, "Three");
    const Presets now(folder);
    QVERIFY(now.find("one") == nullptr);
    QCOMPARE(now.find("three")->name, std::string("Three"));
    QCOMPARE(now.find("three")->recipe().steps[0].values.number("sigma"), 3.0);
    rename_preset(*now.find("three"), "THREE");  // the same id in another spelling
    QCOMPARE(Presets(folder).find("three")->name, std::string("THREE"));
    remove_preset(*Presets(folder).find("three"));
    QVERIFY(Presets(folder).find("three") == nullptr);
  }

  void built_in_presets_stay() {
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    const Preset sepia = *Presets(folder).find("sepia");
    QVERIFY(fault_of([&] { remove_preset(sepia); }).contains("built in"));
    QVERIFY(fault_of([&] { rename_preset(sepia, "Brown"); }).contains("built in"));
  }

  void a_folder_that_takes_no_files_is_reported() {
    const QTemporaryDir dir;
    const fs::path blocked = fs::path(dir.path().toStdString()) / "file";
    QFile(QString::fromStdString(blocked.string())).open(QIODevice::WriteOnly);
    QVERIFY(fault_of([&] { save_preset(blocked, "Mine", blur(1)); }).contains("cannot write"));
  }
};

QTEST_GUILESS_MAIN(TestUserPresets)
#include "test_user_presets.moc"
