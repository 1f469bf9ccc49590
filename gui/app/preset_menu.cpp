// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The menu, and operations on the user's presets.
#include "app/preset_menu.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <map>

#include "app/preset_news.hpp"
#include "app/question.hpp"
#include "app/save_target.hpp"
#include "document/background.hpp"
#include "document/document.hpp"
#include "document/fault.hpp"
#include "document/paths.hpp"
#include "engine/user_presets.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"
#include "params/core_text.hpp"
#include "params/keyboard.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
PresetMenu::PresetMenu(Document& document, std::filesystem::path folder, QWidget* parent)
    : QMenu(tr("&Presets"), parent), document_(document), folder_(std::move(folder)) {
  setToolTipsVisible(true);
  fill();
  refresh();
  connect(&PresetNews::get(), &PresetNews::changed, this, &PresetMenu::refresh);
  connect(&document_, &Document::stack_changed, this,
          [this] { save_->setEnabled(document_.size() > 0); });
}

void PresetMenu::refresh() {
  struct Read {
    std::vector<Preset> presets;
    QStringList damaged;
  };
  in_background(
      this,
      [folder = folder_] {
        const Presets presets(folder);
        Read read{presets.all(), {}};
        for (const DamagedPreset& d : presets.damaged()) read.damaged << core_text(d.why);
        return read;
      },
      [this](const Read& read) {
        presets_ = read.presets;
        fill();
        if (!read.damaged.isEmpty()) Q_EMIT failed(read.damaged.join(QLatin1Char('\n')));
        Q_EMIT refreshed();
      });
}

void PresetMenu::fill() {
  clear();
  for (QMenu* submenu : submenus_) submenu->deleteLater();
  submenus_.clear();
  std::map<std::string, QMenu*> categories;
  for (const Preset& preset : presets_) {
    QMenu*& category = categories[preset.category];
    if (category == nullptr) {
      category = addMenu(menu_text(model_text(preset.category)));
      category->setToolTipsVisible(true);
      submenus_.push_back(category);
    }
    QAction* action = category->addAction(menu_text(model_text(preset.name)), this,
                                          [this, preset] { apply(preset); });
    action->setToolTip(plain_tip(model_text(preset.summary)));
  }
  addSeparator();
  save_ = addAction(tr("&Save as preset…"), QKeySequence(tr("Ctrl+Shift+S")), this,
                    &PresetMenu::ask_title);
  save_->setEnabled(document_.size() > 0);
  addAction(tr("&Import preset…"), QKeySequence(tr("Ctrl+Shift+I")), this, [this] {
    const QString path = QFileDialog::getOpenFileName(parentWidget(), tr("Import a preset"), {},
                                                      tr("Recipes (*.json)"));
    if (!path.isEmpty()) import_file(path);
  });
  fill_own();
  fill_mnemonics(*this);
  for (QMenu* submenu : submenus_) fill_mnemonics(*submenu);
}

// Operations on one of the user's own presets.
void PresetMenu::fill_own() {
  QMenu* own = addMenu(tr("&Own presets"));
  submenus_.push_back(own);
  for (const Preset& preset : presets_) {
    if (preset.built_in()) continue;
    QMenu* entry = own->addMenu(menu_text(QString::fromStdString(preset.name)));
    entry->addAction(tr("&Rename…"), this, [this, preset] {
      const QString title =
          QInputDialog::getText(parentWidget(), tr("Rename the preset"), tr("Name:"),
                                QLineEdit::Normal, QString::fromStdString(preset.name));
      if (!title.trimmed().isEmpty()) rename(preset, title);
    });
    entry->addAction(tr("&Export…"), this, [this, preset] {
      const QString path = choose_target(parentWidget(), tr("Export the preset"),
                                         QString::fromStdString(preset.id + ".json"),
                                         tr("Recipes (*.json)"), QStringLiteral("json"));
      if (!path.isEmpty()) export_to(preset, path);
    });
    entry->addAction(tr("&Delete"), this, [this, preset] {
      const QString question = tr("Delete the preset “%1”? This cannot be undone.")
                                   .arg(QString::fromStdString(preset.name));
      if (ask_before_loss(parentWidget(), tr("Delete the preset"), question)) remove(preset);
    });
  }
  if (own->isEmpty()) own->addAction(tr("None yet"))->setEnabled(false);
}

void PresetMenu::apply(const Preset& preset) {
  try {
    Recipe recipe = preset.recipe();
    // These describe the preset, not what the user makes of it.
    for (const char* member : {"name", "category", "summary"}) recipe.extra.erase(member);
    document_.replace_recipe(recipe, tr("Preset %1").arg(model_text(preset.name)));
  } catch (const std::exception& error) {
    Q_EMIT failed(fault_of(error));
  }
}

void PresetMenu::ask_title() {
  const QString title = QInputDialog::getText(parentWidget(), tr("Save as preset"), tr("Name:"));
  if (title.trimmed().isEmpty()) return;
  const std::string id = preset_id_of(title.trimmed().toStdString());
  for (const Preset& preset : presets_) {
    if (preset.id != id) continue;
    const QString question =
        tr("There is a preset “%1” already. Replace it?").arg(model_text(preset.name));
    if (ask_before_loss(parentWidget(), tr("Save as preset"), question)) save_as(title, true);
    return;
  }
  save_as(title, false);
}

void PresetMenu::work(std::function<QString()> body) {
  struct End {
    QString said, fault;
  };
  in_background(
      this,
      [body = std::move(body)]() -> End {
        try {
          return {body(), {}};
        } catch (const std::exception& error) {
          return {{}, fault_of(error)};
        }
      },
      [this](const End& end) {
        if (end.fault.isEmpty()) {
          Q_EMIT done(end.said);
        } else {
          Q_EMIT failed(end.fault);
        }
        Q_EMIT PresetNews::get().changed();
      });
}

void PresetMenu::save_as(const QString& title, bool replace) {
  Recipe recipe = document_.recipe();
  // A copy of a built-in preset belongs to the user, with a description of its own.
  recipe.extra.erase("summary");
  recipe.extra.erase("category");
  work([folder = folder_, recipe, title, replace] {
    save_preset(folder, title.toStdString(), recipe, replace);
    return tr("Preset “%1” saved.").arg(title.trimmed());
  });
}

void PresetMenu::rename(const Preset& preset, const QString& title) {
  work([preset, title] {
    rename_preset(preset, title.toStdString());
    return tr("Preset renamed to “%1”.").arg(title.trimmed());
  });
}

void PresetMenu::remove(const Preset& preset) {
  work([preset] {
    remove_preset(preset);
    return tr("Preset “%1” deleted.").arg(QString::fromStdString(preset.name));
  });
}

void PresetMenu::import_file(const QString& path) {
  work([folder = folder_, path] {
    const std::string text = files::read_text(native_path(path));
    const QFileInfo file(path);
    const Recipe recipe = parse_recipe(text, Registry::get(), native_path(file.absolutePath()));
    const std::string wanted =
        recipe.extra.text("name").value_or(file.completeBaseName().toStdString());
    const std::string title = free_preset_title(folder, wanted);
    save_preset(folder, title, recipe);
    return tr("Preset “%1” imported.").arg(QString::fromStdString(title));
  });
}

void PresetMenu::export_to(const Preset& preset, const QString& path) {
  work([preset, path] {
    const std::string text =
        print_recipe(preset.recipe(), Registry::get(), native_path(QFileInfo(path).absolutePath()));
    files::replace_text(native_path(path), text);
    return tr("Preset exported.");
  });
}

}  // namespace sfumato::gui
