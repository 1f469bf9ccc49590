// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Answers modal dialogs and questions like a user.
#pragma once

#include <QAbstractItemView>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <functional>
#include <vector>

namespace sfumato::testing {

/// Gives each answer to the next modal window that opens; unused answers were not needed.
class Answers : public QObject {
 public:
  using Answer = std::function<void(QWidget&)>;

  explicit Answers(std::vector<Answer> answers) : answers_(std::move(answers)) {
    connect(&timer_, &QTimer::timeout, this, [this] {
      QWidget* modal = QApplication::activeModalWidget();
      if (modal == nullptr || modal == last_ || given_ == answers_.size()) return;
      last_ = modal;
      answers_[given_++](*modal);
      last_ = nullptr;
    });
    timer_.start(20);
  }

  /// How many were used.
  std::size_t given() const { return given_; }

 private:
  std::vector<Answer> answers_;
  std::size_t given_ = 0;
  QWidget* last_ = nullptr;  // an answer may open another dialog from within
  QTimer timer_;
};

/// A message box's button.
inline Answers::Answer with(QMessageBox::StandardButton which) {
  return [which](QWidget& modal) {
    if (auto* box = qobject_cast<QMessageBox*>(&modal)) box->button(which)->click();
  };
}

/// A file dialog that the user cancels.
inline Answers::Answer without_file() {
  return [](QWidget& modal) { static_cast<QDialog&>(modal).reject(); };
}

/// A file dialog in which the user types a name.
inline Answers::Answer with_file(const QString& name) {
  return [name](QWidget& modal) {
    if (auto* line = modal.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))) {
      // The dialog's views, still filling, would select completions of the name: only the typed
      // text counts.
      for (auto* view : modal.findChildren<QAbstractItemView*>()) view->clearSelection();
      const QSignalBlocker typed_alone(line);
      line->setText(name);
      static_cast<QDialog&>(modal).accept();
    }
  };
}

/// Presses the visible button with that text; false if there is none.
inline bool press(const QWidget& within, const QString& text) {
  for (QPushButton* button : within.findChildren<QPushButton*>()) {
    if (button->text() != text || button->isHidden()) continue;
    button->click();
    return true;
  }
  return false;
}

}  // namespace sfumato::testing
