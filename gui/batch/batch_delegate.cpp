// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Painted directly: thousands of widgets would be slow.
#include "batch/batch_delegate.hpp"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "batch/batch_model.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int margin = 6, picture_width = 56, bar_width = 120, bar_height = 4;

// Aligned to screen pixels, centred in `in`.
void draw_picture(QPainter& painter, const QRect& in, const QImage& image) {
  const double scale = painter.device()->devicePixelRatioF();
  const QSizeF size = QSizeF(image.size() / scale).scaled(in.size(), Qt::KeepAspectRatio);
  QRectF place(QPointF(), size);
  place.moveCenter(QRectF(in).center());
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(place, image);
}

void draw_bar(QPainter& painter, const QRect& in, double part, const QColor& color) {
  QColor ground = color;
  ground.setAlphaF(0.2F);
  painter.setPen(Qt::NoPen);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(ground);
  painter.drawRoundedRect(in, bar_height / 2.0, bar_height / 2.0);
  QRect done = in;
  done.setWidth(static_cast<int>(in.width() * std::clamp(part, 0.0, 1.0)));
  painter.setBrush(color);
  painter.drawRoundedRect(done, bar_height / 2.0, bar_height / 2.0);
}

bool is_at_work(FileState state) {
  return state == FileState::reading || state == FileState::filtering ||
         state == FileState::writing;
}

double part_of(FileState state, double part) {
  return state == FileState::reading ? 0 : state == FileState::writing ? 1 : part;
}

}  // namespace

void BatchDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                          const QModelIndex& index) const {
  QStyleOptionViewItem option = given;  // only the background; the content is drawn below
  option.index = index;
  const QStyle& style = option.widget != nullptr ? *option.widget->style() : *QApplication::style();
  style.drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);

  const bool selected = (option.state & QStyle::State_Selected) != 0;
  const auto group =
      (option.state & QStyle::State_Active) != 0 ? QPalette::Active : QPalette::Inactive;
  const QColor text =
      option.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
  const QColor faint = selected ? text : muted(option.palette, 0.65);
  const auto state = static_cast<FileState>(index.data(BatchModel::state_role).toInt());
  const bool failed = state == FileState::failed;
  const QColor loud = selected ? text : error_color(option.palette);

  painter->save();
  QRect rest = option.rect.adjusted(margin, margin / 2, -margin, -margin / 2);
  QRect picture = rest;
  picture.setWidth(picture_width);
  rest.setLeft(picture.right() + 2 * margin);
  const bool mirrored = option.direction == Qt::RightToLeft;
  const auto place = [&](const QRect& at) {
    return mirrored ? QStyle::visualRect(option.direction, option.rect, at) : at;
  };
  const auto image = index.data(Qt::DecorationRole).value<QImage>();
  if (!image.isNull()) draw_picture(*painter, place(picture), image);

  const QString word = state_text(state);
  if (!word.isEmpty()) {
    QRect at = rest;
    at.setLeft(std::max(rest.left(), rest.right() - bar_width));
    rest.setRight(at.left() - margin);
    painter->setPen(failed ? loud : state == FileState::done ? text : faint);
    const bool works = is_at_work(state);
    const QRect line = works ? at.adjusted(0, 0, 0, -bar_height - 4) : at;
    painter->drawText(place(line), Qt::AlignRight | Qt::AlignVCenter, word);
    if (works) {
      const QRect bar(at.left(), at.bottom() - bar_height - 4, at.width(), bar_height);
      const QColor color = selected ? text : option.palette.color(group, QPalette::Highlight);
      draw_bar(*painter, place(bar), part_of(state, index.data(BatchModel::part_role).toDouble()),
               color);
    }
  }

  const int half = rest.height() / 2;
  const QFontMetrics metrics(option.font);
  painter->setFont(option.font);
  painter->setPen(text);
  const auto line = [&](const QRect& at, Qt::Alignment up, const QString& words) {
    painter->drawText(place(at), static_cast<int>(Qt::AlignLeading | up),
                      metrics.elidedText(words, Qt::ElideMiddle, at.width()));
  };
  line({rest.left(), rest.top(), rest.width(), half - 1}, Qt::AlignBottom,
       index.data(Qt::DisplayRole).toString());
  painter->setPen(failed ? loud : faint);
  line({rest.left(), rest.top() + half + 1, rest.width(), half - 1}, Qt::AlignTop,
       index.data(BatchModel::detail_role).toString());
  painter->restore();
}

QSize BatchDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {picture_width + 200, std::max(46, 2 * option.fontMetrics.height() + 2 * margin)};
}

}  // namespace sfumato::gui
