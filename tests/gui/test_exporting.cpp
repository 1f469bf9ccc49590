// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Nothing is lost: an export's questions, its output, and its leftovers when it ends early.
#include <sys/resource.h>

#include <QDir>
#include <QLabel>
#include <QMessageBox>
#include <QModelIndex>
#include <QProcess>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>
#include <csignal>

#include "app/export_dialog.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "gui/dialog_driver.hpp"
#include "gui/saving_files.hpp"
#include "params/parameter_panel.hpp"
#include "preview/reduced_picture.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

namespace {

// A filter that takes many seconds on large.png.
const std::vector<std::pair<std::string, std::string>> slow_values = {{"sigma", "60"},
                                                                      {"method", "exact"}};

QAction* export_action(const MainWindow& window) {
  for (QAction* one : window.findChildren<QAction*>()) {
    if (one->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_E))) return one;
  }
  return nullptr;
}

}  // namespace

class TestExporting : public SavingFiles {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void init() { begin(); }

  void an_original_that_has_changed_is_not_exported() {
    MainWindow window;
    open(window, "in.png");
    window.document().add_step("median");
    make("in.png", 5);
    QVERIFY(exported(window, "out.png").contains(QStringLiteral("in.png")));
    QVERIFY(!names().contains(QStringLiteral("out.png")));
    QVERIFY(window.messages().question().contains(QStringLiteral("changed")));
    QSignalSpy opened(&window, &MainWindow::opened);
    QVERIFY(press(window.messages(), QStringLiteral("Open again")));
    QVERIFY(opened.wait(180000));
    QCOMPARE(exported(window, "out.png"), QString());
    window.document().undo_stack().setClean();
  }

  void an_original_that_is_replaced_is_opened_again() {
    MainWindow window;
    open(window, "in.png");
    window.document().add_step("median");
    const PicturePtr before = window.document().picture();
    QCOMPARE(exported(window, "copy.png"), QString());
    QCOMPARE(window.document().picture(), before);
    QSignalSpy opened(&window, &MainWindow::opened);
    QCOMPARE(exported(window, "in.png", true), QString());
    QVERIFY(!opened.isEmpty() || opened.wait(180000));
    const PicturePtr now = window.document().picture();
    QVERIFY(now->pixels.bytes == open_whole(path("copy.png").toStdString())->pixels.bytes);
    QVERIFY(window.messages().question().contains(QStringLiteral("once more")));
    QVERIFY(press(window.messages(), QStringLiteral("Clear the steps")));
    QCOMPARE(window.document().size(), 0);
    window.document().undo_stack().undo();
    QCOMPARE(window.document().size(), 1);
    // What the window shows is exported, the second time too.
    QCOMPARE(exported(window, "twice.png"), QString());
    window.document().undo_stack().setClean();
  }

  void the_export_dialog_asks_and_names_the_original() {
    const PicturePtr picture = open_whole(path("in.png").toStdString());
    make("other.png");
    for (const auto& [name, original] : {std::pair("in.png", true), {"other.png", false}}) {
      ExportDialog dialog(*picture, path("new.png"));
      dialog.set_path(folder_->path() + QStringLiteral("/./") + QLatin1String(name));
      dialog.show();
      QString said;
      bool calm = false;
      const auto look = [&](QWidget& modal) {
        auto* box = qobject_cast<QMessageBox*>(&modal);
        if (box == nullptr) return;
        said = box->text();
        calm = box->defaultButton() == box->button(QMessageBox::No);
        box->button(QMessageBox::No)->click();
      };
      {
        Answers answers({look});
        dialog.accept();
        QCOMPARE(answers.given(), 1u);
      }
      QVERIFY(calm && dialog.isVisible());
      QVERIFY(said.contains(QLatin1String(name)));
      QCOMPARE(said.contains(QStringLiteral("original")), original);
      Answers answers({with(QMessageBox::Yes)});
      dialog.accept();
      QCOMPARE(dialog.result(), int(QDialog::Accepted));
      QVERIFY(dialog.options().overwrite);
    }
    ExportDialog dialog(*picture, path("new.xyz"));
    const auto labels = dialog.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->text().contains(QStringLiteral("“.xyz”"));
    }));
  }

  void a_bare_name_lies_where_the_suggested_one_does() {
    const PicturePtr picture = open_whole(path("in.png").toStdString());
    ExportDialog dialog(*picture, path("deep/new.png"));
    for (const auto& [typed, want] :
         {std::pair(QStringLiteral("bare.jpg"), path("deep/bare.jpg")),
          {QStringLiteral("../up.jpg"), path("up.jpg")},
          {QStringLiteral("~/x.jpg"), QDir::homePath() + QStringLiteral("/x.jpg")},
          {path("in.png"), path("in.png")}}) {
      dialog.set_path(typed);
      QCOMPARE(dialog.path(), want);
    }
    // Even if the name is that of an existing file.
    make("there.png");
    ExportDialog beside(*picture, path("new.png"));
    beside.set_path(QStringLiteral("there.png"));
    Answers answers({with(QMessageBox::No)});
    beside.accept();
    QCOMPARE(answers.given(), 1u);
  }

  void the_choices_of_an_export_are_kept_for_the_next() {
    MainWindow window;
    window.show();
    open(window, "in.png");
    QAction* action = nullptr;
    for (QAction* one : window.findChildren<QAction*>()) {
      if (one->shortcut() == QKeySequence(QStringLiteral("Ctrl+E"))) action = one;
    }
    QVERIFY(action != nullptr);
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    {
      Answers answers({[&](QWidget& modal) {
        auto& dialog = dynamic_cast<ExportDialog&>(modal);
        dialog.set_path(path("first.jpg"));
        dialog.findChild<QSpinBox*>()->setValue(71);
        dialog.accept();
      }});
      action->trigger();
      QCOMPARE(answers.given(), 1u);
    }
    QVERIFY(!finished.isEmpty() || finished.wait(180000));
    QVERIFY(window.messages().text().contains(QStringLiteral("first.jpg")));
    int quality = 0;
    QString suggested;
    Answers answers({[&](QWidget& modal) {
      auto& dialog = dynamic_cast<ExportDialog&>(modal);
      quality = dialog.options().quality;
      suggested = dialog.path();
      dialog.reject();
    }});
    action->trigger();
    QCOMPARE(quality, 71);
    QVERIFY2(suggested.endsWith(QStringLiteral(".jpg")), qPrintable(suggested));
  }

  void what_is_still_being_typed_is_exported_and_asked_about() {
    MainWindow window;
    window.show();
    open(window, "in.png");
    window.document().add_step("convolve");
    auto* table = window.parameters().findChild<QTableView*>();
    QVERIFY(table != nullptr);
    const auto type = [&](const char* number) {
      window.activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(&window));
      table->setFocus();
      const QModelIndex cell = table->model()->index(0, 0);
      table->setCurrentIndex(cell);
      table->edit(cell);
      QVERIFY(table->isAncestorOf(QApplication::focusWidget()));
      QTest::keyClicks(QApplication::focusWidget(), QLatin1String(number));
    };
    type("0.25");
    const Recipe before = window.document().recipe();
    QAction* action = export_action(window);
    QVERIFY(action != nullptr);
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    QString made;
    Answers answers({[&](QWidget& modal) {
                       auto& dialog = dynamic_cast<ExportDialog&>(modal);
                       made = dialog.path();
                       dialog.accept();
                     },
                     [&](QWidget& modal) {
                       auto& box = dynamic_cast<QMessageBox&>(modal);
                       box.button(QMessageBox::Cancel)->click();
                     }});
    action->trigger();
    QVERIFY(!finished.isEmpty() || finished.wait(180000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QVERIFY(!(window.document().recipe() == before));
    const QImage in(folder_->filePath(QStringLiteral("in.png"))), out(made);
    QVERIFY(qGray(out.pixel(120, 80)) < qGray(in.pixel(120, 80)));
    // Closing commits first, and then asks.
    window.document().undo_stack().setClean();
    type("0.5");
    QVERIFY(!window.document().is_modified());
    QVERIFY(!window.close());
    QCOMPARE(answers.given(), 2u);
    QVERIFY(window.document().is_modified());
    window.document().undo_stack().setClean();
  }

  void another_picture_that_comes_while_the_dialog_is_open_is_not_exported() {
    make("wide.png", 2, 300, 100);
    MainWindow window;
    window.show();
    open(window, "in.png");
    QAction* action = export_action(window);
    QVERIFY(action != nullptr);
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    Answers answers({[&](QWidget& modal) {
      auto& dialog = dynamic_cast<ExportDialog&>(modal);
      open(window, "wide.png");
      QCOMPARE(window.document().picture()->format().width, 300);
      dialog.accept();
    }});
    action->trigger();
    QVERIFY(!finished.isEmpty() || finished.wait(180000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QStringList made = names();
    for (const char* name : {"in.png", "wide.png"}) made.removeAll(QLatin1String(name));
    QCOMPARE(made.size(), 1);
    const PicturePtr out = open_whole(folder_->filePath(made[0]).toStdString());
    QCOMPARE(out->format().width, 240);
  }

  void an_export_is_cancelled_by_its_button_data() {
    QTest::addColumn<QString>("device");
    QTest::newRow("any device") << QString();
    QTest::newRow("reference") << QStringLiteral("reference");
  }

  void an_export_is_cancelled_by_its_button() {
    QFETCH(const QString, device);
    make("large.png", 1, 1600, 1200);
    Settings settings;
    settings.device = device;
    MainWindow window(settings);
    window.show();
    open(window, "large.png");
    window.document().replace_recipe(one_step("bilateral", slow_values), {});
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    window.export_to(path("out.png"), false);
    QTest::qWait(200);
    QVERIFY(window.exporter().is_running());
    for (QToolButton* button : window.findChildren<QToolButton*>()) {
      if (button->text() == QStringLiteral("Cancel")) button->click();
    }
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 180000);
    QVERIFY(!finished[0][0].toBool());
    QCOMPARE(finished[0][1].toString(), QString());
    QVERIFY(window.messages().text().contains(QStringLiteral("cancelled")));
    QCOMPARE(names(), QStringList({QStringLiteral("in.png"), QStringLiteral("large.png")}));
    window.document().undo_stack().setClean();
  }

  // By the reference, which may take a minute per row: cancelling is checked more often, and rows
  // that are cut have the same pixels.
  void a_row_that_takes_long_can_be_left() {
    SessionOptions on;
    on.device = "reference";
    Session session(on);
    Image wide = scene({6000, 2, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    int asked = 0;
    RenderOptions options;
    options.progress = [&](double) { return ++asked < 12; };
    QVERIFY_THROWS_EXCEPTION(
        Cancelled, run(session, one_step("bilateral", slow_values), wide, wide.format, options));

    const Recipe recipe = one_step("bilateral", {{"sigma", "12"}, {"method", "exact"}});
    Image picture = scene({500, 4, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    PictureFormat floats = picture.format;
    floats.type = SampleType::f32;
    Image cut = run(session, recipe, picture, floats);
    for (const int x : {0, 250}) {
      options = {};
      options.region = {x, 0, x + 250, 4};
      Image part(region_format(floats, options.region));
      HostView view = part.view();
      view.region = options.region;
      MemorySource source(picture.format, picture.view());
      MemorySink sink(floats, view);
      session.render(recipe, source, sink, options);
      for (int i = 0; i < 250 * 4 * 3; ++i) {
        QCOMPARE(part.get(i / 3 % 250, i / 750, i % 3), cut.get(x + i / 3 % 250, i / 750, i % 3));
      }
    }
  }

  void closing_while_exporting_asks_first() {
    make("large.png", 1, 1600, 1200);
    MainWindow window;
    window.show();
    open(window, "large.png");
    window.document().replace_recipe(one_step("bilateral", slow_values), {});
    window.document().undo_stack().setClean();
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    window.export_to(path("out.png"), false);
    QVERIFY(!window.close());
    QVERIFY(window.messages().question().contains(QStringLiteral("out.png")));
    QVERIFY(press(window.messages(), QStringLiteral("Go on exporting")));
    QVERIFY(window.isVisible() && window.exporter().is_running());
    QVERIFY(!window.close());
    QVERIFY(press(window.messages(), QStringLiteral("Stop and close")));
    QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 180000);
    QCOMPARE(finished.size(), 1);
    QCOMPARE(names(), QStringList({QStringLiteral("in.png"), QStringLiteral("large.png")}));
  }

  void a_disk_that_fills_up_is_said_and_the_document_stays() {
    make("big.png", 3);
    Settings settings;
    settings.device = QStringLiteral("reference");  // drivers write files too
    MainWindow window(settings);
    open(window, "big.png");
    window.document().add_step("gaussian");
    std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit old {};
    ::getrlimit(RLIMIT_FSIZE, &old);
    struct rlimit limit = old;
    limit.rlim_cur = 20000;  // the picture has 260 kB
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const QString fault = exported(window, "out.tif");
    ::setrlimit(RLIMIT_FSIZE, &old);
    QVERIFY2(fault.contains(QStringLiteral("out.tif")), qPrintable(fault));
    QVERIFY(window.messages().text().contains(QStringLiteral("out.tif")));
    QCOMPARE(names(), QStringList({QStringLiteral("big.png"), QStringLiteral("in.png")}));
    QCOMPARE(window.document().size(), 1);
    QCOMPARE(exported(window, "out.tif"), QString());
    window.document().undo_stack().setClean();
  }

  void what_is_exported_is_what_the_program_writes() {
#ifdef SFUMATO_PROGRAM
    MainWindow window;
    open(window, "in.png");
    window.document().add_step("gaussian");
    window.document().add_step("levels");
    window.document().set_value(1, "gamma", 1.7, true);
    QSignalSpy saved(&window, &MainWindow::recipe_saved);
    window.save_recipe_to(path("recipe.json"));
    QVERIFY(saved.wait(180000));
    for (const char* suffix : {"png", "tif", "jpg", "exr"}) {
      const QByteArray ours = QByteArray("ours.") + suffix, theirs = QByteArray("theirs.") + suffix;
      QCOMPARE(exported(window, ours.constData()), QString());
      const int code = QProcess::execute(
          QStringLiteral(SFUMATO_PROGRAM),
          {QStringLiteral("apply"), path("recipe.json"), path("in.png"), path(theirs.constData())});
      QCOMPARE(code, 0);
      // TIFF and OpenEXR contain the time of writing.
      const auto pixels = [&](const QByteArray& name) {
        return open_whole(path(name.constData()).toStdString())->pixels.bytes;
      };
      if (QByteArray(suffix) == "tif" || QByteArray(suffix) == "exr") {
        QVERIFY(pixels(ours) == pixels(theirs));
      } else {
        QVERIFY2(bytes(ours.constData()) == bytes(theirs.constData()), suffix);
      }
    }
#else
    QSKIP("built without the program");
#endif
  }
};

QTEST_MAIN(TestExporting)
#include "test_exporting.moc"
