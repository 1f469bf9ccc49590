// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Windows can be operated by keyboard and read by a screen reader: names, shortcuts, mnemonics and
// the order of Tab.
#include <QChar>
#include <QCoreApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QSettings>
#include <QShortcut>
#include <QSignalSpy>
#include <QSplitter>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <set>

#include "app/export_dialog.hpp"
#include "app/main_window.hpp"
#include "app/preferences_dialog.hpp"
#include "app/preset_menu.hpp"
#include "compare/compare_window.hpp"
#include "dialog/filter_dialog.hpp"
#include "filters/registry.hpp"
#include "params/parameter_panel.hpp"
#include "support/files.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::scene;

namespace {

// Widgets with a smaller difference are on one line.
constexpr int tolerance = 4;

// One filter for each kind of parameter.
std::vector<std::string> filters_of_every_kind() {
  std::set<Kind> seen;
  std::vector<std::string> filters;
  for (const RegisteredFilter& entry : testing::not_empty(Registry::get().all(), "filters")) {
    const FilterInfo& info = entry.filter->info();
    const auto before = seen.size();
    for (const Parameter& p : info.parameters) seen.insert(p.kind);
    if (seen.size() > before) filters.push_back(info.id);
  }
  return filters;
}

QString described(const QWidget* widget) {
  QStringList path;
  for (; widget != nullptr && !widget->isWindow(); widget = widget->parentWidget()) {
    path.prepend(QLatin1String(widget->metaObject()->className()) + QLatin1Char('(') +
                 widget->objectName() + widget->accessibleName() + QLatin1Char(')'));
  }
  return path.join(QLatin1Char('/'));
}

// Parts of a spin box or combo box pass the focus to the whole.
bool takes_focus(const QWidget* widget) {
  return widget->focusPolicy() != Qt::NoFocus && widget->focusProxy() == nullptr &&
         !widget->isWindow();
}

QString name_of(const QWidget& window, const QWidget* widget) {
  if (!widget->accessibleName().isEmpty()) return widget->accessibleName();
  for (const QLabel* label : window.findChildren<QLabel*>()) {
    if (label->buddy() == widget) return label->text();
  }
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  return button != nullptr ? button->text() : QString();
}

QStringList nameless(const QWidget& window) {
  QStringList found;
  int looked_at = 0;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->window() != &window || !takes_focus(widget)) continue;
    if (qobject_cast<const QLabel*>(widget) != nullptr) continue;  // selectable text
    ++looked_at;
    if (name_of(window, widget).trimmed().isEmpty()) found << described(widget);
  }
  if (looked_at == 0) found << QStringLiteral("nothing takes the focus");
  return found;
}

void show_active(QWidget& window) {
  window.show();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
}

// The widgets that Tab reaches, until one is reached again; a widget may take Tab a few times.
QList<QWidget*> tab_round(QWidget& window) {
  QList<QWidget*> round;
  if (window.focusWidget() != nullptr) round << window.focusWidget();
  for (int presses = 0; presses < 400; ++presses) {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window,
                    Qt::Key_Tab);
    QWidget* now = QApplication::focusWidget();
    if (now == nullptr || (!round.isEmpty() && now == round.last())) continue;
    if (round.contains(now)) {
      if (now != round.first()) round << now;  // a smaller circle
      return round;
    }
    round << now;
  }
  return {};
}

// Errors in the window's Tab order; `parts` are read one by one.
QStringList wrong_order(QWidget& window, const QList<QWidget*>& parts) {
  const QList<QWidget*> round = tab_round(window);
  if (round.isEmpty()) return {QStringLiteral("Tab is caught")};
  QStringList wrong;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    const bool wanted = widget->window() == &window && takes_focus(widget) &&
                        (widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() &&
                        widget->isEnabled();
    const auto visits = round.count(widget);
    if (visits != (wanted ? 1 : 0)) {
      wrong << QStringLiteral("visited %1 times: %2").arg(visits).arg(described(widget));
    }
  }
  for (const QWidget* part : parts) {
    const QWidget* last = nullptr;
    QRect before;
    for (const QWidget* widget : round) {
      if (!part->isAncestorOf(widget)) continue;
      const QRect now(widget->mapTo(&window, QPoint()), widget->size());
      if (last != nullptr) {
        const bool above = now.bottom() <= before.top() + tolerance,
                   below = now.top() >= before.bottom() - tolerance,
                   left = now.right() <= before.left() + tolerance;
        if (above || (left && !below)) {
          wrong << described(widget) + QLatin1String(" comes after ") + described(last);
        }
      }
      last = widget;
      before = now;
    }
  }
  return wrong;
}

QChar mnemonic_of(const QString& text) {
  const QString keys = QKeySequence::mnemonic(text).toString();
  return keys.isEmpty() ? QChar() : keys.back();
}

// Every text has a unique mnemonic; an action with a shortcut may have none.
QStringList unclear_mnemonics(const QList<QAction*>& actions) {
  QStringList wrong;
  QSet<QChar> taken;
  for (const QAction* action : actions) {
    if (action->isSeparator() || !action->isVisible()) continue;
    const QChar letter = mnemonic_of(action->text());
    if (!letter.isNull() && taken.contains(letter)) {
      wrong << QLatin1String("twice: ") + action->text();
    } else if (letter.isNull() && action->shortcut().isEmpty() && action->isEnabled()) {
      wrong << QLatin1String("none: ") + action->text();
    }
    taken.insert(letter);
  }
  return wrong;
}

// The menus below these actions, filled as when shown.
QList<QMenu*> menus_below(const QList<QAction*>& actions) {
  QList<QMenu*> found;
  for (const QAction* action : actions) {
    if (action->menu() == nullptr) continue;
    Q_EMIT action->menu()->aboutToShow();
    found << action->menu() << menus_below(action->menu()->actions());
  }
  return found;
}

// Errors in a dialog's mnemonics; each label with one must lead to a widget.
QStringList unclear_letters(const QWidget& dialog) {
  QStringList wrong;
  QSet<QChar> taken;
  int looked_at = 0;
  const auto take = [&](const QString& text) {
    ++looked_at;
    const QChar letter = mnemonic_of(text);
    if (letter.isNull()) return;
    if (taken.contains(letter)) wrong << QLatin1String("twice: ") + text;
    taken.insert(letter);
  };
  for (const QLabel* label : dialog.findChildren<QLabel*>()) {
    if (!label->isVisible() || mnemonic_of(label->text()).isNull()) continue;
    if (label->buddy() == nullptr) wrong << QLatin1String("leads nowhere: ") + label->text();
    take(label->text());
  }
  for (const QAbstractButton* button : dialog.findChildren<QAbstractButton*>()) {
    if (button->isVisible()) take(button->text());
  }
  if (looked_at == 0) wrong << QStringLiteral("no labels and no buttons");
  return wrong;
}

#define NOTHING(list)                                                     \
  do {                                                                    \
    const QStringList found = (list);                                     \
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n')))); \
  } while (false)

}  // namespace

class TestAccessibility : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  QTranslator german_;

  QString picture() const { return folder_.filePath(QStringLiteral("in.png")); }

  void open(MainWindow& window) const {
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open_file(picture());
    QVERIFY(opened.wait(180000));
    QTRY_VERIFY_WITH_TIMEOUT(!window.presets().presets().empty(), 180000);
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    qputenv("XDG_DATA_HOME", folder_.filePath(QStringLiteral("data")).toLocal8Bit());
    qputenv("SFUMATO_DEVICE", "reference");
    auto image = scene({120, 90, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    const auto file = create_picture(picture().toStdString(), {}, image.format);
    file->write(image.view());
    file->commit();
    (void)german_.load(QStringLiteral(":/i18n/sfumato_de.qm"));
  }

  void cleanup() { QCoreApplication::removeTranslator(&german_); }

  void the_window_is_named_and_ordered_data() {
    QTest::addColumn<std::string>("filter");
    for (const std::string& filter : filters_of_every_kind()) {
      QTest::newRow(filter.c_str()) << filter;
    }
  }

  void the_window_is_named_and_ordered() {
    QFETCH(std::string, filter);
    MainWindow window;
    window.resize(1320, 2400);
    show_active(window);
    open(window);
    window.document().add_step(filter);
    window.parameters().findChild<QAbstractButton*>(QStringLiteral("more"))->setChecked(true);
    QTest::qWait(50);  // laid out
    NOTHING(nameless(window));
    QList<QWidget*> docks;
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) docks << dock;
    NOTHING(wrong_order(window, testing::not_empty(docks, "docks")));
    window.document().undo_stack().setClean();
  }

  void the_comparison_is_named() {
    MainWindow window;
    open(window);
    window.document().add_step("gaussian");
    CompareWindow& compare = window.comparison();
    for (const char* varied : {"sigma", "presets"}) {
      compare.set_up(window.document().picture(), window.document().recipe(), 0,
                     window.presets().presets(), {});
      compare.first().choose(QLatin1String(varied));
      compare.show();
      NOTHING(nameless(compare));
    }
    compare.first().choose(QStringLiteral("sigma"));
    QSignalSpy ended(&compare, &CompareWindow::ended);
    compare.start();
    QVERIFY(!ended.isEmpty() || ended.wait(180000));
    NOTHING(nameless(compare));
    window.document().undo_stack().setClean();
  }

  void menus_have_letters_and_no_shortcut_twice_data() {
    QTest::addColumn<bool>("german");
    QTest::newRow("english") << false;
    if (!german_.isEmpty()) QTest::newRow("german") << true;
  }

  void menus_have_letters_and_no_shortcut_twice() {
    QFETCH(bool, german);
    if (german) QCoreApplication::installTranslator(&german_);
    QStringList recent;
    for (int i = 0; i < 12; ++i) recent << QStringLiteral("/%1/a&b.png").arg(i);
    QSettings().setValue(QStringLiteral("recent_files"), recent);
    MainWindow window;
    open(window);
    window.document().add_step("gaussian");
    window.document().add_step("median");
    QSignalSpy presets(&window.presets(), &PresetMenu::refreshed);
    window.presets().save_as(QStringLiteral("Black & white"), true);
    QVERIFY(presets.wait(180000));
    NOTHING(unclear_mnemonics(window.menuBar()->actions()));
    qsizetype entries = 0;
    for (const QMenu* menu : menus_below(window.menuBar()->actions())) {
      NOTHING(unclear_mnemonics(menu->actions()));
      entries += menu->actions().size();
    }
    QVERIFY(entries > 10);
    QMap<QKeySequence, QString> keys;
    QStringList twice;
    const auto take = [&](const QKeySequence& key, const QString& what) {
      if (keys.contains(key))
        twice << QStringLiteral("%1: %2, %3").arg(key.toString(), keys[key], what);
      keys[key] = what;
    };
    for (const QAction* action : window.findChildren<QAction*>()) {
      for (const QKeySequence& key : action->shortcuts()) take(key, action->text());
    }
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>()) {
      take(shortcut->key(), QStringLiteral("a shortcut"));
    }
    QVERIFY(keys.size() > 10);
    NOTHING(twice);
    window.document().undo_stack().setClean();
  }

  void every_action_has_a_shortcut() {
    MainWindow window;
    open(window);
    window.document().add_step("gaussian");
    // Entries named by the user or by files, in any number: each has a mnemonic within its menu.
    const auto is_a_list = [&](const QMenu* menu) {
      return menu->parent() == &window.presets() || menu->parent()->parent() == &window.presets() ||
             menu->title() == QStringLiteral("Open &recent");
    };
    QStringList without;
    int looked_at = 0;
    for (const QMenu* menu : menus_below(window.menuBar()->actions())) {
      if (is_a_list(menu)) continue;
      for (const QAction* action : menu->actions()) {
        if (action->isSeparator() || action->menu() != nullptr) continue;
        ++looked_at;
        if (action->shortcut().isEmpty()) without << menu->title() + u'/' + action->text();
      }
    }
    QVERIFY(looked_at > 10);
    NOTHING(without);
    window.document().undo_stack().setClean();
  }

  void dialogs_are_named_and_ordered_data() { menus_have_letters_and_no_shortcut_twice_data(); }

  void dialogs_are_named_and_ordered() {
    QFETCH(bool, german);
    if (german) QCoreApplication::installTranslator(&german_);
    const PicturePtr opened = open_whole(picture().toStdString());
    const auto check = [](QDialog& dialog) {
      show_active(dialog);
      QTest::qWait(100);
      NOTHING(nameless(dialog));
      NOTHING(unclear_letters(dialog));
      QList<QWidget*> parts;
      for (QSplitter* columns : dialog.findChildren<QSplitter*>()) {
        parts << columns->widget(0) << columns->widget(1);
      }
      NOTHING(wrong_order(dialog, parts.isEmpty() ? QList<QWidget*>{&dialog} : parts));
    };
    {
      PreferencesDialog dialog({});
      QSignalSpy looked(&dialog, &PreferencesDialog::looked);
      QVERIFY(looked.wait(180000));
      check(dialog);
    }
    for (const char* name : {"new.jpg", "new.tif", "new.exr"}) {
      ExportDialog dialog(*opened, folder_.filePath(QLatin1String(name)));
      check(dialog);
    }
    for (const char* filter : {"", "levels"}) {
      FilterDialog dialog(opened, filter);
      check(dialog);
    }
  }
};

QTEST_MAIN(TestAccessibility)
#include "test_accessibility.moc"
