// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages of the program's start are shown in a window; messages about several files do not hide
// one another.
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLayout>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "app/editor_windows.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "batch/batch_window.hpp"

using namespace sfumato::gui;

class TestEditorNotes : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void the_first_window_says_them() {
    EditorWindows windows;
    windows.take({});
    MessageBar& bar = windows.windows().front()->messages();
    windows.tell({});
    QCOMPARE(bar.text(), QString());
    windows.tell({QStringLiteral("one thing"), QStringLiteral("another")});
    QCOMPARE(bar.text(), QStringLiteral("one thing\nanother"));
  }

  void so_does_a_batch_without_one() {
    EditorWindows windows;
    windows.tell({QStringLiteral("nobody hears it")});
    BatchWindow& batch = windows.open_batch();
    windows.tell({QStringLiteral("one thing")});
    QCOMPARE(batch.messages().text(), QStringLiteral("one thing"));
  }

  void faults_come_first_and_end_with_news_of_their_topic() {
    MessageBar bar;
    bar.say_notice(Topic::picture, QStringLiteral("notice"));
    bar.say_warning(Topic::output, QStringLiteral("warning"));
    bar.say_fault(Topic::recipe, QStringLiteral("fault"));
    QCOMPARE(bar.text(), QStringLiteral("fault\nwarning\nnotice"));
    QCOMPARE(shown(bar), QStringLiteral("fault,warning,notice"));
    bar.say_notice(Topic::output, QStringLiteral("written"));
    QCOMPARE(bar.text(), QStringLiteral("fault\nnotice\nwritten"));
    bar.add_fault(Topic::recipe, QStringLiteral("another"));
    bar.add_fault(Topic::recipe, QStringLiteral("fault"));
    QCOMPARE(bar.text(), QStringLiteral("fault\nanother\nnotice\nwritten"));
    bar.clear(Topic::picture);
    QCOMPARE(bar.text(), QStringLiteral("fault\nanother\nwritten"));
    bar.clear();
    QVERIFY(bar.isHidden());
  }

  void what_finds_no_room_comes_when_others_go() {
    MessageBar bar;
    for (int i = 0; i < 6; ++i) bar.add_fault(Topic::recipe, QString::number(i));
    bar.say_notice(Topic::picture, QStringLiteral("notice"));
    QCOMPARE(shown(bar), QStringLiteral("0,1,2,3"));
    auto* away = bar.findChild<QTimer*>();
    const auto time_is_over = [away] { QMetaObject::invokeMethod(away, "timeout"); };
    time_is_over();
    QVERIFY(bar.text().endsWith(QStringLiteral("notice")) && away->isActive());
    for (int i = 0; i < 3; ++i) close_first(bar);
    QCOMPARE(shown(bar), QStringLiteral("3,4,5,notice"));
    time_is_over();
    QCOMPARE(shown(bar), QStringLiteral("3,4,5"));
    QVERIFY(!away->isActive());
  }

  void files_opened_together_are_all_answered() {
    const QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)); };
    for (const char* name : {"broken.json", "bad.json", "bad.png"}) {
      QFile file(path(name));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write("nonsense") > 0);
    }
    QFile recipe(path("good.json"));
    QVERIFY(recipe.open(QIODevice::WriteOnly));
    recipe.write(R"({"sfumato": 1, "steps": [{"filter": "median"}]})");
    recipe.close();
    QImage image(8, 8, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(path("good.png")));

    EditorWindows windows;
    windows.take({});
    MainWindow* const window = windows.windows().front();
    const auto open = [&](std::initializer_list<const char*> names) {
      QSignalSpy opened(window, &MainWindow::opened);
      for (const char* name : names) window->open_file(path(name));
      while (opened.size() < static_cast<qsizetype>(names.size()) && opened.wait(180000)) {
      }
      return window->messages().text();
    };
    const QString recipes = open({"broken.json", "good.png", "good.json", "bad.json"});
    QVERIFY2(recipes.contains(QStringLiteral("broken.json")), qPrintable(recipes));
    QVERIFY2(recipes.contains(QStringLiteral("bad.json")), qPrintable(recipes));
    const QString both = open({"bad.png", "good.json"});
    QVERIFY2(both.contains(QStringLiteral("bad.png")), qPrintable(both));
    QVERIFY2(!both.contains(QStringLiteral(".json")), qPrintable(both));
    QCOMPARE(open({"good.png"}), QString());
  }

 private:
  static QString shown(const MessageBar& bar) {
    QStringList texts;
    for (int i = 1; i < bar.layout()->count(); ++i) {  // below the question
      const QLayoutItem* row = bar.layout()->itemAt(i);
      if (row->widget()->isHidden()) continue;
      for (const QLabel* label : row->widget()->findChildren<QLabel*>()) {
        if (!label->text().isEmpty()) texts << label->text();
      }
    }
    return texts.join(QLatin1Char(','));
  }

  static void close_first(MessageBar& bar) {
    bar.layout()->itemAt(1)->widget()->findChild<QToolButton*>()->click();
  }
};

int main(int argc, char** argv) {
  const QTemporaryDir settings;
  qputenv("XDG_CONFIG_HOME", settings.path().toLocal8Bit());
  qputenv("SFUMATO_DEVICE", "reference");
  QApplication app(argc, argv);
  TestEditorNotes test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_editor_notes.moc"
