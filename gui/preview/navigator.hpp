// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The whole picture, small, with the visible part of the preview.
#pragma once

#include <QImage>
#include <QThreadPool>
#include <QWidget>
#include <atomic>
#include <memory>

#include "document/opened_picture.hpp"

namespace sfumato::gui {

class PreviewView;

/// A click or drag centres the preview on that position; arrow keys move by a tenth of the view;
/// the wheel zooms. The picture is reduced on its own thread. `view` must outlive it. GUI thread
/// only.
class Navigator final : public QWidget {
  Q_OBJECT

 public:
  explicit Navigator(PreviewView& view, QWidget* parent = nullptr);
  /// Cancels the reduction in progress and waits for it.
  ~Navigator() override;

  /// The picture's position in the widget.
  QRectF picture_place() const;
  /// The position of its visible part.
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
  // The input of the image.
  struct ImageKey {
    PicturePtr picture;
    double exposure = 0;
    QByteArray screen_profile;
    bool operator==(const ImageKey&) const = default;
  };

  void follow();
  void look();
  void make_image();
  void look_at(const QPointF& at);
  bool shows_all() const;

  PreviewView& view_;
  ImageKey look_;
  QImage image_;            // upright
  mutable QImage aligned_;  // the same at the size in which it is painted
  std::shared_ptr<std::atomic<bool>> stale_;
  QThreadPool pool_;
};

}  // namespace sfumato::gui
