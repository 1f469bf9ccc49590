// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The presets, built-in and the user's, by category; the user's can be saved, renamed and deleted.
#pragma once

#include <QMenu>
#include <functional>
#include <vector>

#include "engine/presets.hpp"

namespace sfumato::gui {

class Document;

/// Lists presets as of the last refresh(). Files are read and written off the GUI thread; errors
/// are reported through failed().
class PresetMenu : public QMenu {
  Q_OBJECT

 public:
  PresetMenu(Document& document, std::filesystem::path folder, QWidget* parent = nullptr);

  /// Reads the presets again; emits refreshed() once the menu shows them.
  void refresh();
  const std::vector<Preset>& presets() const { return presets_; }

  /// Replaces the document's steps by the preset's.
  void apply(const Preset& preset);
  /// Saves the document's steps under this title; `replace` if the user agreed to it.
  void save_as(const QString& title, bool replace);
  void rename(const Preset& preset, const QString& title);
  void remove(const Preset& preset);
  /// Adds a recipe file to the user's presets under its own name, numbered if the name is taken.
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
  /// Runs `body` off the GUI thread, reports what it returns, and makes all windows reread presets.
  void work(std::function<QString()> body);

  Document& document_;
  QAction* save_ = nullptr;
  std::filesystem::path folder_;
  std::vector<Preset> presets_;
  std::vector<QMenu*> submenus_;
};

}  // namespace sfumato::gui
