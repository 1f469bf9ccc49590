// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A line edit that reports errors in its text unobtrusively, below itself.
#pragma once

#include <QLabel>
#include <QLineEdit>

namespace sfumato::gui {

/// The message: a label, hidden if there is no error, that also controls the line edit's red frame.
/// Put line() and the label into layouts of their own. GUI thread only.
class ErrorLine final : public QLabel {
  Q_OBJECT

 public:
  explicit ErrorLine(QWidget* parent);

  QLineEdit* line() const { return line_; }
  void set_error(const QString& message);
  void clear_error();
  bool has_error() const { return !isHidden(); }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void paint_text();

  QLineEdit* line_;
};

}  // namespace sfumato::gui
