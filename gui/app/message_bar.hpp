// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A calm line of text over the picture, instead of a box that must be clicked away.
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

/// Two lines: what is said, which the next message replaces, and a question, which stays until it
/// is answered or closed; further questions wait behind it.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  /// Shows the text, as it is, until it is closed or replaced; a notice goes by itself after a
  /// while.
  void say_fault(const QString& text);
  void say_warning(const QString& text);
  void say_notice(const QString& text);
  /// Takes back what was said; a question stays.
  void clear();

  /// Offers buttons beside the text; any of them ends the question. One of the same `kind` takes
  /// the place of an earlier one.
  using Answer = std::pair<QString, std::function<void()>>;
  void request(const QString& kind, const QString& text, const std::vector<Answer>& answers);
  /// Takes a question back that needs no answer any more.
  void withdraw(const QString& kind);

  /// What is said; where nothing is, the question.
  QString text() const;
  /// The question that is shown; empty: none.
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
  void show_what_there_is();

  Line question_line_, message_line_;
  std::deque<Question> questions_;  // the first one is shown
  bool saying_ = false;
  class QTimer* away_;
};

}  // namespace sfumato::gui
