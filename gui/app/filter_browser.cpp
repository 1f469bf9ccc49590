// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The registry as a tree.
#include "app/filter_browser.hpp"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "filters/registry.hpp"
#include "params/model_text.hpp"
#include "preview/thumbnails.hpp"

namespace sfumato::gui {
namespace {

constexpr int id_role = Qt::UserRole, words_role = Qt::UserRole + 1;
constexpr QSize icon_size(56, 42);
constexpr double rounding = 3;  // of an icon's corners

QString words_of(const FilterInfo& info) {
  const QStringList words{label_of(info), QString::fromStdString(info.id), model_text(info.summary),
                          model_text(info.category)};
  return words.join(QLatin1Char(' ')).toLower();
}

// The centre of the image at full size, or a flat tone without one. `faint`: the unfiltered
// picture, as a placeholder.
QIcon icon_of(const QImage& image, const QPalette& palette, double ratio, bool faint) {
  QPixmap icon(icon_size * ratio);
  icon.setDevicePixelRatio(ratio);
  icon.fill(Qt::transparent);
  QPainter painter(&icon);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath outline;
  outline.addRoundedRect(QRectF(QPointF(), icon_size), rounding, rounding);
  painter.setClipPath(outline);
  painter.fillPath(outline, muted(palette, 0.08));
  if (!image.isNull()) {
    const QSize whole = image.size().scaled(icon.size(), Qt::KeepAspectRatioByExpanding);
    QImage aligned = image.scaled(whole, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    aligned.setDevicePixelRatio(ratio);
    const QSizeF over = QSizeF(whole) / ratio - icon_size;
    if (faint) painter.setOpacity(0.35);
    painter.drawImage(QPointF(-over.width() / 2, -over.height() / 2), aligned);
  }
  painter.end();
  QIcon result(icon);
  result.addPixmap(icon, QIcon::Selected);  // not tinted, since its colours are the content
  return result;
}

// What the filter does, what it needs, and how to add it.
QString help_of(const FilterInfo& info) {
  QStringList lines{model_text(info.summary)};
  if (std::any_of(info.roles.begin(), info.roles.end(),
                  [](const RoleInfo& role) { return role.required; })) {
    lines << FilterBrowser::tr("Needs another picture, to be set in its parameters.");
  }
  lines << FilterBrowser::tr("Double click or Return adds it.");
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

FilterBrowser::FilterBrowser(QWidget* parent)
    : QWidget(parent),
      search_(new QLineEdit(this)),
      tree_(new QTreeWidget(this)),
      nothing_(new QLabel(tr("No filter of that name"), this)),
      thumbnails_(std::make_unique<Thumbnails>()) {
  search_->setPlaceholderText(tr("Search filters"));
  search_->setClearButtonEnabled(true);
  search_->setAccessibleName(tr("Search filters"));
  tree_->setHeaderHidden(true);
  tree_->setAccessibleName(tr("Filters"));
  tree_->setRootIsDecorated(false);
  tree_->setIndentation(6);
  tree_->setIconSize(icon_size);
  tree_->setWordWrap(true);  // beside an icon there is room for two lines
  tree_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(search_);
  layout->addWidget(tree_);
  nothing_->setAlignment(Qt::AlignHCenter);
  nothing_->setForegroundRole(QPalette::PlaceholderText);
  nothing_->hide();
  layout->addWidget(nothing_);
  search_->setToolTip(tr("Return adds the selected filter"));
  fill();
  connect(search_, &QLineEdit::textChanged, this, &FilterBrowser::narrow);
  connect(search_, &QLineEdit::returnPressed, this, &FilterBrowser::choose);
  connect(tree_, &QTreeWidget::itemActivated, this, &FilterBrowser::choose);
  connect(thumbnails_.get(), &Thumbnails::ready, this, &FilterBrowser::show_thumbnail);
  connect(thumbnails_.get(), &Thumbnails::began, this, &FilterBrowser::show_thumbnails);
}

FilterBrowser::~FilterBrowser() = default;

void FilterBrowser::fill() {
  std::map<std::string, QTreeWidgetItem*> categories;
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    QTreeWidgetItem*& category = categories[info.category];
    if (category == nullptr) {
      category = new QTreeWidgetItem(tree_, {model_text(info.category)});
      category->setFlags(Qt::ItemIsEnabled);
      QFont bold = category->font(0);
      bold.setBold(true);
      category->setFont(0, bold);
      category->setSizeHint(0, {0, fontMetrics().height() + 12});
    }
    auto* item = new QTreeWidgetItem(category, {label_of(info)});
    item->setToolTip(0, help_of(info));
    item->setData(0, id_role, QString::fromStdString(info.id));
    item->setData(0, words_role, words_of(info));
    item->setSizeHint(0, {0, icon_size.height() + 6});
    items_[info.id] = item;
    show_thumbnail(info.id);
  }
  tree_->sortItems(0, Qt::AscendingOrder);  // by displayed text, in any language
  tree_->expandAll();
}

void FilterBrowser::set_picture(const PicturePtr& picture) {
  thumbnails_->set_picture(picture);
  show_thumbnails();
}

// Filters without a thumbnail yet share one small image of the picture itself.
void FilterBrowser::show_thumbnails() {
  const QIcon original = icon_of(thumbnails_->original(), palette(), devicePixelRatioF(), true);
  for (const auto& [id, item] : items_) {
    if (thumbnails_->thumbnail(id).isNull()) {
      item->setIcon(0, original);
    } else {
      show_thumbnail(id);
    }
  }
}

void FilterBrowser::show_thumbnail(const std::string& filter) {
  const QImage own = thumbnails_->thumbnail(filter);
  const QImage& image = own.isNull() ? thumbnails_->original() : own;
  items_.at(filter)->setIcon(0, icon_of(image, palette(), devicePixelRatioF(), own.isNull()));
}

void FilterBrowser::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) show_thumbnails();
}

void FilterBrowser::focus_search() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

void FilterBrowser::narrow(const QString& words) {
  const QStringList wanted = words.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QTreeWidgetItem* first = nullptr;
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* category = tree_->topLevelItem(i);
    bool any = false;
    for (int j = 0; j < category->childCount(); ++j) {
      QTreeWidgetItem* item = category->child(j);
      const QString text = item->data(0, words_role).toString();
      const bool fits = std::all_of(wanted.begin(), wanted.end(),
                                    [&](const QString& word) { return text.contains(word); });
      item->setHidden(!fits);
      any = any || fits;
      if (fits && first == nullptr) first = item;
    }
    category->setHidden(!any);
  }
  nothing_->setVisible(first == nullptr);
  if (!wanted.isEmpty() && first != nullptr) tree_->setCurrentItem(first);
}

void FilterBrowser::choose() {
  const QTreeWidgetItem* item = tree_->currentItem();
  if (item == nullptr || item->isHidden()) return;
  const QString id = item->data(0, id_role).toString();
  if (!id.isEmpty()) Q_EMIT chosen(id.toStdString());
}

}  // namespace sfumato::gui
