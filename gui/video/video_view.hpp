// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A movie before and after, with what plays it.
#pragma once

#include <QImage>
#include <QWidget>

#include "video/pixel_shape.hpp"
#include "video/video_runner.hpp"
#include "video/video_source.hpp"

class QLabel;
class QSlider;
class QToolButton;

namespace sfumato::gui {

/// The frame fitted into the widget, what is left of a divider before the recipe, what is right of
/// it after. The divider is dragged with the mouse or moved with the arrow keys. GUI thread only.
class VideoScreen final : public QWidget {
 public:
  explicit VideoScreen(QWidget* parent);

  void show_frame(const QImage& before, const QImage& after);
  /// What frames are shown in from now on.
  void set_shape(const MovieShape& shape);
  /// No frame, but this text.
  void show_text(const QString& text);
  const QImage& after() const { return after_; }
  /// 0..1 of the frame's width.
  double divider() const { return divider_; }
  void set_divider(double place);
  /// Where the frame lies in the widget, its pixels as wide as the movie says.
  QRect frame_rect() const;

  QSize sizeHint() const override { return {640, 360}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QImage before_, after_;
  MovieShape shape_;
  QString text_;
  double divider_ = 0.5;
};

/// A screen over a row of controls: play and pause, a slider to scrub, the time, and how many
/// frames a second are filtered. The space bar plays and pauses. GUI thread only.
class VideoView : public QWidget {
  Q_OBJECT

 public:
  explicit VideoView(SessionOptions options = {}, QWidget* parent = nullptr);

  void open(const QString& path);
  void open_camera();
  void set_recipe(const Recipe& recipe);
  void set_session(SessionOptions options) { runner_.set_session(std::move(options)); }
  /// As when the button is pressed.
  void toggle();

  VideoSource& source() { return source_; }
  VideoScreen& screen() { return *screen_; }

 Q_SIGNALS:
  /// A frame is on the screen.
  void shown();
  void failed(const QString& sentence);
  void warned(const QString& sentence);
  /// The recipe takes seconds for a frame.
  void slow();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void make_controls();
  void forget();
  void show_nothing();
  void show_time();

  VideoRunner runner_;  // outlives the source, which feeds it
  VideoSource source_;
  ShapeProbe probe_;
  VideoScreen* screen_;
  QToolButton* play_;
  QSlider* place_;
  QLabel* time_;
  QLabel* rate_;
};

}  // namespace sfumato::gui
