// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Nothing is lost: the questions before a window closes or a file is replaced, and their wording.

#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTimer>

#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "gui/dialog_driver.hpp"
#include "gui/saving_files.hpp"
#include "params/model_text.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

class TestSaving : public SavingFiles {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void init() { begin(); }

  void changes_that_are_not_saved_are_asked_about() {
    MainWindow window;
    window.show();
    window.document().add_step("gaussian");
    {
      Answers answers({with(QMessageBox::Cancel)});
      QVERIFY(!window.close());
      QCOMPARE(answers.given(), 1u);
    }
    Answers answers({with(QMessageBox::Discard)});
    QVERIFY(window.close());
    QCOMPARE(answers.given(), 1u);
    MainWindow calm;
    calm.show();
    QVERIFY(calm.close());
    QCOMPARE(answers.given(), 1u);
  }

  // A recipe without steps cannot be saved.
  void nothing_is_asked_about_no_steps() {
    MainWindow window;
    window.show();
    QAction* save = nullptr;
    for (QAction* one : window.findChildren<QAction*>()) {
      if (one->shortcut() == QKeySequence(QKeySequence::Save)) save = one;
    }
    QVERIFY(save != nullptr && !save->isEnabled());
    window.document().add_step("gaussian");
    QVERIFY(save->isEnabled());
    window.document().remove_step(0);
    QVERIFY(!save->isEnabled());
    Answers answers({});
    QVERIFY(window.close());
    QCOMPARE(answers.given(), 0u);
  }

  void a_success_ends_what_was_said_of_a_fault() {
    for (const auto& [name, text] :
         {std::pair("bad.json", R"({"sfumato": 1, "steps": []})"),
          {"good.json", R"({"sfumato": 1, "steps": [{"filter": "median"}]})"}}) {
      QFile file(path(name));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
    }
    MainWindow window;
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open_file(path("bad.json"));
    QVERIFY(opened.wait(180000));
    QVERIFY(!window.messages().text().isEmpty());
    window.open_file(path("good.json"));
    QVERIFY(opened.wait(180000));
    QCOMPARE(window.document().size(), 1);
    QCOMPARE(window.messages().text(), QString());
  }

  void a_save_that_is_called_off_at_the_close_is_forgotten() {
    MainWindow window;
    window.show();
    window.document().add_step("gaussian");
    Answers answers({with(QMessageBox::Save), without_file()});
    QVERIFY(!window.close());
    QCOMPARE(answers.given(), 2u);
    QSignalSpy saved(&window, &MainWindow::recipe_saved);
    window.save_recipe_to(path("later.json"));
    QVERIFY(saved.wait(180000));
    QTest::qWait(100);
    QVERIFY(window.isVisible());
  }

  void a_window_closes_when_its_recipe_is_saved() {
    MainWindow window;
    window.show();
    window.document().add_step("gaussian");
    Answers answers({with(QMessageBox::Save), with_file(path("kept"))});
    QVERIFY(!window.close());
    QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 180000);
    QVERIFY(bytes("kept.json").contains("gaussian"));
  }

  void a_recipe_is_not_saved_over_another_one_without_a_question() {
    QFile other(path("mine.json"));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("other") == 5);
    other.close();
    MainWindow window;
    window.show();
    window.document().add_step("gaussian");
    QAction* save = nullptr;
    for (QAction* one : window.findChildren<QAction*>()) {
      if (one->shortcut() == QKeySequence(QKeySequence::Save)) save = one;
    }
    QVERIFY(save != nullptr);
    QSignalSpy saved(&window, &MainWindow::recipe_saved);
    bool calm = false;
    {
      // The suffix is added to the typed name.
      Answers answers({with_file(path("mine")),
                       [&](QWidget& modal) {
                         auto* box = qobject_cast<QMessageBox*>(&modal);
                         if (box == nullptr) return;
                         calm = box->defaultButton() == box->button(QMessageBox::No) &&
                                box->text().contains(QStringLiteral("mine.json"));
                         box->button(QMessageBox::No)->click();
                       },
                       without_file()});
      save->trigger();
      QCOMPARE(answers.given(), 3u);
    }
    QVERIFY(calm);
    QTest::qWait(100);
    QVERIFY(saved.isEmpty());
    QCOMPARE(bytes("mine.json"), QByteArray("other"));
    Answers answers({with_file(path("mine")), with(QMessageBox::Yes)});
    save->trigger();
    QVERIFY(!saved.isEmpty() || saved.wait(180000));
    QVERIFY(bytes("mine.json").contains("gaussian"));
  }

  void a_recipe_over_steps_that_are_not_saved_is_no_saved_state() {
    MainWindow window;
    window.document().add_step("median");
    QSignalSpy saved(&window, &MainWindow::recipe_saved);
    window.save_recipe_to(path("median.json"));
    QVERIFY(saved.wait(180000));
    window.document().add_step("gaussian");
    open(window, "median.json");
    QCOMPARE(window.document().size(), 1);
    QVERIFY(window.document().is_modified());
    QVERIFY(window.messages().text().contains(QStringLiteral("Undo")));
    window.document().undo_stack().undo();
    QCOMPARE(window.document().size(), 2);
    window.document().undo_stack().setClean();
    open(window, "median.json");
    QVERIFY(!window.document().is_modified());
  }

  // File names are not markup; messages about losses in an export stay visible.
  void what_is_said_is_shown_as_it_is_and_warnings_stay() {
    QWidget window;
    MessageBar bar(&window);
    bar.say_warning(Topic::output, QStringLiteral("<h1>a<br>b.png"));
    int labels = 0;
    for (const QLabel* label : bar.findChildren<QLabel*>()) {
      if (label->text().isEmpty()) continue;
      QCOMPARE(label->textFormat(), Qt::PlainText);
      ++labels;
    }
    QCOMPARE(labels, 1);
    const auto* away = bar.findChild<QTimer*>();
    QVERIFY(away != nullptr && !away->isActive());
    bar.say_notice(Topic::recipe, QStringLiteral("Recipe saved."));
    QVERIFY(away->isActive());
    QVERIFY(!Qt::mightBeRichText(plain_tip(QStringLiteral("a.png"))));
    QVERIFY(plain_tip(QStringLiteral("<b>x</b>")).contains(QStringLiteral("&lt;b&gt;")));
  }

  void a_question_stays_until_it_is_answered() {
    QWidget window;
    MessageBar bar(&window);
    int first = 0, second = 0;
    bar.show_question(QStringLiteral("one"), QStringLiteral("First?"),
                      {{QStringLiteral("Yes"), [&] { ++first; }}});
    bar.show_question(QStringLiteral("two"), QStringLiteral("Second?"),
                      {{QStringLiteral("Yes"), [&] { ++second; }}});
    bar.say_notice(Topic::recipe, QStringLiteral("Recipe saved."));
    QCOMPARE(bar.text(), QStringLiteral("Recipe saved."));
    QCOMPARE(bar.question(), QStringLiteral("First?"));
    bar.clear();
    QCOMPARE(bar.text(), QStringLiteral("First?"));
    QVERIFY(!bar.isHidden());
    QVERIFY(press(bar, QStringLiteral("Yes")));
    QCOMPARE(first, 1);
    QCOMPARE(bar.question(), QStringLiteral("Second?"));
    bar.show_question(QStringLiteral("two"), QStringLiteral("Second, again?"),
                      {{QStringLiteral("Yes"), [&] { ++second; }}});
    QVERIFY(press(bar, QStringLiteral("Yes")));
    QCOMPARE(second, 1);
    QVERIFY(bar.isHidden());
    bar.show_question(QStringLiteral("one"), QStringLiteral("First?"), {});
    bar.withdraw(QStringLiteral("one"));
    QVERIFY(bar.isHidden());
  }
};

QTEST_MAIN(TestSaving)
#include "test_saving.moc"
