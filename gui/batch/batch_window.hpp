// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Many files through one recipe: a list to drop them on, the settings, and the progress.
#pragma once

#include <QMainWindow>
#include <optional>
#include <set>
#include <vector>

#include "app/settings.hpp"
#include "batch/batch_job.hpp"
#include "batch/batch_model.hpp"
#include "preview/preview_renderer.hpp"

class QDropEvent;
class QLabel;
class QListView;
class QProgressBar;
class QPushButton;

namespace sfumato::gui {

class BatchPanel;
class MessageBar;
class PreviewView;

/// Files and folders can be dropped anywhere; a dropped recipe becomes the current one. Errors
/// appear in the line above the list. GUI thread only.
class BatchWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit BatchWindow(const Settings& settings = {}, QWidget* parent = nullptr);
  ~BatchWindow() override;

  /// Files, folders with their whole content, and recipes (".json"). Returns at once; added()
  /// follows.
  void add(const QStringList& paths);
  /// A recipe file, or a preset's id.
  void take_recipe(const QString& word);
  /// The steps of the editor's window.
  void offer_steps(const Recipe& steps);
  void take_settings(const Settings& settings);

  void start();
  void retry_failed();
  void pause(bool hold);
  void cancel();

  BatchModel& model() { return model_; }
  BatchJob& job() { return job_; }
  BatchPanel& panel() { return *panel_; }
  MessageBar& messages() { return *messages_; }
  PreviewView& preview() { return *preview_; }
  QListView& list() { return *list_; }

 Q_SIGNALS:
  /// After add(): the number of new files in the list.
  void added(int files);
  /// The user wants to open a file in the editor.
  void open_wanted(const QString& path);

 protected:
  /// While a batch runs, asks in the message line and stays open.
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void make_tool_bar();
  QWidget* make_left();
  QWidget* make_right();
  QWidget* make_bottom();
  void connect_job();
  void update_actions();
  /// By another choice of frames.
  void find_again();
  void choose_files();
  void choose_folder();
  void remove_chosen();
  void show_menu(const QPoint& at);
  void show_chosen();
  void show_recipe();
  void show_picture(const PicturePtr& picture, const QString& fault, int number);
  void begin(std::set<int> only, bool ignore_history);
  void ask_about_clashes(const QStringList& clashes);
  void show_progress(const BatchProgress& progress);
  void show_end(const BatchSummary& summary, const QString& fault);
  void open_folder();
  std::vector<int> chosen_rows() const;

  Settings settings_;
  BatchModel model_;
  BatchJob job_;
  PreviewRenderer renderer_;
  std::set<int> only_;  // of the active run, or the refused one
  bool ignore_history_ = false;
  std::optional<Existing> existing_;    // the user's answer, for one run
  std::optional<Recipe> shown_recipe_;  // in the preview
  int skipped_ = 0;
  int opening_ = 0;  // numbers pictures opened for the preview; only the last one counts
  int adding_ = 0;   // running searches for files
  bool closing_ = false;
  MessageBar* messages_;
  QListView* list_ = nullptr;
  QLabel *hint_ = nullptr, *count_ = nullptr;
  BatchPanel* panel_ = nullptr;
  PreviewView* preview_ = nullptr;
  QLabel* progress_text_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton *start_ = nullptr, *pause_ = nullptr, *cancel_ = nullptr, *retry_ = nullptr,
              *open_ = nullptr;
  QAction *add_files_ = nullptr, *add_folder_ = nullptr, *remove_ = nullptr, *clear_ = nullptr;
};

}  // namespace sfumato::gui
