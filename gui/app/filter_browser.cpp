// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The registry as a tree.
#include "app/filter_browser.hpp"

#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <map>

#include "filters/registry.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int id_role = Qt::UserRole, words_role = Qt::UserRole + 1;

}  // namespace

FilterBrowser::FilterBrowser(QWidget* parent)
    : QWidget(parent), search_(new QLineEdit(this)), tree_(new QTreeWidget(this)) {
  search_->setPlaceholderText(tr("Search filters"));
  search_->setClearButtonEnabled(true);
  search_->setAccessibleName(tr("Search filters"));
  tree_->setHeaderHidden(true);
  tree_->setAccessibleName(tr("Filters"));
  tree_->setRootIsDecorated(true);
  tree_->setUniformRowHeights(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(search_);
  layout->addWidget(tree_);

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
    }
    auto* item = new QTreeWidgetItem(category, {model_text(info.label)});
    item->setToolTip(0, model_text(info.summary));
    item->setData(0, id_role, QString::fromStdString(info.id));
    item->setData(
        0, words_role,
        (model_text(info.label) + QLatin1Char(' ') + QString::fromStdString(info.id) +
         QLatin1Char(' ') + model_text(info.summary) + QLatin1Char(' ') + model_text(info.category))
            .toLower());
  }
  tree_->expandAll();
  connect(search_, &QLineEdit::textChanged, this, &FilterBrowser::narrow);
  connect(search_, &QLineEdit::returnPressed, this, &FilterBrowser::choose);
  connect(tree_, &QTreeWidget::itemActivated, this, &FilterBrowser::choose);
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
  if (!wanted.isEmpty() && first != nullptr) tree_->setCurrentItem(first);
}

void FilterBrowser::choose() {
  const QTreeWidgetItem* item = tree_->currentItem();
  if (item == nullptr || item->isHidden()) return;
  const QString id = item->data(0, id_role).toString();
  if (!id.isEmpty()) Q_EMIT chosen(id.toStdString());
}

}  // namespace sfumato::gui
