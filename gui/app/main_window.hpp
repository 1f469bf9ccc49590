// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's window: filters and steps on the left, the picture in the middle, the parameters of
// the current step on the right.
#pragma once

#include <QMainWindow>
#include <filesystem>
#include <thread>

#include "document/document.hpp"
#include "document/exporter.hpp"
#include "preview/renderer.hpp"

class QLabel;
class QProgressBar;
class QToolButton;

namespace sfumato::gui {

class FilterBrowser;
class MessageBar;
class ParameterPanel;
class PreviewView;
class StackView;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `device` as choose_devices() takes it.
  explicit MainWindow(const std::string& device = "auto", QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Opens a picture or a recipe, by what it is. Returns at once; messages come in the window.
  void open_file(const QString& path);
  /// Writes the result to a new file, or over one if `overwrite`.
  void export_to(const QString& path, bool overwrite);
  void save_recipe_to(const QString& path);

  Document& document() { return document_; }
  PreviewView& preview() { return *preview_; }
  ParameterPanel& parameters() { return *parameters_; }
  FilterBrowser& browser() { return *browser_; }
  Exporter& exporter() { return exporter_; }
  MessageBar& messages() { return *messages_; }

 Q_SIGNALS:
  /// After open_file(): the picture is there, or `fault` says why it is not.
  void opened(const QString& fault);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void make_docks();
  void make_actions();
  void make_preset_menu(class QMenu& menu);
  void make_status_bar();
  void open_recipe(const QString& path);
  void take_picture(PicturePtr picture, const QString& fault);
  void show_current_step();
  void update_title();
  void choose_picture();
  void choose_recipe();
  void choose_recipe_target();
  void choose_export_target();
  void remember(const QString& path);
  bool may_lose_changes();

  std::string device_;
  Document document_;
  Renderer renderer_;
  Exporter exporter_;
  std::thread opening_;
  QString recipe_path_;
  PreviewView* preview_;
  MessageBar* messages_;
  FilterBrowser* browser_ = nullptr;
  StackView* stack_ = nullptr;
  ParameterPanel* parameters_ = nullptr;
  class QMenu* recent_ = nullptr;
  QLabel *place_ = nullptr, *values_ = nullptr, *zoom_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QToolButton* cancel_ = nullptr;
};

}  // namespace sfumato::gui
