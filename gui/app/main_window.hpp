// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's window: filters and steps on the left, the picture in the middle, the parameters of
// the current step on the right.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <filesystem>
#include <functional>

#include "app/settings.hpp"
#include "document/document.hpp"
#include "document/exporter.hpp"
#include "document/recovery.hpp"
#include "preview/preview_renderer.hpp"

class QComboBox;
class QDockWidget;
class QLabel;
class QProgressBar;
class QToolBar;
class QToolButton;

namespace sfumato::gui {

class ExposureSlider;
class CompareWindow;
class FilterBrowser;
class HistogramView;
class MessageBar;
class Navigator;
class ParameterPanel;
class PresetMenu;
class PreviewView;
class ResponsePlot;
class SpectrumView;
class StackView;
class VideoWindow;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(const Settings& settings = {}, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Opens a picture, a movie or a recipe, depending on the file; `channels` as in ReadOptions.
  /// Returns at once; messages appear in the window. A running opening is dropped.
  void open_file(const QString& path, const std::string& channels = {});
  /// Opens the clipboard's content: a picture, or a file's path.
  void paste();
  /// Writes the result to a new file, or replaces one if `overwrite`.
  void export_to(const QString& path, bool overwrite);
  void export_to(const QString& path, const WriteOptions& options);
  void save_recipe_to(const QString& path);
  /// Takes over preferences set in another window.
  void take_settings(const Settings& settings);
  /// Shows the preferences, which apply to all windows.
  void show_preferences();
  /// Offers to restore the work in the folder that an interrupted editor left behind.
  void offer_recovery(const QString& folder = Recovery::default_folder());
  /// Opens recovered work, as unsaved changes.
  void restore(const RecoveredWork& found);
  /// Whether opening a file here would lose nothing: no picture open or being opened, no movie, and
  /// no unsaved steps.
  bool is_vacant() const;

  Document& document() { return document_; }
  PreviewView& preview() { return *preview_; }
  ParameterPanel& parameters() { return *parameters_; }
  FilterBrowser& browser() { return *browser_; }
  PreviewRenderer& renderer() { return renderer_; }
  Exporter& exporter() { return exporter_; }
  MessageBar& messages() { return *messages_; }
  PresetMenu& presets() { return *presets_; }
  Recovery& recovery() { return recovery_; }
  QComboBox& layer_choice() { return *layers_; }
  HistogramView& histogram() { return *histogram_; }
  Navigator& navigator() { return *navigator_; }
  SpectrumView& spectrum() { return *spectrum_; }
  ResponsePlot& response() { return *response_; }
  ExposureSlider& exposure() { return *exposure_; }
  /// The window that compares results on this picture; created on demand.
  CompareWindow& comparison();
#ifdef SFUMATO_VIDEO
  /// The window for movies with this window's recipe; created on demand.
  VideoWindow& video();
#endif

 Q_SIGNALS:
  /// After open_file(): the picture or the movie's window is open, or `fault` says why not.
  void opened(const QString& fault);
  /// After save_recipe_to().
  void recipe_saved(const QString& fault);
  /// The user wants another window, with this file if any.
  void window_wanted(const QString& path);
  /// The user wants to run these steps on many files.
  void batch_wanted();
  /// The user wants to restore recovered work while this window is occupied.
  void restore_wanted(const sfumato::gui::RecoveredWork& found);
  void settings_changed(const sfumato::gui::Settings& settings);

 protected:
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // The docks around the picture (main_window_docks.cpp).
  QDockWidget* add_dock(const QString& title, const char* name, QWidget* widget,
                        Qt::DockWidgetArea area);
  void make_docks();
  void connect_docks();
  void restore_layout();
  void save_layout() const;
  void use_screen_profile();
  void show_for_screen(const QByteArray& profile);
  void show_heading();

  // The window (main_window.cpp).
  void make_status_bar();
  void connect_document();
  void connect_exporter();
  void show_current_step();
  void update_title();
  void update_actions();

  // Menus and toolbar (main_window_actions.cpp).
  using Body = std::function<void()>;
  QAction* add_action(QMenu& menu, const QString& text, const QKeySequence& keys, Body body);
  void make_actions();
  void make_file_menu();
  void make_edit_menu();
  void make_undo_actions(QMenu& edit);
  void make_view_menu();
  void make_help_menu();
  void make_tool_bar();
  void fill_recent();
  void show_about();
  void show_guide();

  // Files (main_window_files.cpp).
  void open_files(const QStringList& paths);
  void open_layer(const std::string& channels);
  void open_beside(const QString& name, const QString& path, std::function<PicturePtr()> body);
  void begin_opening(const QString& name);
  void end_opening();
  void open_recipe(const QString& path);
  void offer(const RecoveredWork& found);
  void take_picture(const PicturePtr& picture, const QString& fault, const QString& path);
  void fill_layers();
  void choose_picture();
  void choose_recipe();
  bool choose_recipe_target();
  void commit_editing();
  void choose_export_target();
  void export_picture(const PicturePtr& picture, const Recipe& recipe, const QString& path,
                      const WriteOptions& options);
  void remember(const QString& path);
  void show_exported(bool written, const QString& fault, const QStringList& warnings);
  void show_replaced();
  bool may_lose_changes();
  PicturePtr picture_or_notice();

  // Comparisons (main_window_compare.cpp).
  void open_comparison();

  // Movies (main_window_video.cpp), if built in.
  void open_video(const QString& path = {});
  bool video_may_go();

  Settings settings_;
  Document document_;
  Recovery recovery_;
  PreviewRenderer renderer_;
  Exporter exporter_;
  QPointer<QWidget> video_;
  QPointer<CompareWindow> comparison_;
  bool layout_restored_ = false;
  int opening_ = 0;   // numbers openings; only the last one counts
  int openings_ = 0;  // number of running openings
  QString recipe_path_;
  bool close_when_saved_ = false;  // the user chose to save when closing the window
  PicturePtr exporting_;           // the exported picture, and its target
  QString exporting_to_;
  bool close_when_exported_ = false;
  WriteOptions export_options_;  // as last chosen, and the format
  QString export_suffix_;
  PreviewView* preview_;
  MessageBar* messages_;
  FilterBrowser* browser_ = nullptr;
  StackView* stack_ = nullptr;
  ParameterPanel* parameters_ = nullptr;
  ResponsePlot* response_ = nullptr;
  HistogramView* histogram_ = nullptr;
  Navigator* navigator_ = nullptr;
  SpectrumView* spectrum_ = nullptr;
  ExposureSlider* exposure_ = nullptr;
  PresetMenu* presets_ = nullptr;
  QMenu *recent_ = nullptr, *view_menu_ = nullptr;
  QLabel *heading_ = nullptr, *place_ = nullptr, *values_ = nullptr, *zoom_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QToolButton* cancel_ = nullptr;
  QComboBox* layers_ = nullptr;
  QAction *open_action_ = nullptr, *save_recipe_action_ = nullptr, *export_action_ = nullptr,
          *undo_action_ = nullptr, *redo_action_ = nullptr, *fit_action_ = nullptr,
          *full_action_ = nullptr, *layers_action_ = nullptr, *cancel_action_ = nullptr;
  QList<QAction*> mode_actions_, step_actions_;
};

}  // namespace sfumato::gui
