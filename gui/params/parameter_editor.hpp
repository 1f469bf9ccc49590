// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The base of all parameter editors: one widget for one parameter's value.
#pragma once

#include <QWidget>
#include <utility>

#include "params/parameter.hpp"

namespace sfumato::gui {

/// Edits the value of one parameter. What the user does comes out as changed(); what a program
/// sets does not. One gesture is any number of unfinished changes and then one finished one.
class ParameterEditor : public QWidget {
  Q_OBJECT

 public:
  ParameterEditor(const Parameter& parameter, QWidget* parent);

  const Parameter& parameter() const { return parameter_; }
  const Value& value() const { return value_; }

  /// Shows a value of the parameter's kind; silent.
  void set_value(const Value& value);
  /// The default, as one finished change of the user's.
  void reset();

  /// Whether the user is in the middle of a gesture, such as a drag.
  virtual bool in_gesture() const { return false; }
  /// Whether the editor shows the parameter's label itself.
  virtual bool shows_label() const { return false; }

 Q_SIGNALS:
  void changed(const sfumato::Value& value, bool finished);

 protected:
  /// Brings the widgets to value(). Their signals may call change(), which is deaf meanwhile.
  virtual void show_value() = 0;

  /// The user's change. Unfinished changes that change nothing are swallowed.
  void change(Value value, bool finished);
  /// Ends a gesture: says the value once more, finished, if the last change was unfinished.
  void finish();
  /// Brings the widgets to the value after a change that only some of them made.
  void show_again();
  bool showing() const { return showing_; }

  /// Gives a widget the parameter's accessible name, tooltip and "what's this".
  void describe(QWidget* widget) const;
  /// The same with a name of its own: "Curve: input".
  void describe(QWidget* widget, const QString& part) const;

 private:
  const Parameter parameter_;  // a copy: an editor may outlive its filter until deleted
  Value value_;
  bool showing_ = false, unfinished_ = false;
};

/// An editor for the parameter's kind, showing the default.
ParameterEditor* make_editor(const Parameter& parameter, QWidget* parent);

}  // namespace sfumato::gui
