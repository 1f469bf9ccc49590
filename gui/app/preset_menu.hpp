// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The presets, built-in and the user's, by category; the user's are kept, named and deleted here.
#pragma once

#include <QMenu>
#include <functional>
#include <vector>

#include "engine/presets.hpp"

namespace sfumato::gui {

class Document;

/// Lists presets as they were when refresh() was last done; files are read and written beside the
/// GUI thread, and what goes wrong comes as failed().
class PresetMenu : public QMenu {
  Q_OBJECT

 public:
  PresetMenu(Document& document, std::filesystem::path folder, QWidget* parent = nullptr);

  /// Reads the presets again; refreshed() comes when the menu shows them.
  void refresh();
  const std::vector<Preset>& presets() const { return presets_; }

  /// Replaces the document's steps by the preset's.
  void apply(const Preset& preset);
  /// Keeps the document's steps under this title; `replace` where the user agreed to that.
  void save_as(const QString& title, bool replace);
  void rename(const Preset& preset, const QString& title);
  void remove(const Preset& preset);
  /// Takes a recipe file into the user's presets, under the name it has, with a number where
  /// another preset has that name.
  void import_file(const QString& path);
  void export_to(const Preset& preset, const QString& path);

 Q_SIGNALS:
  void refreshed();
  void failed(const QString& sentence);
  void done(const QString& sentence);

 private:
  void fill();
  void fill_own();
  void ask_title();
  /// Does it beside the GUI thread, says what `body` returns, and lets all windows read again.
  void work(std::function<QString()> body);

  Document& document_;
  QAction* save_ = nullptr;
  std::filesystem::path folder_;
  std::vector<Preset> presets_;
  std::vector<QMenu*> submenus_;
};

}  // namespace sfumato::gui
