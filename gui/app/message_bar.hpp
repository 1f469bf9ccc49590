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

/// What a message is about: only news of the same subject supersedes it.
enum class Topic { program, picture, recipe, steps, output, presets, recovery, autosave, files };

/// A question, which stays until it is answered or closed while further questions wait, and below
/// it messages, the faults first. The most recent ones wait while there are many.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  /// Shows the text verbatim in place of what was said about this topic, until it is closed or
  /// superseded; a notice disappears after a while.
  void say_fault(Topic topic, const QString& text);
  void say_warning(Topic topic, const QString& text);
  void say_notice(Topic topic, const QString& text);
  /// The same beside what was said about this topic.
  void add_fault(Topic topic, const QString& text);
  void add_warning(Topic topic, const QString& text);
  void add_notice(Topic topic, const QString& text);
  /// Removes what was said about this topic.
  void clear(Topic topic);
  /// Removes all messages; a question stays.
  void clear();

  /// Shows buttons beside the text; any of them ends the question. Replaces an earlier
  /// question of the same `kind`.
  using Answer = std::pair<QString, std::function<void()>>;
  void show_question(const QString& kind, const QString& text, const std::vector<Answer>& answers);
  /// Removes a question that has become pointless.
  void withdraw(const QString& kind);

  /// The messages in the order shown, one per line, or the question if there is none.
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

  enum class Rank { fault, warning, notice };
  struct Message {
    Topic topic;
    Rank rank;
    Line line;
  };

  Line make_line();
  void fill(const Line& line, const QString& text, bool fault);
  void say(Topic topic, Rank rank, const QString& text);
  void add(Topic topic, Rank rank, const QString& text);
  template <typename Test>
  void remove_if(Test test);
  void remove_seen_notices();
  void show_question();
  void end_question();
  void update_visibility();

  Line question_line_;
  std::deque<Question> questions_;  // the first one is shown
  std::vector<Message> said_;       // by rank, older ones first
  class QTimer* away_;
};

}  // namespace sfumato::gui
