// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's window for comparisons.
#include "app/main_window.hpp"
#include "app/preset_menu.hpp"
#include "compare/compare_window.hpp"

namespace sfumato::gui {

CompareWindow& MainWindow::comparison() {
  if (comparison_) return *comparison_;
  comparison_ = new CompareWindow;
  comparison_->setAttribute(Qt::WA_DeleteOnClose);
  connect(comparison_, &CompareWindow::taken, this,
          [this](const Recipe& recipe, const QString& title) {
            document_.replace_recipe(recipe, tr("Take “%1”").arg(title));
          });
  return *comparison_;
}

void MainWindow::open_comparison() {
  const PicturePtr picture = picture_or_notice();
  if (!picture) return;
  commit_editing();
  CompareWindow& window = comparison();
  if (!window.is_running()) {
    window.set_up(picture, document_.recipe(), document_.current(), presets_->presets(),
                  settings_.session());
  }
  window.show();
  window.raise();
  window.activateWindow();
}

}  // namespace sfumato::gui
