// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The base of all parameter editors: one widget for one parameter's value.
#pragma once

#include <QWidget>
#include <utility>

#include "params/parameter.hpp"

namespace sfumato::gui {

/// Edits the value of one parameter. Only changes by the user emit changed(). A gesture is any
/// number of unfinished changes followed by a finished one.
class ParameterEditor : public QWidget {
  Q_OBJECT

 public:
  ParameterEditor(const Parameter& parameter, QWidget* parent);

  const Parameter& parameter() const { return parameter_; }
  const Value& value() const { return value_; }

  /// Shows a value of the parameter's kind; emits nothing.
  void set_value(const Value& value);
  /// Sets the default, as one finished change by the user.
  void reset();

  /// Whether a gesture, such as a drag, is in progress.
  virtual bool in_gesture() const { return false; }
  /// Whether the editor shows the parameter's label itself.
  virtual bool shows_label() const { return false; }

 Q_SIGNALS:
  void changed(const sfumato::Value& value, bool finished);

 protected:
  /// Updates the widgets to value(). Their signals may call change(), which is ignored meanwhile.
  virtual void show_value() = 0;

  /// A change by the user. Unfinished changes without effect are dropped.
  void change(Value value, bool finished);
  /// Ends a gesture: emits the value once more, as finished, if the last change was unfinished.
  void finish();
  /// Updates all widgets after a change made by one of them.
  void show_again();
  bool showing() const { return showing_; }

  /// Gives a widget the parameter's accessible name, tooltip and "what's this".
  void describe(QWidget* widget) const;
  /// The same with a name for the part: "Curve: input".
  void describe(QWidget* widget, const QString& part) const;

 private:
  const Parameter parameter_;  // a copy, since an editor may outlive its filter until it is deleted
  Value value_;
  bool showing_ = false, unfinished_ = false;
};

/// An editor for the parameter's kind, showing the default.
ParameterEditor* make_editor(const Parameter& parameter, QWidget* parent);

}  // namespace sfumato::gui
