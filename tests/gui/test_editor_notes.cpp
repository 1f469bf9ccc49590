// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages of the program's start are shown in a window.
#include <QTemporaryDir>
#include <QTest>

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
