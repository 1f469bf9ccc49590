// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The choice of a batch's recipe: the editor's steps, a preset, or a file.
#pragma once

#include <QComboBox>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/presets.hpp"

namespace sfumato::gui {

/// Presets and files are read off the GUI thread; changed() is emitted once another recipe is
/// loaded.
class RecipeChoice : public QComboBox {
  Q_OBJECT

 public:
  explicit RecipeChoice(std::filesystem::path folder, QWidget* parent = nullptr);

  const Recipe& recipe() const { return recipe_; }
  /// For file names: a preset's id, a file's stem, or "recipe" for the editor's steps.
  const std::string& name() const { return name_; }
  bool is_chosen() const { return !recipe_.steps.empty(); }

  /// Offers these steps as "The editor's steps", and selects them if nothing else is
  /// selected.
  void offer_steps(const Recipe& steps);
  /// A recipe file, or a preset's id.
  void take(const QString& word);

 Q_SIGNALS:
  void changed();
  /// One sentence about an invalid recipe file or an unknown preset.
  void failed(const QString& sentence);

 private:
  struct Offer {
    QString label;
    std::string name;
    Recipe recipe;
  };
  void read_presets(std::filesystem::path folder);
  void read(const QString& path);
  void fill();
  void add_heading(const QString& text);
  void choose(int index);
  void choose_preset(const Preset& preset);
  void browse();

  std::vector<Preset> presets_;
  std::vector<Offer> offers_;  // the editor's steps and files
  std::string awaited_;        // id of a preset requested before the presets were read
  bool presets_read_ = false;
  Recipe recipe_;
  std::string name_;
  QString key_;  // of the selected entry
};

}  // namespace sfumato::gui
