// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A parameter panel on the screen, its signals, and operations on it.
#pragma once

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTest>
#include <string>
#include <vector>

#include "filters/registry.hpp"
#include "params/parameter_editor.hpp"
#include "params/parameter_panel.hpp"

namespace sfumato::testing {

inline const ParameterSet& parameters_of(const char* filter) {
  return Registry::get().at(filter).filter->info().parameters;
}

/// One value_changed() of a panel.
struct Change {
  std::string name;
  Value value;
  bool finished;
};

/// A panel of one filter at its defaults, shown, with all its signals.
struct PanelDriver {
  explicit PanelDriver(const char* filter) : PanelDriver(parameters_of(filter)) {}
  explicit PanelDriver(const ParameterSet& set) : set_(set) {
    QObject::connect(&panel, &gui::ParameterPanel::value_changed, &panel,
                     [this](const std::string& name, const Value& value, bool finished) {
                       changes.push_back({name, value, finished});
                     });
    panel.resize(340, 800);
    panel.show_filter(set_, defaults(set_));
    panel.show();
    panel.activateWindow();
    (void)QTest::qWaitForWindowActive(&panel);
  }

  gui::ParameterEditor* editor(const char* name) {
    return panel.findChild<gui::ParameterEditor*>(QLatin1String(name));
  }
  template <typename Widget>
  Widget* part(const char* name) {
    return editor(name)->findChild<Widget*>();
  }
  QWidget* row(const char* name) {
    return panel.findChild<QWidget*>(QStringLiteral("row_") + QLatin1String(name));
  }

  /// Number of finished changes.
  int finished() const {
    int count = 0;
    for (const Change& change : changes) count += change.finished;
    return count;
  }
  /// One gesture: unfinished changes and one finished at the end, with the value now shown.
  bool is_one_gesture(const char* name) const {
    if (changes.empty() || finished() != 1 || !changes.back().finished) return false;
    for (const Change& change : changes) {
      if (change.name != name) return false;
    }
    return changes.back().value == panel.values().at(name);
  }
  template <typename T>
  T value(const char* name) const {
    return panel.values().get<T>(name);
  }

  gui::ParameterPanel panel;
  std::vector<Change> changes;

 private:
  const ParameterSet& set_;
};

/// Drags with the left button, in a few steps.
inline void drag(QWidget* widget, const QPoint& from, const QPoint& to) {
  QTest::mousePress(widget, Qt::LeftButton, {}, from);
  for (int i = 1; i <= 4; ++i) {
    const QPointF at = QPointF(from) + QPointF(to - from) * i / 4.0;
    QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &move);
  }
  QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

}  // namespace sfumato::testing
