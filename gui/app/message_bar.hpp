// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// An unobtrusive line of text over the picture, in place of a modal box.
#pragma once

#include <QFrame>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace sfumato::gui {

/// Two lines: a message, replaced by the next one, and a question, which stays until it is answered
/// or closed while further questions wait.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  /// Shows the text verbatim until it is closed or replaced; a notice disappears after a while.
  void say_fault(const QString& text);
  void say_warning(const QString& text);
  void say_notice(const QString& text);
  /// Removes the message; a question stays.
  void clear();

  /// Shows buttons beside the text; any of them ends the question. Replaces an earlier
  /// question of the same `kind`.
  using Answer = std::pair<QString, std::function<void()>>;
  void show_question(const QString& kind, const QString& text, const std::vector<Answer>& answers);
  /// Removes a question that has become pointless.
  void withdraw(const QString& kind);

  /// The message, or the question if there is none.
  QString text() const;
  /// The question shown; empty: none.
  QString question() const;

 private:
  struct Line {
    QWidget* row;
    QLabel *icon, *text;
    QHBoxLayout* answers;
    QToolButton* close;
  };
  struct Question {
    QString kind, text;
    std::vector<Answer> answers;
  };

  Line make_line();
  void fill(const Line& line, const QString& text, bool fault);
  void say(const QString& text, bool fault, bool stays);
  void show_question();
  void end_question();
  void update_visibility();

  Line question_line_, message_line_;
  std::deque<Question> questions_;  // the first one is shown
  bool saying_ = false;
  class QTimer* away_;
};

}  // namespace sfumato::gui
