// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Draws a file of a batch.
#pragma once

#include <QStyledItemDelegate>

namespace sfumato::gui {

/// A thumbnail, the name above its folder or outcome, and on the right its state, with a bar while
/// it is being filtered.
class BatchDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace sfumato::gui
