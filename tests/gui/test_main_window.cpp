// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor driven like a user would: open, find a filter, add it, change it, undo, save the
// recipe, export; and clear messages for errors.
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "filters/registry.hpp"
#include "params/parameter_panel.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::Image;
using sfumato::testing::run;
using sfumato::testing::scene;

class TestMainWindow : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

  static void open(MainWindow& window, const QString& file) {
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open_file(file);
    QVERIFY(!opened.isEmpty() || opened.wait(180000));
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    Image picture = scene({120, 90, 3, SampleType::u16, AlphaKind::none, Coding::srgb()});
    auto file = create_picture(path("in.png").toStdString(), {}, picture.format);
    file->write(picture.view());
    file->commit();
  }

  void a_filter_is_found_added_changed_and_undone() {
    MainWindow window;
    open(window, path("in.png"));
    auto* search = window.browser().findChild<QLineEdit*>();
    QTest::keyClicks(search, QStringLiteral("gaussian"));
    QTest::keyClick(search, Qt::Key_Return);
    Document& document = window.document();
    QCOMPARE(document.size(), 1);
    QCOMPARE(document.recipe().steps[0].filter, std::string("gaussian"));
    QCOMPARE(window.parameters().values(), document.recipe().steps[0].values);

    Q_EMIT window.parameters().value_changed("sigma", 3.0, false);
    Q_EMIT window.parameters().value_changed("sigma", 4.0, false);
    Q_EMIT window.parameters().value_changed("sigma", 5.0, true);
    QCOMPARE(document.recipe().steps[0].values.number("sigma"), 5.0);
    document.undo_stack().undo();  // the whole gesture
    QCOMPARE(document.recipe().steps[0].values.number("sigma"),
             defaults(Registry::get().at("gaussian").filter->info().parameters).number("sigma"));
    QCOMPARE(window.parameters().values(), document.recipe().steps[0].values);
    document.undo_stack().undo();
    QCOMPARE(document.size(), 0);
    document.undo_stack().redo();
    document.undo_stack().redo();
    QCOMPARE(document.recipe().steps[0].values.number("sigma"), 5.0);
    document.undo_stack().setClean();
  }

  void a_slider_that_comes_back_is_no_step_of_undo() {
    Document document;
    document.add_step("gaussian");
    document.undo_stack().setClean();
    const double before = document.recipe().steps[0].values.number("sigma");
    document.set_value(0, "sigma", before + 3, false);
    QVERIFY(document.is_modified());
    document.set_value(0, "sigma", before, true);
    QCOMPARE(document.undo_stack().count(), 1);
    QVERIFY(!document.is_modified());
  }

  void steps_are_moved_duplicated_switched_and_removed() {
    Document document;
    for (const char* filter : {"gaussian", "median", "grayscale"}) document.add_step(filter);
    const auto order = [&] {
      QStringList names;
      for (const Step& step : document.recipe().steps) names << QString::fromStdString(step.filter);
      return names.join(QLatin1Char(' '));
    };
    document.move_step(2, 0);
    QCOMPARE(order(), QStringLiteral("grayscale gaussian median"));
    QCOMPARE(document.current(), 0);
    document.duplicate_step(1);
    QCOMPARE(order(), QStringLiteral("grayscale gaussian gaussian median"));
    document.set_enabled(1, false);
    QVERIFY(!document.recipe().steps[1].enabled);
    document.remove_step(1);
    QCOMPARE(order(), QStringLiteral("grayscale gaussian median"));
    while (document.undo_stack().canUndo()) document.undo_stack().undo();
    QCOMPARE(document.size(), 0);
  }

  void what_is_exported_is_what_the_engine_computes() {
    MainWindow window;
    open(window, path("in.png"));
    window.document().add_step("median");
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    window.export_to(path("out.png"), false);
    QVERIFY(finished.wait(180000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    const PicturePtr in = window.document().picture(),
                     out = open_whole(path("out.png").toStdString());
    Image input(in->format());
    input.bytes = in->pixels.bytes;
    Session session;
    Image want = run(session, window.document().recipe(), input, in->format());
    QVERIFY(out->pixels.bytes == want.bytes);

    // Never silently replaces an existing file.
    window.export_to(path("out.png"), false);
    QVERIFY(finished.wait(180000));
    QVERIFY(!finished[1][0].toBool());
    QVERIFY(!finished[1][1].toString().isEmpty());
    window.document().undo_stack().setClean();
  }

  void a_recipe_survives_saving_and_opening() {
    MainWindow window;
    window.document().add_step("bilateral");
    window.document().set_value(0, "sigma", 7.5, true);
    QSignalSpy saved(&window, &MainWindow::recipe_saved);
    window.save_recipe_to(path("mine.json"));
    QVERIFY(saved.wait(180000));
    QCOMPARE(saved[0][0].toString(), QString());
    QVERIFY(!window.document().is_modified());
    MainWindow other;
    open(other, path("mine.json"));
    QCOMPARE(other.document().recipe().steps.at(0).values,
             window.document().recipe().steps.at(0).values);
    QVERIFY(!other.document().is_modified());
  }

  void what_is_wrong_is_said_and_the_document_stays() {
    MainWindow window;
    open(window, path("in.png"));
    window.document().add_step("gaussian");
    for (const auto& [name, bytes] :
         {std::pair("torn.png", QByteArray("\x89PNG\r\n\x1a\nxxxx")),
          {"unknown.json", QByteArray(R"({"sfumato": 1, "steps": [{"filter": "gausian"}]})")},
          {"empty.jpg", QByteArray()}}) {
      QFile file(path(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(bytes);
      file.close();
      QSignalSpy opened(&window, &MainWindow::opened);
      window.open_file(path(name));
      QVERIFY(!opened.isEmpty() || opened.wait(180000));
      QVERIFY2(!opened[0][0].toString().isEmpty(), name);
      QCOMPARE(window.document().size(), 1);
      QVERIFY(window.document().picture());
    }
    window.document().undo_stack().setClean();
  }
};

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
