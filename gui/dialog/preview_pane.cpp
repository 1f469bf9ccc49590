// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview with buttons below it, for hosts' dialogs.
#include "dialog/preview_pane.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QShowEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWindow>
#include <utility>

#include "preview/preview_renderer.hpp"
#include "preview/preview_view.hpp"
#include "preview/screen_profile.hpp"

namespace sfumato::gui {

PreviewPane::PreviewPane(PreviewRenderer& renderer, QWidget* parent)
    : QWidget(parent), view_(new PreviewView(renderer, this)), notice_(new QLabel(this)) {
  notice_->setWordWrap(true);
  notice_->setTextFormat(Qt::PlainText);
  notice_->hide();
  connect(&renderer, &PreviewRenderer::warned, this, &PreviewPane::say);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_, 1);
  layout->addWidget(notice_);
  layout->addLayout(make_buttons());
}

QHBoxLayout* PreviewPane::make_buttons() {
  auto* row = new QHBoxLayout;
  const auto mode = [&](const QString& text, PreviewMode which) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setCheckable(true);
    button->setAutoRaise(true);  // otherwise dark themes hardly show which one is checked
    button->setAutoExclusive(true);
    button->setChecked(which == PreviewMode::split);
    connect(button, &QToolButton::clicked, this, [this, which] { view_->set_mode(which); });
    row->addWidget(button);
  };
  mode(tr("Split"), PreviewMode::split);
  mode(tr("Side by side"), PreviewMode::side_by_side);
  mode(tr("Result only"), PreviewMode::single);
  row->addStretch();
  for (const auto& [text, slot] :
       {std::pair(tr("Fit"), &PreviewView::fit), std::pair(tr("1:1"), &PreviewView::zoom_full)}) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, view_, slot);
    row->addWidget(button);
  }
  return row;
}

void PreviewPane::say(const QString& sentence) {
  notice_->setText(sentence);
  notice_->show();
}

void PreviewPane::hide_message() {
  notice_->hide();
}

QString PreviewPane::notice() const {
  return notice_->isHidden() ? QString() : notice_->text();
}

void PreviewPane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (QWindow* screens = window()->windowHandle()) {
    connect(screens, &QWindow::screenChanged, this, &PreviewPane::use_screen_profile,
            Qt::UniqueConnection);
  }
  use_screen_profile();
}

void PreviewPane::use_screen_profile() {
  view_->set_screen_profile(screen_profile_of(window()));
}

}  // namespace sfumato::gui
