// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The window of comparisons: what it offers, its results, and what a click does.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "compare/compare_window.hpp"
#include "filters/registry.hpp"
#include "gui/opened.hpp"
#include "gui/opened_files.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

class TestCompareWindow : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<MainWindow> window_;

  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }

  // The comparison of the present step, ready to start.
  CompareWindow& comparison(const char* filter) {
    window_->document().add_step(filter);
    CompareWindow& compare = window_->comparison();
    compare.set_up(window_->document().picture(), window_->document().recipe(),
                   window_->document().current(), Presets({}).all(), reference());
    return compare;
  }
  static SessionOptions reference() {
    SessionOptions options;
    options.device = "reference";
    return options;
  }
  static void run(CompareWindow& compare) {
    QSignalSpy ended(&compare, &CompareWindow::ended);
    compare.start();
    QVERIFY2(compare.is_running() || !ended.isEmpty(), "nothing was started");
    QVERIFY(!ended.isEmpty() || ended.wait(180000));
  }
  QByteArray bytes_of(const char* name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static QStringList said(const CompareWindow& compare) {
    QStringList texts;
    for (const QLabel* label : compare.findChildren<QLabel*>()) texts << label->text();
    return texts;
  }

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    window_ = std::make_unique<MainWindow>();
    write_picture(path("in.png"), scene(rgb8(90, 60)));
    QCOMPARE(opened(*window_, path("in.png")), QString());
  }
  void cleanup() {
    window_->document().undo_stack().setClean();
    window_.reset();
  }

  void a_parameter_is_varied_and_a_result_taken() {
    CompareWindow& compare = comparison("gaussian");
    compare.first().choose(QStringLiteral("sigma"));
    QVERIFY(!compare.first().values().isEmpty());
    compare.first().set_values(QStringLiteral("1, 2,4"));
    run(compare);
    QCOMPARE(compare.tiles().size(), 3u);
    for (const QToolButton* tile : compare.tiles()) {
      QVERIFY(tile->isEnabled() && !tile->icon().isNull());
      QVERIFY(tile->text().contains(QStringLiteral("s")));
    }
    QVERIFY(said(compare).contains(QStringLiteral("Sigma 4")));
    compare.tiles()[2]->click();
    QCOMPARE(window_->document().current_step()->values.get<double>("sigma"), 4.0);
    window_->document().undo_stack().undo();
    QVERIFY(window_->document().current_step()->values.get<double>("sigma") != 4.0);
  }

  void two_of_them_make_a_grid_with_the_original() {
    CompareWindow& compare = comparison("gaussian");
    compare.first().choose(QStringLiteral("method"));
    compare.first().set_values(QStringLiteral("fft, separable, boxes"));
    compare.second().choose(QStringLiteral("sigma"));
    compare.second().set_values(QStringLiteral("1, 3"));
    compare.original().setChecked(true);
    run(compare);
    QCOMPARE(compare.findChild<MessageBar*>()->text(), QString());
    QCOMPARE(compare.tiles().size(), 7u);
    // Methods are compared with the first one.
    QVERIFY(compare.tiles()[3]->text().contains(QStringLiteral("dB")));
    QVERIFY(!compare.tiles()[1]->text().contains(QStringLiteral("dB")));
    QVERIFY(compare.tiles()[0]->text().isEmpty());
    compare.tiles()[0]->click();
    QCOMPARE(window_->document().size(), 0);
  }

  // With the original where it is shown, or with any other; the tiles show the differences.
  void differences_are_from_what_is_chosen() {
    CompareWindow& compare = comparison("gaussian");
    compare.first().choose(QStringLiteral("sigma"));
    compare.first().set_values(QStringLiteral("1, 3"));
    const auto may_show_differences = [&compare] {
      const QModelIndex item = compare.shown().model()->index(2, 0);
      return compare.shown().model()->flags(item).testFlag(Qt::ItemIsEnabled);
    };
    run(compare);
    QVERIFY(!may_show_differences());
    compare.original().setChecked(true);
    QCOMPARE(compare.against().currentText(), QStringLiteral("Original"));
    run(compare);
    QVERIFY(may_show_differences());
    QVERIFY(compare.tiles()[1]->text().contains(QStringLiteral("dB")));
    QVERIFY(compare.tiles()[2]->text().contains(QStringLiteral("dB")));
    const auto shown = [&compare] { return compare.tiles()[2]->icon().pixmap(480).toImage(); };
    const QImage whole = shown();
    compare.shown().setCurrentIndex(2);
    QVERIFY(shown() != whole);
    compare.against().setCurrentIndex(compare.against().findText(QStringLiteral("Sigma 3")));
    run(compare);
    QVERIFY(compare.tiles()[0]->text().contains(QStringLiteral("dB")));
    QVERIFY(!compare.tiles()[2]->text().contains(QStringLiteral("dB")));
    // Without differences, whole pictures are shown again.
    compare.against().setCurrentIndex(0);
    run(compare);
    QCOMPARE(compare.shown().currentIndex(), 0);
  }

  // Where a comma stands before decimals, semicolons lie between numbers.
  void numbers_are_written_as_the_language_does() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    CompareWindow& compare = comparison("gaussian");
    compare.first().choose(QStringLiteral("sigma"));
    QVERIFY(compare.first().values().contains(QLatin1Char(';')));
    QVERIFY(!compare.first().values().contains(QLatin1Char('.')));
    const auto numbers = [&compare](const char* values) {
      compare.first().set_values(QLatin1String(values));
      std::vector<double> out;
      const auto axis = compare.first().axis();
      for (const auto& setting : axis->settings) out.push_back(*setting.number);
      return out;
    };
    QCOMPARE(numbers("0,5; 3;4"), (std::vector<double>{0.5, 3, 4}));
    QCOMPARE(numbers("0.5, 3"), (std::vector<double>{0.5, 3}));
    QCOMPARE(numbers("2,8,32"), (std::vector<double>{2, 8, 32}));
    QCOMPARE(numbers("1,5"), (std::vector<double>{1.5}));
    QCOMPARE(QString::fromStdString(compare.first().axis()->settings[0].title),
             QStringLiteral("Sigma 1,5"));
    QLocale::setDefault(before);
  }

  void choices_bear_their_labels() {
    CompareWindow& compare = comparison("gaussian");
    compare.first().choose(QStringLiteral("method"));
    compare.first().set_values(QStringLiteral("separable, boxes"));
    QCOMPARE(compare.first().axis()->settings[1].title, std::string("Boxes"));
    QVERIFY(compare.first().axis()->has_base);
  }

  void presets_are_compared_with_the_present_steps() {
    CompareWindow& compare = comparison("median");
    compare.first().choose(QStringLiteral("presets"));
    compare.first().set_values(QStringLiteral("sepia"));
    run(compare);
    QCOMPARE(compare.tiles().size(), 2u);
    compare.tiles()[1]->click();
    QVERIFY(window_->document().recipe().steps.front().filter != "median");
  }

  void the_sheet_and_the_page_are_saved() {
    CompareWindow& compare = comparison("gaussian");
    compare.first().choose(QStringLiteral("sigma"));
    run(compare);
    QSignalSpy saved(&compare, &CompareWindow::saved);
    for (const char* name : {"sheet.png", "page.html"}) {
      compare.save_to(path(name));
      QVERIFY(saved.wait(180000));
      QCOMPARE(saved.takeFirst()[0].toString(), QString());
      QVERIFY(QFileInfo(path(name)).size() > 1000);
    }
    // Never in place of the picture.
    const QByteArray picture = bytes_of("in.png");
    compare.save_to(path("in.png"));
    QVERIFY(saved.takeFirst()[0].toString().contains(QStringLiteral("in.png")));
    QCOMPARE(bytes_of("in.png"), picture);
    compare.save_to(path("nowhere/sheet.png"));
    QVERIFY(saved.wait(180000));
    QVERIFY(saved[0][0].toString().contains(QStringLiteral("nowhere")));
  }

  void what_cannot_be_compared_is_said() {
    CompareWindow& compare = comparison("gaussian");
    compare.first().choose(QStringLiteral("sigma"));
    for (const char* values : {"", "x", "1", "1,-5"}) {
      compare.first().set_values(QLatin1String(values));
      compare.start();
      QVERIFY2(!compare.is_running(), values);
      QVERIFY2(!compare.findChild<MessageBar*>()->text().isEmpty(), values);
    }
    QStringList many;
    for (int i = 1; i <= 65; ++i) many << QString::number(i);
    compare.first().set_values(many.join(QLatin1Char(',')));
    compare.start();
    QVERIFY(!compare.is_running());
    QVERIFY(compare.findChild<MessageBar*>()->text().contains(QStringLiteral("65")));
  }

  // What runs is given up, and the window goes.
  void it_can_be_closed_while_it_runs() {
    QPointer<CompareWindow> compare = &comparison("bilateral");
    compare->first().choose(QStringLiteral("sigma"));
    compare->first().set_values(QStringLiteral("10, 20, 30, 40"));
    compare->start();
    QVERIFY(compare->is_running());
    compare->close();
    QTRY_VERIFY_WITH_TIMEOUT(compare.isNull(), 180000);
  }

  void cancelling_keeps_what_is_there() {
    CompareWindow& compare = comparison("bilateral");
    compare.first().choose(QStringLiteral("sigma"));
    compare.first().set_values(QStringLiteral("2, 30, 40, 50, 60"));
    QSignalSpy ended(&compare, &CompareWindow::ended);
    compare.start();
    for (QPushButton* button : compare.findChildren<QPushButton*>()) {
      if (button->text() == QStringLiteral("&Cancel")) button->click();
    }
    QVERIFY(!ended.isEmpty() || ended.wait(180000));
    QVERIFY(!compare.is_running());
    QVERIFY(!compare.tiles().back()->isEnabled());
  }
};

QTEST_MAIN(TestCompareWindow)
#include "test_compare_window.moc"
