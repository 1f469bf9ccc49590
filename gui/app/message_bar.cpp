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

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      question_line_(make_line()),
      message_line_(make_line()),
      away_(new QTimer(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  message_line_.close->setToolTip(tr("Close this message"));
  message_line_.close->setAccessibleName(tr("Close this message"));
  question_line_.close->setToolTip(tr("Close this question without an answer"));
  question_line_.close->setAccessibleName(tr("Close this question without an answer"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(question_line_.row);
  layout->addWidget(message_line_.row);
  away_->setSingleShot(true);
  away_->setInterval(8000);
  connect(message_line_.close, &QToolButton::clicked, this, &MessageBar::clear);
  connect(question_line_.close, &QToolButton::clicked, this, &MessageBar::end_question);
  connect(away_, &QTimer::timeout, this, &MessageBar::clear);
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

void MessageBar::say_fault(const QString& text) {
  say(text, true, true);
}

void MessageBar::say_warning(const QString& text) {
  say(text, false, true);
}

void MessageBar::say_notice(const QString& text) {
  say(text, false, false);
}

void MessageBar::say(const QString& text, bool fault, bool stays) {
  fill(message_line_, text, fault);
  saying_ = true;
  stays ? away_->stop() : away_->start();
  update_visibility();
}

void MessageBar::clear() {
  away_->stop();
  saying_ = false;
  update_visibility();
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
  message_line_.row->setVisible(saying_);
  question_line_.row->setVisible(!questions_.empty());
  setVisible(saying_ || !questions_.empty());
}

QString MessageBar::text() const {
  return saying_ ? message_line_.text->text() : question();
}

QString MessageBar::question() const {
  return questions_.empty() ? QString() : questions_.front().text;
}

}  // namespace sfumato::gui
