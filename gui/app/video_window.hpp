// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies and the camera under the recipe of an editor's window.
#pragma once

#include <QMainWindow>

#include "app/settings.hpp"
#include "params/recipe.hpp"
#include "video/video_writer.hpp"

class QLabel;
class QProgressBar;

namespace sfumato::gui {

class MessageBar;
class VideoView;

/// A movie before and after, live, and the filtered movie as a file. What is wrong is said in the
/// line above the movie. GUI thread only.
class VideoWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit VideoWindow(const Settings& settings = {}, QWidget* parent = nullptr);
  ~VideoWindow() override;

  void open(const QString& path);
  void open_camera();
  void set_recipe(const Recipe& recipe);
  void take_settings(const Settings& settings);
  /// Writes the movie that is open through the recipe: an extension of a picture makes numbered
  /// pictures. Asks in the message line before a file is replaced.
  void write_to(const QString& path);

  VideoView& view() { return *view_; }
  VideoWriter& writer() { return writer_; }
  MessageBar& messages() { return *messages_; }

 protected:
  /// While a movie is written, asks in the message line and stays.
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void make_tool_bar();
  QWidget* make_progress();
  void connect_view();
  void connect_writer();
  void update_actions();
  void choose_movie();
  void choose_target();
  void start_writing(const QString& path, bool overwrite);
  void show_written(bool written, const QString& fault, int frames);
  bool takes_recipe();

  Settings settings_;
  Recipe recipe_;
  const bool can_write_ = VideoWriter::is_available();  // looked for once for each window
  QString path_;                                        // of the movie; empty: a camera, or nothing
  QString writing_;                                     // what is written
  bool refused_ = false;                                // the recipe needs what a movie has not
  bool recipe_fault_ = false;                           // it failed on a frame
  bool closing_ = false;
  VideoWriter writer_;
  MessageBar* messages_;
  VideoView* view_;
  QLabel* progress_text_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QWidget* progress_row_;  // made with the two above
  QAction* write_ = nullptr;
};

}  // namespace sfumato::gui
