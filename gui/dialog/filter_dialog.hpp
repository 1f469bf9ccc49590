// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One filter on one picture: the editor's preview and parameters with OK and Cancel, for hosts.
#pragma once

#include <QDialog>
#include <map>
#include <string>

#include "dialog/host_layers.hpp"
#include "document/opened_picture.hpp"
#include "preview/preview_renderer.hpp"

class QComboBox;
class QLabel;

namespace sfumato::gui {

class FilterBrowser;
class ParameterPanel;
class PreviewPane;
class PreviewView;
class ResponsePlot;

/// The initial state of the dialog.
struct FilterChoice {
  std::string filter;    ///< the only filter; empty: any, with a browser
  std::string category;  ///< initial category of the browser; empty: the first
  /// Initial values, completed by defaults; with a browser, they belong to the filter `first`.
  Values values = {};
  std::string first = {};
};

/// The host supplies the picture (or the part to filter) and receives a recipe of one step. The
/// dialog only reads the pixels: the host applies the recipe itself. GUI thread of the host's
/// process, which needs a QApplication.
class FilterDialog : public QDialog {
  Q_OBJECT

 public:
  /// Starts with the filter at `values`, completed by defaults, or with a browser of all filters if
  /// `filter` is empty. Throws ParameterError for an unknown filter.
  FilterDialog(PicturePtr picture, const std::string& filter, const Values& values = {},
               SessionOptions options = {}, QWidget* parent = nullptr);
  /// For a host whose document has other layers (may be null); they must outlive the dialog. Layer
  /// files refer to the picture's own file, so the picture must have one.
  FilterDialog(PicturePtr picture, const FilterChoice& choice, SessionOptions options,
               HostLayers* layers, QWidget* parent = nullptr);
  ~FilterDialog() override;

  /// The recipe that OK applies.
  const Recipe& recipe() const { return recipe_; }

  PreviewView& preview();
  ParameterPanel& parameters() { return *parameters_; }
  ResponsePlot& response() { return *response_; }
  PreviewRenderer& renderer() { return renderer_; }
  /// Shows a message of the host until something is changed.
  void say(const QString& sentence);
  /// The visible text below the preview.
  QString notice() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void set_up(const PicturePtr& picture, const FilterChoice& choice);
  void set_up_browser(const PicturePtr& picture);
  void set_up_presets();
  QWidget* make_right();
  void choose_filter(const std::string& filter, const Values& values);
  void go_to(const std::string& filter);
  void show_recipe();
  void take_preset(int index);
  void fill_presets();
  void show_preset();

  PreviewRenderer renderer_;
  Recipe recipe_;
  HostLayers* layers_;
  std::map<std::string, Values> left_;  ///< the last values of filters shown before
  std::vector<Values> preset_values_;
  PreviewPane* pane_;
  ParameterPanel* parameters_;
  ResponsePlot* response_;
  FilterBrowser* browser_ = nullptr;
  QComboBox* presets_;
  QLabel *title_, *summary_;
};

}  // namespace sfumato::gui
