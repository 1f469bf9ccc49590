// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a file of a batch is drawn.
#pragma once

#include <QStyledItemDelegate>

namespace sfumato::gui {

/// A small picture, the name over its folder or what became of it, and at the right its state with
/// a bar while it is filtered.
class BatchDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace sfumato::gui
