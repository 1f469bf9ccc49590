// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The list of steps and its buttons.
#include "app/stack_view.hpp"

#include <QAbstractItemModel>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/step_icons.hpp"
#include "document/document.hpp"
#include "filters/registry.hpp"
#include "params/empty_hint.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int air = 12;  // total space above and below a step's name

}  // namespace

StackView::StackView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), list_(new QListWidget(this)) {
  list_->setAccessibleName(tr("Steps"));
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setDefaultDropAction(Qt::MoveAction);
  const auto button = [this](const QString& text) {
    auto* made = new QToolButton(this);
    made->setAutoRaise(true);
    made->setToolTip(text);
    made->setAccessibleName(text);
    return made;
  };
  up_ = button(tr("Move up"));
  down_ = button(tr("Move down"));
  duplicate_ = button(tr("Duplicate step"));
  remove_ = button(tr("Remove step"));
  draw_icons();
  hint_ = empty_hint(*list_->viewport(), tr("Double-click a filter to add it here"));

  auto* buttons = new QHBoxLayout;
  for (QToolButton* b : {up_, down_, duplicate_, remove_}) buttons->addWidget(b);
  buttons->addStretch();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(list_);
  layout->addLayout(buttons);

  connect(&document_, &Document::stack_changed, this, &StackView::fill);
  connect(&document_, &Document::current_changed, this, [this](int step) {
    filling_ = true;
    list_->setCurrentRow(step);
    filling_ = false;
    update_buttons();
  });
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (!filling_ && row >= 0) document_.set_current(row);
  });
  connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    if (!filling_) document_.set_enabled(list_->row(item), item->checkState() == Qt::Checked);
  });
  // One row was dragged; the list is refilled after the drop.
  connect(list_->model(), &QAbstractItemModel::rowsMoved, this,
          [this](const QModelIndex&, int from, int, const QModelIndex&, int before) {
            const int to = before > from ? before - 1 : before;
            QTimer::singleShot(0, this, [this, from, to] { document_.move_step(from, to); });
          });
  connect(up_, &QToolButton::clicked, this,
          [this] { document_.move_step(document_.current(), document_.current() - 1); });
  connect(down_, &QToolButton::clicked, this,
          [this] { document_.move_step(document_.current(), document_.current() + 1); });
  connect(duplicate_, &QToolButton::clicked, this,
          [this] { document_.duplicate_step(document_.current()); });
  connect(remove_, &QToolButton::clicked, this,
          [this] { document_.remove_step(document_.current()); });
  fill();
}

void StackView::fill() {
  filling_ = true;
  list_->clear();
  for (int i = 0; i < document_.size(); ++i) {
    const Step& step = document_.recipe().steps[static_cast<std::size_t>(i)];
    const FilterInfo& info = Registry::get().at(step.filter).filter->info();
    auto* item = new QListWidgetItem(label_of(info));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                   Qt::ItemIsDragEnabled);
    item->setCheckState(step.enabled ? Qt::Checked : Qt::Unchecked);
    item->setToolTip(model_text(info.summary));
    item->setData(Qt::UserRole, i);
    item->setSizeHint({0, fontMetrics().height() + air});
    list_->addItem(item);
  }
  list_->setCurrentRow(document_.current());
  hint_->setVisible(list_->count() == 0);
  filling_ = false;
  show_marked();
  update_buttons();
}

void StackView::mark(int step, const QString& why) {
  marked_ = step;
  why_ = why;
  show_marked();
}

void StackView::show_marked() {
  filling_ = true;
  for (int i = 0; i < list_->count(); ++i) {
    QListWidgetItem* item = list_->item(i);
    const bool bad = i == marked_;
    const Step& step = document_.recipe().steps[static_cast<std::size_t>(i)];
    const FilterInfo& info = Registry::get().at(step.filter).filter->info();
    item->setIcon(bad ? style()->standardIcon(QStyle::SP_MessageBoxWarning) : QIcon());
    item->setForeground(bad ? QBrush(error_color(palette())) : QBrush());
    item->setToolTip(bad ? plain_tip(why_) : model_text(info.summary));
    item->setData(Qt::AccessibleDescriptionRole, bad ? why_ : QString());
  }
  filling_ = false;
}

void StackView::draw_icons() {
  up_->setIcon(step_icon(StepIcon::up, *this));
  down_->setIcon(step_icon(StepIcon::down, *this));
  duplicate_->setIcon(step_icon(StepIcon::duplicate, *this));
  remove_->setIcon(step_icon(StepIcon::remove, *this));
}

void StackView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  draw_icons();
  show_marked();
}

void StackView::update_buttons() {
  const int current = document_.current();
  up_->setEnabled(current > 0);
  down_->setEnabled(current >= 0 && current + 1 < document_.size());
  duplicate_->setEnabled(current >= 0);
  remove_->setEnabled(current >= 0);
}

}  // namespace sfumato::gui
