// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A calm line of text over the picture, instead of a box that must be clicked away.
#pragma once

#include <QFrame>
#include <functional>
#include <utility>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace sfumato::gui {

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  /// Shows the text until it is closed or replaced; a notice goes by itself after a while.
  void say_fault(const QString& text);
  void say_notice(const QString& text);
  /// Offers buttons beside the text; any of them closes the line.
  using Answer = std::pair<QString, std::function<void()>>;
  void ask(const QString& text, const std::vector<Answer>& answers);
  QString text() const;

 private:
  void say(const QString& text, bool fault);
  void drop_answers();

  QLabel *icon_, *text_;
  QHBoxLayout* answers_;
  class QTimer* away_;
};

}  // namespace sfumato::gui
