// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Icon, text, and a button that closes the line.
#include "app/message_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QToolButton>

namespace sfumato::gui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      icon_(new QLabel(this)),
      text_(new QLabel(this)),
      answers_(new QHBoxLayout),
      away_(new QTimer(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->setForegroundRole(QPalette::ToolTipText);
  auto* close = new QToolButton(this);
  close->setAutoRaise(true);
  close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
  close->setToolTip(tr("Close this message"));
  close->setAccessibleName(tr("Close this message"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->addWidget(icon_);
  layout->addWidget(text_, 1);
  layout->addLayout(answers_);
  layout->addWidget(close);
  away_->setSingleShot(true);
  away_->setInterval(8000);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(away_, &QTimer::timeout, this, &QWidget::hide);
  hide();
}

void MessageBar::say_fault(const QString& text) {
  say(text, true);
}

void MessageBar::say_notice(const QString& text) {
  say(text, false);
}

QString MessageBar::text() const {
  return isVisibleTo(parentWidget()) ? text_->text() : QString();
}

void MessageBar::ask(const QString& text, const std::vector<Answer>& answers) {
  say(text, true);
  for (const Answer& answer : answers) {
    auto* button = new QPushButton(answer.first, this);
    answers_->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, act = answer.second] {
      hide();
      act();
    });
  }
}

void MessageBar::drop_answers() {
  while (QLayoutItem* item = answers_->takeAt(0)) {
    item->widget()->deleteLater();  // it may be the one that was clicked
    delete item;
  }
}

void MessageBar::say(const QString& text, bool fault) {
  drop_answers();
  const auto icon = fault ? QStyle::SP_MessageBoxWarning : QStyle::SP_MessageBoxInformation;
  const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
  icon_->setPixmap(style()->standardIcon(icon).pixmap(side));
  text_->setText(text);
  show();
  if (fault) {
    away_->stop();
  } else {
    away_->start();
  }
}

}  // namespace sfumato::gui
