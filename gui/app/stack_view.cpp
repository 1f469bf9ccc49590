// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The list of steps and its buttons.
#include "app/stack_view.hpp"

#include <QAbstractItemModel>
#include <QHBoxLayout>
#include <QListWidget>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "document/document.hpp"
#include "filters/registry.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {

StackView::StackView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), list_(new QListWidget(this)) {
  list_->setAccessibleName(tr("Steps"));
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setDefaultDropAction(Qt::MoveAction);
  const auto button = [this](const QString& text, QStyle::StandardPixmap icon) {
    auto* made = new QToolButton(this);
    made->setAutoRaise(true);
    made->setIcon(style()->standardIcon(icon));
    made->setToolTip(text);
    made->setAccessibleName(text);
    return made;
  };
  up_ = button(tr("Move up"), QStyle::SP_ArrowUp);
  down_ = button(tr("Move down"), QStyle::SP_ArrowDown);
  duplicate_ = button(tr("Duplicate step"), QStyle::SP_FileDialogNewFolder);
  remove_ = button(tr("Remove step"), QStyle::SP_TrashIcon);

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
  // The list is filled anew when the drop is over.
  connect(list_->model(), &QAbstractItemModel::rowsMoved, this,
          [this] { QTimer::singleShot(0, this, &StackView::moved); });
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
    list_->addItem(item);
  }
  list_->setCurrentRow(document_.current());
  filling_ = false;
  update_buttons();
}

// Tells the document which step was dragged where.
void StackView::moved() {
  for (int row = 0; row < list_->count(); ++row) {
    const int was = list_->item(row)->data(Qt::UserRole).toInt();
    if (was == row) continue;
    // Of a move down, the first row that differs holds the step after the dragged one.
    const bool down = was == row + 1;
    int from = was, to = row;
    if (down) {
      from = row;
      for (to = row; list_->item(to)->data(Qt::UserRole).toInt() != from;) ++to;
    }
    document_.move_step(from, to);
    return;
  }
}

void StackView::update_buttons() {
  const int current = document_.current();
  up_->setEnabled(current > 0);
  down_->setEnabled(current >= 0 && current + 1 < document_.size());
  duplicate_->setEnabled(current >= 0);
  remove_->setEnabled(current >= 0);
}

}  // namespace sfumato::gui
