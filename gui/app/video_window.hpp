// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies and the camera, filtered by the recipe of an editor window.
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

/// A movie before and after, live, and the filtered movie as a file. Errors appear in the line
/// above the movie. GUI thread only.
class VideoWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit VideoWindow(const Settings& settings = {}, QWidget* parent = nullptr);
  ~VideoWindow() override;

  void open(const QString& path);
  void open_camera();
  void set_recipe(const Recipe& recipe);
  void take_settings(const Settings& settings);
  /// Writes the open movie through the recipe; a picture's extension produces numbered pictures.
  /// Asks in the message line before replacing a file.
  void write_to(const QString& path);

  VideoView& view() { return *view_; }
  VideoWriter& writer() { return writer_; }
  MessageBar& messages() { return *messages_; }

 protected:
  /// While a movie is being written, asks in the message line and stays open.
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
  const bool can_write_ = VideoWriter::is_available();  // looked up once per window
  QString path_;                                        // of the movie; empty: none
  QString writing_;                                     // the file being written
  bool refused_ = false;                                // the recipe cannot run on a movie
  bool recipe_fault_ = false;                           // the recipe failed on a frame
  bool closing_ = false;
  VideoWriter writer_;
  MessageBar* messages_;
  VideoView* view_;
  QLabel* progress_text_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QWidget* progress_row_;  // created together with the two above
  QAction* write_ = nullptr;
};

}  // namespace sfumato::gui
