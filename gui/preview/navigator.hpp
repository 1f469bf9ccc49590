// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The whole picture, small, and the part of it that the preview shows.
#pragma once

#include <QImage>
#include <QThreadPool>
#include <QWidget>
#include <atomic>
#include <memory>

#include "document/opened_picture.hpp"

namespace sfumato::gui {

class PreviewView;

/// Click or drag puts that place into the middle of the preview; so do the arrows, a tenth of the
/// view at a time; the wheel zooms. The picture is reduced on a thread of its own. `view` must
/// outlive it. GUI thread only.
class Navigator final : public QWidget {
  Q_OBJECT

 public:
  explicit Navigator(PreviewView& view, QWidget* parent = nullptr);
  /// Waits for the picture that is being reduced, which is told to stop.
  ~Navigator() override;

  /// Where the picture lies in the widget.
  QRectF picture_place() const;
  /// Where the visible part of it lies.
  QRectF frame() const;
  bool has_image() const { return !image_.isNull(); }

  QSize sizeHint() const override { return {220, 160}; }
  QSize minimumSizeHint() const override { return {96, 72}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  // What the image was made of.
  struct Look {
    PicturePtr picture;
    double exposure = 0;
    QByteArray screen_profile;
    bool operator==(const Look&) const = default;
  };

  void follow();
  void look();
  void make_image();
  void look_at(const QPointF& at);
  bool all_is_seen() const;

  PreviewView& view_;
  Look look_;
  QImage image_;            // upright
  mutable QImage aligned_;  // the same in the size that it is painted in
  std::shared_ptr<std::atomic<bool>> stale_;
  QThreadPool pool_;
};

}  // namespace sfumato::gui
