// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Entries are identified by keys, "preset:bloom" or "offer:0", so that the list may grow.
#include "batch/recipe_choice.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QStandardItemModel>
#include <algorithm>
#include <map>

#include "app/preset_news.hpp"
#include "document/background.hpp"
#include "document/fault.hpp"
#include "document/recipe_file.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr QLatin1String file_key("file");

QString preset_key(const Preset& preset) {
  return QStringLiteral("preset:") + QString::fromStdString(preset.id);
}

}  // namespace

RecipeChoice::RecipeChoice(std::filesystem::path folder, QWidget* parent) : QComboBox(parent) {
  setAccessibleName(tr("Recipe"));
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(18);
  setMaxVisibleItems(22);
  fill();
  connect(this, &QComboBox::activated, this, &RecipeChoice::choose);
  connect(&PresetNews::get(), &PresetNews::changed, this, [this, folder] { read_presets(folder); });
  read_presets(std::move(folder));
}

void RecipeChoice::read_presets(std::filesystem::path folder) {
  in_background(
      this, [folder = std::move(folder)] { return Presets(folder).all(); },
      [this](const std::vector<Preset>& presets) {
        presets_ = presets;
        presets_read_ = true;
        fill();
        if (!awaited_.empty()) take(QString::fromStdString(std::exchange(awaited_, {})));
      });
}

void RecipeChoice::add_heading(const QString& text) {
  addItem(text);
  auto* items = qobject_cast<QStandardItemModel*>(model());
  QStandardItem* item = items->item(count() - 1);
  item->setFlags(Qt::NoItemFlags);
  QFont bold = font();
  bold.setBold(true);
  item->setFont(bold);
}

void RecipeChoice::fill() {
  const QSignalBlocker quiet(this);
  clear();
  setPlaceholderText(tr("Choose a recipe"));
  for (std::size_t i = 0; i < offers_.size(); ++i) {
    addItem(offers_[i].label, QStringLiteral("offer:%1").arg(i));
  }
  std::map<QString, std::vector<const Preset*>> categories;
  for (const Preset& preset : presets_) categories[model_text(preset.category)].push_back(&preset);
  for (const auto& [category, presets] : categories) {
    add_heading(category);
    for (const Preset* preset : presets) {
      addItem(model_text(preset->name), preset_key(*preset));
      setItemData(count() - 1, plain_tip(model_text(preset->summary)), Qt::ToolTipRole);
    }
  }
  insertSeparator(count());
  addItem(tr("A recipe file…"), file_key);
  setCurrentIndex(key_.isEmpty() ? -1 : findData(key_));
}

void RecipeChoice::choose(int index) {
  const QString key = itemData(index).toString();
  if (key == file_key) {
    setCurrentIndex(findData(key_));
    return browse();
  }
  if (key.startsWith(QLatin1String("offer:"))) {
    const Offer& offer = offers_[static_cast<std::size_t>(key.mid(6).toInt())];
    recipe_ = offer.recipe;
    name_ = offer.name;
    key_ = key;
    setCurrentIndex(index);
    Q_EMIT changed();
    return;
  }
  for (const Preset& preset : presets_) {
    if (preset_key(preset) == key) return choose_preset(preset);
  }
}

void RecipeChoice::choose_preset(const Preset& preset) {
  try {
    recipe_ = preset.recipe();
  } catch (const std::exception& error) {
    setCurrentIndex(findData(key_));
    Q_EMIT failed(fault_of(error));
    return;
  }
  name_ = preset.id;
  key_ = preset_key(preset);
  setCurrentIndex(findData(key_));
  Q_EMIT changed();
}

void RecipeChoice::browse() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Choose a recipe"), {}, tr("Recipes (*.json)"));
  if (!path.isEmpty()) read(path);
}

void RecipeChoice::read(const QString& path) {
  in_background(
      this, [path] { return read_recipe(path); },
      [this, path](const ReadRecipe& read) {
        if (!read.fault.isEmpty()) {
          Q_EMIT failed(read.fault);
          return;
        }
        const QFileInfo file(path);
        const Offer offer{file.fileName(), file.completeBaseName().toStdString(), read.recipe};
        const auto same = std::find_if(offers_.begin(), offers_.end(),
                                       [&](const Offer& one) { return one.label == offer.label; });
        const auto at = same - offers_.begin();
        same == offers_.end() ? offers_.push_back(offer) : static_cast<void>(*same = offer);
        fill();
        choose(findData(QStringLiteral("offer:%1").arg(at)));
      });
}

void RecipeChoice::offer_steps(const Recipe& steps) {
  const QString label = tr("The editor’s steps");
  const auto same = std::find_if(offers_.begin(), offers_.end(),
                                 [&](const Offer& one) { return one.label == label; });
  const auto at = same - offers_.begin();
  if (steps.steps.empty() && same == offers_.end()) return;
  const Offer offer{label, "recipe", steps};
  same == offers_.end() ? offers_.push_back(offer) : static_cast<void>(*same = offer);
  fill();
  const QString key = QStringLiteral("offer:%1").arg(at);
  if (key_.isEmpty() || key_ == key) choose(findData(key));
}

void RecipeChoice::take(const QString& word) {
  // No disk access needed: presets are not paths.
  if (word.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ||
      word.contains(QLatin1Char('/'))) {
    return read(word);
  }
  if (!presets_read_) {
    awaited_ = word.toStdString();
    return;
  }
  for (const Preset& preset : presets_) {
    if (preset.id == word.toStdString()) return choose_preset(preset);
  }
  Q_EMIT failed(tr("There is no preset “%1”.").arg(word));
}

}  // namespace sfumato::gui
