// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Several filters one after another on a host's picture: the editor's list of steps with OK and
// Cancel.
#pragma once

#include <QDialog>

#include "dialog/host_layers.hpp"
#include "document/document.hpp"
#include "preview/preview_renderer.hpp"

class QAbstractButton;
class QLabel;
class QMimeData;

namespace sfumato::gui {
class FilterBrowser;
class ParameterPanel;
class PreviewPane;
class PreviewView;
class ResponsePlot;
}  // namespace sfumato::gui

namespace sfumato::hosts {

/// The recipe file that is dragged over a window or dropped on it; empty: it is something else.
QString dropped_recipe(const QMimeData* data);

/// Steps are added from the browser, taken from presets, or loaded from a recipe file that is
/// opened or dropped. The pixels are only previewed: the host applies the recipe itself. GUI
/// thread.
class RecipeDialog : public QDialog {
  Q_OBJECT

 public:
  /// Begins with `recipe`. `layers` (may be null) are the host's, and must outlive the dialog;
  /// their files are aligned with the picture's own, which the picture must then name.
  RecipeDialog(const gui::PicturePtr& picture, const Recipe& recipe, SessionOptions options,
               gui::HostLayers* layers, QWidget* parent = nullptr);
  ~RecipeDialog() override;

  /// The recipe that OK applies; it refers to layers by name.
  const Recipe& recipe() const { return document_.recipe(); }
  /// Replaces the steps by those of a recipe file, or shows in the window what is wrong with it.
  void open_recipe(const QString& path);

  gui::Document& document() { return document_; }
  gui::PreviewView& preview();
  gui::ParameterPanel& parameters() { return *parameters_; }
  /// Shows a sentence until something is changed.
  void say(const QString& sentence);
  /// The text shown below the preview; empty if it is hidden.
  QString notice() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void set_up(const gui::PicturePtr& picture);
  QWidget* make_left();
  QWidget* make_right();
  void follow_document();
  void choose_file();
  void show_current();
  void show_recipe();

  gui::PreviewRenderer renderer_;
  gui::Document document_;
  gui::HostLayers* layers_;
  gui::FilterBrowser* browser_;
  gui::PreviewPane* pane_;
  gui::ParameterPanel* parameters_;
  gui::ResponsePlot* response_;
  QAbstractButton* accept_ = nullptr;
};

}  // namespace sfumato::hosts
