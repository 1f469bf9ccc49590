// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Assigns mnemonics, trying first letters of words before others.
#include "params/keyboard.hpp"

#include <QAbstractSpinBox>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QKeySequence>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QSet>
#include <QSplitter>
#include <QWidget>

namespace sfumato::gui {
namespace {

// The position of the letter for the entry; -1 if all are taken.
qsizetype free_letter(const QString& text, const QSet<QChar>& taken) {
  for (const bool first : {true, false}) {
    for (qsizetype i = 0; i < text.size(); ++i) {
      const bool begins = i == 0 || !text[i - 1].isLetterOrNumber();
      if (text[i].isLetterOrNumber() && begins == first && !taken.contains(text[i].toUpper())) {
        return i;
      }
    }
  }
  return -1;
}

// Stops fields without anything to undo or redo from consuming the shortcuts.
class UndoFilter final : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* line = qobject_cast<QLineEdit*>(object);
    if (line == nullptr && qobject_cast<QAbstractSpinBox*>(object) != nullptr) {
      line = object->findChild<QLineEdit*>();
    }
    if (line == nullptr) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool idle = (key->matches(QKeySequence::Undo) && !line->isUndoAvailable()) ||
                      (key->matches(QKeySequence::Redo) && !line->isRedoAvailable());
    if (idle) event->ignore();
    return idle;
  }
};

void collect(const QLayout& layout, QList<QWidget*>& found);

// The widget itself if Tab reaches it, directly or through a focus proxy; otherwise its children.
void collect(QWidget* widget, QList<QWidget*>& found) {
  const QWidget* proxy = widget->focusProxy();
  const bool whole = proxy != nullptr && widget->isAncestorOf(proxy);
  if (whole || (proxy == nullptr && (widget->focusPolicy() & Qt::TabFocus))) {
    found << widget;
  } else if (const auto* splitter = qobject_cast<QSplitter*>(widget)) {
    for (int i = 0; i < splitter->count(); ++i) collect(splitter->widget(i), found);
  } else if (const auto* area = qobject_cast<QScrollArea*>(widget)) {
    if (area->widget() != nullptr) collect(area->widget(), found);
  } else if (widget->layout() != nullptr) {
    collect(*widget->layout(), found);
  }
}

void collect(const QLayout& layout, QList<QWidget*>& found) {
  for (int i = 0; i < layout.count(); ++i) {
    QLayoutItem* item = layout.itemAt(i);
    if (item->widget() != nullptr) collect(item->widget(), found);
    if (item->layout() != nullptr) collect(*item->layout(), found);
  }
}

}  // namespace

QString menu_text(QString name) {
  return name.replace(QLatin1Char('&'), QLatin1String("&&"));
}

void fill_mnemonics(QMenu& menu) {
  QSet<QChar> taken;
  for (const QAction* action : menu.actions()) {
    const QString keys = QKeySequence::mnemonic(action->text()).toString();
    if (!keys.isEmpty()) taken.insert(keys.back().toUpper());
  }
  for (QAction* action : menu.actions()) {
    QString text = action->text();
    if (action->isSeparator() || !QKeySequence::mnemonic(text).isEmpty()) continue;
    const qsizetype at = free_letter(text, taken);
    if (at < 0) continue;
    taken.insert(text[at].toUpper());
    action->setText(text.insert(at, QLatin1Char('&')));
  }
}

void tab_along(const QLayout& layout) {
  QList<QWidget*> widgets;
  collect(layout, widgets);
  for (qsizetype i = 1; i < widgets.size(); ++i) QWidget::setTabOrder(widgets[i - 1], widgets[i]);
}

void pass_undo_on() {
  static const bool once = [] {
    auto* application = QCoreApplication::instance();
    application->installEventFilter(new UndoFilter(application));
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace sfumato::gui
