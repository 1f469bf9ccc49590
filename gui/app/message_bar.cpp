// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Icon, text, answers, and a button that closes the line.
#include "app/message_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sfumato::gui {
namespace {

constexpr std::size_t most_shown = 4;  // messages; more would hide the picture

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), question_line_(make_line()), away_(new QTimer(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  question_line_.close->setToolTip(tr("Close this question without an answer"));
  question_line_.close->setAccessibleName(tr("Close this question without an answer"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(question_line_.row);
  away_->setSingleShot(true);
  away_->setInterval(8000);
  connect(question_line_.close, &QToolButton::clicked, this, &MessageBar::end_question);
  connect(away_, &QTimer::timeout, this, &MessageBar::remove_seen_notices);
  update_visibility();
}

MessageBar::Line MessageBar::make_line() {
  Line line{};
  line.row = new QWidget(this);
  line.icon = new QLabel(line.row);
  line.text = new QLabel(line.row);
  line.text->setWordWrap(true);
  line.text->setTextFormat(Qt::PlainText);  // it may contain file names
  line.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  line.text->setForegroundRole(QPalette::ToolTipText);
  line.close = new QToolButton(line.row);
  line.close->setAutoRaise(true);
  line.close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
  line.answers = new QHBoxLayout;
  auto* layout = new QHBoxLayout(line.row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(line.icon);
  layout->addWidget(line.text, 1);
  layout->addLayout(line.answers);
  layout->addWidget(line.close);
  return line;
}

void MessageBar::fill(const Line& line, const QString& text, bool fault) {
  const auto icon = fault ? QStyle::SP_MessageBoxWarning : QStyle::SP_MessageBoxInformation;
  const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
  line.icon->setPixmap(style()->standardIcon(icon).pixmap(side));
  line.text->setText(text);
}

void MessageBar::say_fault(Topic topic, const QString& text) {
  say(topic, Rank::fault, text);
}

void MessageBar::say_warning(Topic topic, const QString& text) {
  say(topic, Rank::warning, text);
}

void MessageBar::say_notice(Topic topic, const QString& text) {
  say(topic, Rank::notice, text);
}

void MessageBar::add_fault(Topic topic, const QString& text) {
  add(topic, Rank::fault, text);
}

void MessageBar::add_warning(Topic topic, const QString& text) {
  add(topic, Rank::warning, text);
}

void MessageBar::add_notice(Topic topic, const QString& text) {
  add(topic, Rank::notice, text);
}

void MessageBar::say(Topic topic, Rank rank, const QString& text) {
  clear(topic);
  add(topic, rank, text);
}

void MessageBar::add(Topic topic, Rank rank, const QString& text) {
  if (rank == Rank::notice) away_->start();
  const bool known = std::any_of(said_.begin(), said_.end(), [&](const Message& one) {
    return one.topic == topic && one.rank == rank && one.line.text->text() == text;
  });
  if (known) return;
  const Line line = make_line();
  fill(line, text, rank == Rank::fault);
  line.close->setToolTip(tr("Close this message"));
  line.close->setAccessibleName(tr("Close this message"));
  connect(line.close, &QToolButton::clicked, this, [this, row = line.row] {
    remove_if([row](const Message& one) { return one.line.row == row; });
  });
  const auto place =
      std::find_if(said_.begin(), said_.end(), [&](const Message& one) { return one.rank > rank; });
  const int below_question = static_cast<int>(place - said_.begin()) + 1;
  qobject_cast<QVBoxLayout*>(layout())->insertWidget(below_question, line.row);
  said_.insert(place, {topic, rank, line});
  update_visibility();
}

template <typename Test>
void MessageBar::remove_if(Test test) {
  std::erase_if(said_, [&](const Message& one) {
    if (!test(one)) return false;
    one.line.row->hide();
    layout()->removeWidget(one.line.row);
    one.line.row->deleteLater();  // its button may be the one that was clicked
    return true;
  });
  const bool notices = !said_.empty() && said_.back().rank == Rank::notice;
  if (!notices) away_->stop();
  update_visibility();
}

// Those that wait for room get their own time.
void MessageBar::remove_seen_notices() {
  remove_if(
      [](const Message& one) { return one.rank == Rank::notice && !one.line.row->isHidden(); });
  if (!said_.empty() && said_.back().rank == Rank::notice) away_->start();
}

void MessageBar::clear(Topic topic) {
  remove_if([topic](const Message& one) { return one.topic == topic; });
}

void MessageBar::clear() {
  remove_if([](const Message&) { return true; });
}

void MessageBar::show_question(const QString& kind, const QString& text,
                               const std::vector<Answer>& answers) {
  const auto same = std::find_if(questions_.begin(), questions_.end(),
                                 [&](const Question& one) { return one.kind == kind; });
  if (same != questions_.end()) {
    *same = {kind, text, answers};
  } else {
    questions_.push_back({kind, text, answers});
  }
  show_question();
}

void MessageBar::withdraw(const QString& kind) {
  std::erase_if(questions_, [&](const Question& one) { return one.kind == kind; });
  show_question();
}

void MessageBar::end_question() {
  if (!questions_.empty()) questions_.pop_front();
  show_question();
}

void MessageBar::show_question() {
  while (QLayoutItem* item = question_line_.answers->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();  // it may be the one that was clicked
    delete item;
  }
  if (!questions_.empty()) {
    fill(question_line_, questions_.front().text, true);
    for (const Answer& answer : questions_.front().answers) {
      auto* button = new QPushButton(answer.first, question_line_.row);
      question_line_.answers->addWidget(button);
      button->show();
      connect(button, &QPushButton::clicked, this, [this, act = answer.second] {
        end_question();
        act();
      });
    }
  }
  update_visibility();
}

void MessageBar::update_visibility() {
  for (std::size_t i = 0; i < said_.size(); ++i) said_[i].line.row->setVisible(i < most_shown);
  question_line_.row->setVisible(!questions_.empty());
  setVisible(!said_.empty() || !questions_.empty());
}

QString MessageBar::text() const {
  QStringList lines;
  for (const Message& one : said_) lines << one.line.text->text();
  return lines.isEmpty() ? question() : lines.join(QLatin1Char('\n'));
}

QString MessageBar::question() const {
  return questions_.empty() ? QString() : questions_.front().text;
}

}  // namespace sfumato::gui
