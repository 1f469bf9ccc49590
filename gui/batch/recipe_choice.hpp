// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which recipe a batch runs: the editor's steps, a preset, or a file.
#pragma once

#include <QComboBox>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/presets.hpp"

namespace sfumato::gui {

/// Presets and files are read beside the GUI thread; changed() comes when another recipe is there.
class RecipeChoice : public QComboBox {
  Q_OBJECT

 public:
  explicit RecipeChoice(std::filesystem::path folder, QWidget* parent = nullptr);

  const Recipe& recipe() const { return recipe_; }
  /// As names of files have it: a preset's id, a file's stem, "recipe" for the editor's steps.
  const std::string& name() const { return name_; }
  bool is_chosen() const { return !recipe_.steps.empty(); }

  /// Offers these steps under "The editor's steps", and chooses them where nothing else is.
  void offer_steps(const Recipe& steps);
  /// A recipe's file, or a preset's id.
  void take(const QString& word);

 Q_SIGNALS:
  void changed();
  /// One sentence: a file that is no recipe, a preset that there is not.
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
  std::vector<Offer> offers_;  // the editor's steps, files
  std::string awaited_;        // a preset's id that was wanted before presets were read
  bool presets_read_ = false;
  Recipe recipe_;
  std::string name_;
  QString key_;  // of the entry that is chosen
};

}  // namespace sfumato::gui
