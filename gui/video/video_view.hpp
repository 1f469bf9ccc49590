// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A movie before and after, with playback controls.
#pragma once

#include <QImage>
#include <QWidget>

#include "video/video_runner.hpp"
#include "video/video_source.hpp"

class QLabel;
class QSlider;
class QToolButton;

namespace sfumato::gui {

/// The frame fitted into the widget: left of a divider before the recipe, right of it after. The
/// divider is dragged with the mouse or moved with the arrow keys. GUI thread only.
class VideoScreen final : public QWidget {
 public:
  explicit VideoScreen(QWidget* parent);

  void show_frame(const QImage& before, const QImage& after);
  /// The shape of pixels in frames from now on.
  void set_shape(const PixelRatio& pixels);
  /// Shows this text instead of a frame.
  void show_text(const QString& text);
  const QImage& after() const { return after_; }
  /// As a fraction of the frame's width.
  double divider() const { return divider_; }
  void set_divider(double place);
  /// The frame's position in the widget, with pixels as wide as the movie requires.
  QRect frame_rect() const;

  QSize sizeHint() const override { return {640, 360}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QImage before_, after_;
  PixelRatio pixels_;
  QString text_;
  double divider_ = 0.5;
};

/// A screen above a row of controls: play and pause, a slider to scrub, the time, and the number of
/// frames filtered per second. The space bar plays and pauses. GUI thread only.
class VideoView : public QWidget {
  Q_OBJECT

 public:
  explicit VideoView(SessionOptions options = {}, QWidget* parent = nullptr);

  void open(const QString& path);
  void open_camera();
  void set_recipe(const Recipe& recipe);
  void set_session(SessionOptions options) { runner_.set_session(std::move(options)); }
  /// As if the button was pressed.
  void toggle();

  VideoSource& source() { return source_; }
  VideoScreen& screen() { return *screen_; }

 Q_SIGNALS:
  /// A frame was painted.
  void shown();
  void failed(const QString& sentence);
  void warned(const QString& sentence);
  /// The recipe takes seconds per frame.
  void slow();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void make_controls();
  void forget();
  void show_nothing();
  void show_time();

  VideoRunner runner_;  // outlives the source that feeds it
  VideoSource source_;
  VideoScreen* screen_;
  QToolButton* play_;
  QSlider* place_;
  QLabel* time_;
  QLabel* rate_;
};

}  // namespace sfumato::gui
