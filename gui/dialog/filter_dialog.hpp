// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One filter on one picture: the editor's preview and parameters with OK and Cancel, for hosts.
#pragma once

#include <QDialog>
#include <string>

#include "document/opened_picture.hpp"
#include "preview/renderer.hpp"

class QComboBox;
class QLabel;

namespace sfumato::gui {

class ParameterPanel;
class PreviewView;
class ResponsePlot;

/// The host gives the picture (or the part of it to filter) and gets a recipe of one step back. The
/// pixels are only looked at: the host applies the recipe itself. GUI thread of the host's process,
/// which needs a QApplication.
class FilterDialog : public QDialog {
  Q_OBJECT

 public:
  /// Starts with the filter at `values`, completed by its defaults; with every filter to choose
  /// from where `filter` is empty. Throws ParameterError for an unknown filter.
  FilterDialog(PicturePtr picture, const std::string& filter, const Values& values = {},
               SessionOptions options = {}, QWidget* parent = nullptr);
  ~FilterDialog() override;

  /// What OK applies.
  const Recipe& recipe() const { return recipe_; }

  PreviewView& preview() { return *preview_; }
  ParameterPanel& parameters() { return *parameters_; }
  ResponsePlot& response() { return *response_; }
  Renderer& renderer() { return renderer_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void set_up(bool choose);
  void set_up_choices(bool choose);
  QWidget* make_left();
  QWidget* make_right();
  void use_screen_profile();
  void choose_filter(const std::string& filter, const Values& values);
  void take_preset(int index);
  void fill_presets();

  Renderer renderer_;
  Recipe recipe_;
  std::vector<Values> preset_values_;
  PreviewView* preview_;
  ParameterPanel* parameters_;
  ResponsePlot* response_;
  QComboBox *filters_, *presets_;
  QLabel *summary_, *notice_;
};

}  // namespace sfumato::gui
