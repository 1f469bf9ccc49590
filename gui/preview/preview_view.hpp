// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Before and after: split by a divider, side by side, or one at a time.
#pragma once

#include <QPointF>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "document/opened_picture.hpp"
#include "preview/preview_renderer.hpp"

namespace sfumato::gui {

class Badge;
class ProgressRing;

enum class PreviewMode { split, side_by_side, single };

/// Shows a picture and the result of a recipe. Wheel: zooms about the cursor; middle button, or
/// left with space held: pans; left on the divider: moves it; left held in single mode: shows
/// before. Keyboard: + and - zoom, 0 fits, 1 is 1:1, arrows pan, or move the divider with Shift, B
/// held shows before; Escape cancels a long render, F5 renders again. Coordinates are those of the
/// upright picture. Requests the visible part at the visible scale from the renderer; a slow recipe
/// is first shown coarsely, an approximate one exactly in the end. GUI thread only.
class PreviewView : public QWidget {
  Q_OBJECT

 public:
  explicit PreviewView(PreviewRenderer& renderer, QWidget* parent = nullptr);

  void set_picture(PicturePtr picture);
  void set_recipe(const Recipe& recipe);
  /// The text shown without a picture; empty: a default that suggests opening one.
  void set_hint(const QString& text);
  /// In stops, for viewing only.
  void set_exposure(double stops);
  double exposure() const { return exposure_; }
  /// The screen's ICC profile; empty: sRGB.
  void set_screen_profile(const QByteArray& profile);
  const QByteArray& screen_profile() const { return screen_profile_; }
  /// Null if none was set.
  const PicturePtr& picture() const { return picture_; }
  void set_mode(PreviewMode mode);
  PreviewMode mode() const { return mode_; }

  /// Whether a render for it is running.
  bool is_busy() const { return renderer_.is_busy(); }

  /// Device pixels of the screen per picture pixel.
  double zoom() const { return zoom_; }
  bool fits() const { return fits_; }
  /// Zooms while keeping `fixed`, a point of the widget, in place.
  void zoom_to(double zoom, const QPointF& fixed);
  void fit();
  /// The visible part of the picture, in its pixels.
  QRectF visible() const;
  /// The size of the upright picture.
  QSizeF picture_size() const;
  /// Centres that pixel of the picture.
  void look_at(const QPointF& pixel);
  /// As a fraction of the width, in split mode.
  double divider() const { return divider_; }

  QSize sizeHint() const override { return {900, 600}; }
  QSize minimumSizeHint() const override { return {240, 180}; }

 public Q_SLOTS:
  void zoom_in();
  void zoom_out();
  void zoom_full();
  /// Cancels the running render; the last result stays.
  void cancel_render();
  void render_again();

 Q_SIGNALS:
  void zoom_changed(double zoom);
  void view_changed();
  /// Position and values under the cursor; empty if there are none.
  void hovered(const QString& place, const QString& before, const QString& after);
  void shown(const std::shared_ptr<const sfumato::gui::PreviewResult>& result);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  /// Shows the methods of the steps as the badge's tooltip.
  bool event(QEvent* event) override;

 private:
  enum class Drag { none, pan, divider, hold };

  QRectF pane(int index) const;  // 0: the left or only one
  int pane_count() const { return mode_ == PreviewMode::side_by_side ? 2 : 1; }
  QPointF to_widget(const QPointF& pixel, const QRectF& pane) const;
  QPointF to_picture(const QPointF& at) const;
  double points_per_pixel() const;  // widget points per picture pixel
  double fitting_zoom() const;
  void keep_inside();
  void view_moved();
  void request(bool again = false);
  void take(const ResultPtr& result);
  void take_before(const ResultPtr& result);
  /// Whether the preview matches the last request, though perhaps approximately.
  bool is_answered() const;
  QRectF place_of(const ResultPtr& result) const;
  // Draws the picture into `in`, clipped to `clip`.
  void draw(QPainter& painter, const QRectF& in, const QRectF& clip, bool after) const;
  void paint_ground(QPainter& painter) const;
  void paint_divider(QPainter& painter) const;
  void paint_labels(QPainter& painter) const;
  void renderer_idle();
  void update_badge();
  void place_overlays();
  bool zoom_key(int key);
  bool compare_key(const QKeyEvent& event);
  void tell_pixel();

  PreviewRenderer& renderer_;
  PicturePtr picture_;
  Recipe recipe_;
  double exposure_ = 0;
  QByteArray screen_profile_;
  PreviewMode mode_ = PreviewMode::split;
  double zoom_ = 1, divider_ = 0.5;
  bool fits_ = true, show_before_ = false, space_held_ = false, shows_focus_ = false;
  QPointF centre_;               // of the view, in picture pixels
  ResultPtr result_, overview_;  // of the visible part, and of the whole picture to fill gaps
  ResultPtr before_;             // the unfiltered picture at the visible scale
  int last_number_ = 0;          // the number of the last request
  bool cancelled_ = false;       // and nothing was requested since
  QString fault_, hint_;
  QTimer slow_;
  Badge* badge_;
  ProgressRing* ring_;
  Drag drag_ = Drag::none;
  QPointF pressed_at_;
  std::optional<QPointF> hover_;  // mouse position
};

}  // namespace sfumato::gui
