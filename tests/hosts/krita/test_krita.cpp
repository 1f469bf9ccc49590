// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Krita runs the extension as `sfumato_test` directs: the session's pixels on a new layer, in every
// depth, through selections; and documents that stay unchanged if it fails.
#include <QColorSpace>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QProcess>
#include <QTest>
#include <filesystem>
#include <map>
#include <random>

#include "hosts/krita/krita_plan.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestKrita : public QObject, private KritaPlan {
  Q_OBJECT

 private:
  void compare(const QString& name) {
    Image& input = inputs_.at(name);
    compare(name, run(session_, recipes_[name], input, input.format), name_of(recipes_[name]));
  }
  void compare(const QString& name, Image want, const QString& layer) {
    const QJsonObject& one = results_[name];
    QVERIFY2(!one.contains(QStringLiteral("fault")) && one.contains(QStringLiteral("layer")),
             qPrintable(name + QLatin1Char(' ') + QJsonDocument(one).toJson() + said_));
    QVERIFY2(one[QStringLiteral("intact")].toBool() && one[QStringLiteral("above")].toBool(),
             qPrintable(name));
    QVERIFY2(one[QStringLiteral("active")].toBool(true), qPrintable(name));  // told if it is shown
    QCOMPARE(one[QStringLiteral("layer")].toString(), layer);
    Image got = result(name);
    QVERIFY(got.format.type == want.format.type && got.format.coding == want.format.coding);
    QCOMPARE(got.format.width, want.format.width);
    const double far = distance(got, want);
    QVERIFY2(far <= (is_integer(got.format.type) ? 1.01 : 1e-4),
             qPrintable(name + QStringLiteral(": %1").arg(far)));
  }

#ifdef SFUMATO_PROGRAM
  // The command line's result for files with the same pixels.
  Image by_command_line(const QString& name) {
    const auto file = [this](const std::string& stem, Image image) {
      const std::filesystem::path to =
          path(QString::fromStdString(stem) + QStringLiteral(".exr")).toStdString();
      if (std::filesystem::exists(to)) return to;
      const auto out = create_picture(to, {}, image.format);
      out->write(image.view());
      out->commit();
      return to;
    };
    Recipe recipe = recipes_[name];
    for (Step& step : recipe.steps) {
      for (const auto& [role, image] : roles_) {
        const auto* bound = step.values.find(role);
        if (bound == nullptr || !std::get<ImageRef>(*bound).bound()) continue;
        step.values.set(role, ImageRef{file("file_" + role, image).string(), {}});
      }
    }
    QFile text(path(name + QStringLiteral(".json")));
    if (text.open(QFile::WriteOnly)) {
      text.write(QByteArray::fromStdString(print_recipe(recipe, Registry::get())));
      text.close();
    }
    const QString out = path(name + QStringLiteral(".out.exr"));
    QProcess program;
    program.start(
        QStringLiteral(SFUMATO_PROGRAM),
        {QStringLiteral("apply"), text.fileName(),
         QString::fromStdString(file("in_" + name.toStdString(), inputs_.at(name))), out});
    program.waitForFinished(120000);
    const auto picture = open_picture(out.toStdString(), {});
    Image made(picture->format());
    picture->read(made.format.rect(), made.bytes.data(), made.view().row_stride);
    return made;
  }
#endif

 private slots:
  // One start of Krita for all.
  void initTestCase() {
    add_pixels();
    add_selections();
    add_roles();
    add_refusals();
    add_repeats();
    add_changes();
    add_embedded_profile();
    add_kills();
    if (QTest::currentTestFailed()) return;
    run_krita();
  }

  void the_sessions_pixels_on_a_new_layer() {
    std::size_t compared = 0;
    for (const auto& [name, input] : inputs_) {
      const auto is = [&name = name](const char* first) {
        return name.startsWith(QLatin1String(first));
      };
      if (is("killed") || is("selection") || is("role_") || is("repeat_") || is("unselected") ||
          is("german") || is("changed"))
        continue;
      compare(name);
      if (QTest::currentTestFailed()) return;
      ++compared;
    }
    QVERIFY(compared > Registry::get().all().size());
  }

  // Every role of every filter, and several steps, compared with the command line.
  void other_layers_play_roles() {
#ifndef SFUMATO_PROGRAM
    QSKIP("built without the command line");
#else
    int compared = 0;
    for (const auto& [name, input] : inputs_) {
      if (!name.startsWith(QLatin1String("role_"))) continue;
      compare(name, by_command_line(name), name_of(recipes_[name]));
      if (QTest::currentTestFailed()) return;
      ++compared;
    }
    QVERIFY(compared > 4);
    for (const char* role : {"normal", "depth", "guide", "kernel", "mask"}) {
      QVERIFY2(roles_.contains(role), role);
    }
#endif
  }

  void layers_that_are_not_there() {
    const QJsonObject& english = results_[QStringLiteral("no_such_layer_en")];
    const QString said = english[QStringLiteral("message")].toString();
    QVERIFY2(said.startsWith(QStringLiteral("There is no layer called \"Role \"")),
             qPrintable(said));
    QVERIFY(english[QStringLiteral("intact")].toBool());
  }

  void in_kritas_language() {
    QCOMPARE(results_[QStringLiteral("locked_german")][QStringLiteral("message")].toString(),
             QStringLiteral("Die Ebene ist gesperrt: Zum Filtern bitte entsperren."));
#ifdef SFUMATO_TRANSLATED
    const QString said =
        results_[QStringLiteral("no_such_layer_de")][QStringLiteral("message")].toString();
    QVERIFY2(said.startsWith(QStringLiteral("Es gibt keine Ebene „Role \"")), qPrintable(said));
    Image& input = inputs_.at(QStringLiteral("german"));
    compare(QStringLiteral("german"),
            run(session_, recipes_[QStringLiteral("german")], input, input.format),
            QStringLiteral("Gaußscher Weichzeichner"));
#endif
  }

  void the_last_filter_is_repeated() {
    compare(QStringLiteral("repeat"));
    const std::pair<const char*, const char*> expected[] = {
        {"repeat_nothing", "There is no Sfumato filter to repeat yet."},
        {"repeat_locked", "The layer is locked: unlock it to filter it."}};
    for (const auto& [name, sentence] : expected) {
      const QJsonObject& one = results_[QLatin1String(name)];
      QCOMPARE(one[QStringLiteral("message")].toString(), QLatin1String(sentence));
      QVERIFY(one[QStringLiteral("intact")].toBool());
    }
    QVERIFY(results_[QStringLiteral("repeat")][QStringLiteral("before_krita")].toBool());
  }

  void selections_are_respected_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"selection", "selection_local", "selection_local_too"}) {
      QTest::newRow(name) << name;
    }
  }
  void selections_are_respected() {
    QFETCH(QString, name);
    QVERIFY2(results_[name].contains(QStringLiteral("layer")),
             QJsonDocument(results_[name]).toJson().constData());
    Image& input = inputs_.at(name);
    Image got = seen(name, "after"), all = run(session_, recipes_[name], input, input.format);
    int mixed = 0;
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const bool within = x > 10 && x < 30 && y >= 9 && y < 21;
        for (int c = 0; c < 3; ++c) {
          const float a = input.get(x, y, c), b = all.get(x, y, c), v = got.get(x, y, c);
          if (!within) {
            QCOMPARE(v, a);
            continue;
          }
          QVERIFY(v >= std::min(a, b) - 1.1f / 255 && v <= std::max(a, b) + 1.1f / 255);
          mixed += std::abs(v - a) > 3.0f / 255 && std::abs(v - b) > 3.0f / 255 ? 1 : 0;
        }
      }
    }
    QVERIFY(mixed > 30);
  }

  // Whatever the layer's blending mode, the new one is invisible outside the selection.
  void pictures_stay_beside_the_selection_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"selection", "selection_alpha", "selection_multiply",
                             "selection_opacity", "selection_local", "masked"}) {
      QTest::newRow(name) << name;
    }
  }
  void pictures_stay_beside_the_selection() {
    QFETCH(QString, name);
    QVERIFY2(results_[name].contains(QStringLiteral("layer")),
             QJsonDocument(results_[name]).toJson().constData());
    Image before = seen(name, "before"), after = seen(name, "after");
    int changed = 0;
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const bool within = x > 10 && x < 30 && y >= 9 && y < 21;
        for (int c = 0; c < 4; ++c) {
          if (!within) QCOMPARE(after.get(x, y, c), before.get(x, y, c));
          changed += after.get(x, y, c) != before.get(x, y, c) ? 1 : 0;
        }
      }
    }
    QVERIFY(changed > 100);
  }

  void masks_that_do_not_select() {
    compare(QStringLiteral("unselected_local"));
  }

  // Everything set on the new layer, and its masks: one undo step.
  void one_step_undoes_it() {
    const QJsonObject& one = results_[QStringLiteral("undone")];
    const QByteArray all = QJsonDocument(one).toJson();
    QVERIFY2(one[QStringLiteral("intact")].toBool(), all.constData());
    QVERIFY2(one[QStringLiteral("active")].toBool(), all.constData());
    QVERIFY2(one[QStringLiteral("undone")].toBool(), all.constData());
    const QJsonArray steps = one[QStringLiteral("undo_texts")].toArray();
    QVERIFY2(steps.size() == 3 && steps[0] == steps[2] && steps[0] != steps[1], all.constData());
    QVERIFY2(one[QStringLiteral("masks")] == QJsonArray{QStringLiteral("transparencymask")},
             all.constData());
  }

  void refusals_leave_the_document() {
    const std::pair<const char*, const char*> expected[] = {
        {"group", "A group layer has no pixels of its own to filter: choose a paint layer."},
        {"locked", "The layer is locked: unlock it to filter it."},
        {"in_locked_group", "The layer is locked: unlock it to filter it."},
        {"cmyk", "CMYK pixels cannot be filtered: convert the layer to RGB or gray."},
        {"lab", "Lab pixels cannot be filtered: convert the layer to RGB or gray."},
        {"empty_selection", "The selection is empty: there is nothing to filter."}};
    for (const auto& [name, sentence] : expected) {
      const QJsonObject& one = results_[QLatin1String(name)];
      QCOMPARE(one[QStringLiteral("message")].toString(), QLatin1String(sentence));
      QVERIFY2(one[QStringLiteral("intact")].toBool(), name);
    }
  }

  void what_changes_meanwhile_harms_nothing() {
    const QString converted = QStringLiteral("changed_convert");
    QVERIFY2(results_[converted].contains(QStringLiteral("layer")),
             QJsonDocument(results_[converted]).toJson().constData());
    Image& input = inputs_.at(converted);
    Image got = result(converted), want = run(session_, recipes_[converted], input, input.format);
    QVERIFY(got.format.type == SampleType::u8 && distance(got, want) <= 1.01);
    for (const char* name : {"changed_crop", "changed_scale"}) {
      const QJsonObject& one = results_[QLatin1String(name)];
      QVERIFY2(one[QStringLiteral("message")].toString().contains(QStringLiteral("has changed")),
               QJsonDocument(one).toJson().constData());
      QVERIFY(!one.contains(QStringLiteral("layer")));
    }
    const QJsonObject& closed = results_[QStringLiteral("changed_close")];
    QVERIFY2(closed[QStringLiteral("message")].toString().contains(
                 QStringLiteral("the document was closed")),
             QJsonDocument(closed).toJson().constData());
    const QJsonObject& full = results_[QStringLiteral("changed_full")];
    QVERIFY2(full[QStringLiteral("message")].toString().startsWith(
                 QStringLiteral("The layer cannot be handed over: ")),
             QJsonDocument(full).toJson().constData());
    QVERIFY(full[QStringLiteral("intact")].toBool() && !full[QStringLiteral("left")].toBool(true));
  }

  // Leftover folders, wrong lines and results, a full disk: see checks.py.
  void checks_within_krita() {
    const QJsonObject& one = results_[QStringLiteral("changed_checks")];
    const QJsonValue amiss = one[QStringLiteral("amiss")];
    QVERIFY2(
        amiss.isObject() && amiss.toObject().isEmpty() && one[QStringLiteral("intact")].toBool(),
        QJsonDocument(one).toJson().constData());
  }

#ifdef SFUMATO_PROGRAM
  void a_profile_that_came_with_the_picture() {
    const QString name = QStringLiteral("embedded");
    QVERIFY2(results_[name].contains(QStringLiteral("layer")),
             QJsonDocument(results_[name]).toJson().constData());
    Image got = result(name);
    QVERIFY(got.format.coding.curve == Coding::Curve::gamma);
    QProcess program;
    program.start(
        QStringLiteral(SFUMATO_PROGRAM),
        {QStringLiteral("gaussian"), path(QStringLiteral("embedded.png")),
         path(QStringLiteral("embedded.out.png")), QStringLiteral("--sigma"), QStringLiteral("4")});
    program.waitForFinished(120000);
    const auto picture = open_picture(path(QStringLiteral("embedded.out.png")).toStdString(), {});
    Image made(picture->format());
    picture->read(made.format.rect(), made.bytes.data(), made.view().row_stride);
    float most = 0;
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 64; ++x) {
        for (int c = 0; c < 3; ++c) {
          most = std::max(most, std::abs(got.get(x, y, c) - made.get(x, y, c)) * 255);
        }
      }
    }
    QVERIFY2(most <= 1.01f, qPrintable(QString::number(most)));
  }
#endif

  // A kill hits if the user is told of the worker's loss, or if no layer appears.
  void killed_at_any_moment() {
    int kills = 0, hits = 0;
    for (const auto& [name, one] : results_) {
      if (!name.startsWith(QLatin1String("killed"))) continue;
      ++kills;
      const QString said = one[QStringLiteral("message")].toString();
      QVERIFY2(one[QStringLiteral("intact")].toBool(), QJsonDocument(one).toJson().constData());
      if (one.contains(QStringLiteral("layer"))) {
        hits += said.contains(QStringLiteral("is lost")) ? 1 : 0;
        compare(name);
        if (QTest::currentTestFailed()) return;
      } else {
        ++hits;
        QVERIFY(name.contains(QLatin1String("dialog")));
        QVERIFY(!said.isEmpty());
      }
    }
    qInfo("%d of %d kills hit a program at work", hits, kills);
    QVERIFY2(hits > 0 && 4 * hits >= kills, qPrintable(QString::number(hits)));
  }
};

QTEST_GUILESS_MAIN(TestKrita)
#include "test_krita.moc"
