// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's window on a screen: docks keep their sizes, and everything fits.
#include <QDockWidget>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "app/main_window.hpp"

using namespace sfumato;
using namespace sfumato::gui;

class TestWindowLayout : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  // Sizes of the visible docks, after the window was shown and closed.
  static std::map<QString, QSize> sizes_of_a_window() {
    MainWindow window;
    window.show();
    if (!QTest::qWaitForWindowExposed(&window)) return {};
    QTest::qWait(100);
    std::map<QString, QSize> sizes{{QStringLiteral("window"), window.size()}};
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
      if (!dock->visibleRegion().isEmpty()) sizes[dock->objectName()] = dock->size();
    }
    window.close();
    return sizes;
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
    qputenv("SFUMATO_DEVICE", "reference");
  }

  void windows_one_after_another_are_alike() {
    const auto first = sizes_of_a_window();
    QVERIFY(first.size() > 3);
    for (int i = 0; i < 3; ++i) {
      const auto next = sizes_of_a_window();
      for (const auto& [name, size] : first) {
        QVERIFY2(next.count(name) == 1, qPrintable(name));
        const QString sizes = QStringLiteral("%1: %2 x %3, then %4 x %5")
                                  .arg(name)
                                  .arg(size.width())
                                  .arg(size.height())
                                  .arg(next.at(name).width())
                                  .arg(next.at(name).height());
        QVERIFY2(next.at(name) == size, qPrintable(sizes));
      }
    }
  }

  void a_new_window_fits_a_small_screen() {
    QSettings().clear();
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QRect room = window.screen()->availableGeometry();
    QVERIFY2(window.width() <= room.width() && window.height() <= room.height(),
             qPrintable(QStringLiteral("%1 x %2").arg(window.width()).arg(window.height())));
    // The width of a typical small notebook, less its panel.
    QVERIFY(window.minimumSizeHint().width() <= 1366);
    QVERIFY2(window.minimumSizeHint().height() <= 700,
             qPrintable(QString::number(window.minimumSizeHint().height())));
  }
};

QTEST_MAIN(TestWindowLayout)
#include "test_window_layout.moc"
