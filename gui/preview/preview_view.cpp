// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Geometry, painting and input of the preview.
#include "preview/preview_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "params/color_button.hpp"
#include "preview/display.hpp"
#include "preview/overlays.hpp"

namespace sfumato::gui {
namespace {

constexpr double most_zoom = 32, least_zoom = 1.0 / 64;
constexpr double slow_render = 0.12;  // s; above it a coarser preview comes first
constexpr int grab_width = 6;         // points on either side of the divider
constexpr int pane_gap = 4;

QString number(float v) {
  return std::isfinite(v) ? QString::number(static_cast<double>(v), 'f', 4) : QStringLiteral("NaN");
}

// The numbers of one pixel of a region's values, as stored.
QString values_at(const HeldPicture& values, int x, int y) {
  const PictureFormat& f = values.format;
  const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(f.width) +
                   static_cast<std::size_t>(x)) *
                  static_cast<std::size_t>(f.channels);
  const auto* v = reinterpret_cast<const float*>(values.bytes.data()) + at;
  QStringList parts;
  for (int c = 0; c < f.channels; ++c) parts << number(v[c]);
  return parts.join(QStringLiteral("  "));
}

}  // namespace

PreviewView::PreviewView(Renderer& renderer, QWidget* parent)
    : QWidget(parent), renderer_(renderer), badge_(new Badge(this)), ring_(new ProgressRing(this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Preview"));
  slow_.setSingleShot(true);
  slow_.setInterval(180);
  connect(&slow_, &QTimer::timeout, this, [this] {
    ring_->show();
    update_badge();
  });
  connect(ring_, &ProgressRing::cancelled, this, &PreviewView::cancel_render);
  connect(badge_, &Badge::clicked, this, &PreviewView::zoom_full);
  connect(&renderer_, &Renderer::rendered, this, &PreviewView::take);
  connect(&renderer_, &Renderer::progressed, ring_, &ProgressRing::set_progress);
  connect(&renderer_, &Renderer::failed, this, [this](const QString& sentence) {
    fault_ = sentence;
    update_badge();
  });
  connect(&renderer_, &Renderer::idle, this, &PreviewView::renderer_idle);
}

void PreviewView::set_picture(PicturePtr picture) {
  picture_ = std::move(picture);
  result_ = overview_ = nullptr;
  coarse_ = cancelled_ = false;
  fault_.clear();
  fit();
  update_badge();
}

void PreviewView::set_recipe(const Recipe& recipe) {
  recipe_ = recipe;
  fault_.clear();
  ask();
}

void PreviewView::set_exposure(double stops) {
  exposure_ = stops;
  ask();
}

void PreviewView::set_screen_profile(const QByteArray& profile) {
  if (profile == screen_profile_) return;
  screen_profile_ = profile;
  ask();
}

void PreviewView::set_mode(PreviewMode mode) {
  mode_ = mode;
  if (fits_) {
    fit();
  } else {
    view_moved();
  }
}

QSizeF PreviewView::picture_size() const {
  if (!picture_) return {};
  const PictureFormat& f = picture_->format();
  return picture_->orientation >= 5 ? QSizeF(f.height, f.width) : QSizeF(f.width, f.height);
}

QRectF PreviewView::pane(int index) const {
  if (pane_count() == 1) return rect();
  const double wide = (width() - pane_gap) / 2.0;
  return {index * (wide + pane_gap), 0, wide, static_cast<double>(height())};
}

double PreviewView::points_per_pixel() const {
  return zoom_ / devicePixelRatioF();
}

QPointF PreviewView::to_widget(const QPointF& pixel, const QRectF& in) const {
  return in.center() + (pixel - centre_) * points_per_pixel();
}

QPointF PreviewView::to_picture(const QPointF& at) const {
  const QRectF in = pane_count() == 2 && at.x() >= pane(1).left() ? pane(1) : pane(0);
  return centre_ + (at - in.center()) / points_per_pixel();
}

QRectF PreviewView::visible() const {
  const QSizeF size = pane(0).size() / points_per_pixel();
  const QRectF all(QPointF(), picture_size());
  return QRectF(centre_ - QPointF(size.width(), size.height()) / 2, size).intersected(all);
}

double PreviewView::fitting_zoom() const {
  const QSizeF size = picture_size(), room = pane(0).size() * devicePixelRatioF();
  if (size.isEmpty()) return 1;
  const double zoom = std::min(room.width() / size.width(), room.height() / size.height());
  return std::clamp(zoom, least_zoom, 1.0);  // a small picture is not blown up
}

void PreviewView::fit() {
  fits_ = true;
  zoom_ = fitting_zoom();
  const QSizeF size = picture_size();
  centre_ = {size.width() / 2, size.height() / 2};
  view_moved();
}

void PreviewView::zoom_to(double zoom, const QPointF& fixed) {
  if (!picture_) return;
  const QPointF pixel = to_picture(fixed);
  fits_ = false;
  zoom_ = std::clamp(zoom, std::min(least_zoom, fitting_zoom()), most_zoom);
  centre_ += pixel - to_picture(fixed);
  view_moved();
}

void PreviewView::look_at(const QPointF& pixel) {
  fits_ = false;
  centre_ = pixel;
  view_moved();
}

void PreviewView::zoom_in() {
  zoom_to(zoom_ * std::sqrt(2.0), pane(0).center());
}

void PreviewView::zoom_out() {
  zoom_to(zoom_ / std::sqrt(2.0), pane(0).center());
}

void PreviewView::zoom_full() {
  zoom_to(1, pane(0).center());
}

// A picture smaller than its pane stays in the middle; a larger one covers it.
void PreviewView::keep_inside() {
  const QSizeF size = picture_size(), seen = pane(0).size() / points_per_pixel();
  const auto keep = [](double centre, double whole, double part) {
    return part >= whole ? whole / 2 : std::clamp(centre, part / 2, whole - part / 2);
  };
  centre_ = {keep(centre_.x(), size.width(), seen.width()),
             keep(centre_.y(), size.height(), seen.height())};
}

void PreviewView::view_moved() {
  keep_inside();
  ask();
  update();
  Q_EMIT zoom_changed(zoom_);
  Q_EMIT view_changed();
}

void PreviewView::ask(bool fine) {
  if (!picture_ || size().isEmpty()) return;
  reduction_ = std::max(1, static_cast<int>(std::floor(1 / zoom_ + 1e-6)));
  const int reduction = !fine && last_seconds_ > slow_render ? 2 * reduction_ : reduction_;
  const QRectF seen = visible();
  const PictureFormat& f = picture_->format();
  const auto down = [&](double v) { return static_cast<int>(std::floor(v / reduction)); };
  const auto up = [&](double v) { return static_cast<int>(std::ceil(v / reduction)); };
  const Rect upright{down(seen.left()), down(seen.top()), up(seen.right()), up(seen.bottom())};
  PreviewRequest request;
  request.picture = picture_;
  request.recipe = recipe_;
  request.reduction = reduction;
  request.region = stored_region(upright, (f.width + reduction - 1) / reduction,
                                 (f.height + reduction - 1) / reduction, picture_->orientation);
  request.exposure = exposure_;
  request.screen_profile = screen_profile_;
  renderer_.request(std::move(request));
  cancelled_ = false;
  ring_->set_progress(0);
  if (ring_->isHidden() && !slow_.isActive()) slow_.start();
  update_badge();
}

void PreviewView::cancel_render() {
  if (!renderer_.is_busy()) return;
  renderer_.cancel();
  slow_.stop();
  ring_->hide();
  cancelled_ = true;
  update_badge();
}

void PreviewView::render_again() {
  fault_.clear();
  ask();
}

void PreviewView::renderer_idle() {
  if (renderer_.is_busy()) return;  // asked again since
  slow_.stop();
  ring_->hide();
  update_badge();
}

void PreviewView::take(const ResultPtr& result) {
  if (result->request.picture != picture_) return;
  result_ = result;
  fault_.clear();
  const PictureFormat& f = picture_->format();
  const int k = result->request.reduction;
  const Rect& r = result->request.region;
  if (r.width() * k >= f.width && r.height() * k >= f.height) overview_ = result;
  coarse_ = k > reduction_;
  if (coarse_ && !cancelled_) {
    ask(true);
  } else if (!coarse_) {
    last_seconds_ = result->seconds;
  }
  update_badge();
  update();
  Q_EMIT shown(result);
}

// Where the result lies, in pixels of the upright picture.
QRectF PreviewView::place_of(const ResultPtr& result) const {
  const PreviewRequest& q = result->request;
  const PictureFormat& f = q.picture->format();
  const int k = q.reduction, orientation = q.picture->orientation;
  const int width = (f.width + k - 1) / k, height = (f.height + k - 1) / k;
  // Back from stored to upright: a quarter turn is undone by the other one.
  const int back = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation;
  const bool turned = orientation >= 5;
  const Rect r = stored_region(q.region, turned ? height : width, turned ? width : height, back);
  return {static_cast<double>(r.x0) * k, static_cast<double>(r.y0) * k,
          static_cast<double>(r.width()) * k, static_cast<double>(r.height()) * k};
}

void PreviewView::draw(QPainter& painter, const QRectF& in, const QRectF& clip, bool after) const {
  painter.save();
  painter.setClipRect(clip, Qt::IntersectClip);
  const QRectF all(to_widget({0, 0}, in), picture_size() * points_per_pixel());
  if (picture_->format().has_alpha())
    paint_checkerboard(painter, all.intersected(clip).toAlignedRect());
  painter.setClipRect(all, Qt::IntersectClip);
  for (const ResultPtr& result : {overview_, result_}) {
    if (!result) continue;
    const QRectF place = place_of(result);
    // Single pixels are seen from here on.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom_ * result->request.reduction < 2);
    const QRectF target(to_widget(place.topLeft(), in), place.size() * points_per_pixel());
    painter.drawImage(target, after ? result->after : result->before);
  }
  painter.restore();
}

void PreviewView::update_badge() {
  using enum Badge::Weight;
  if (!fault_.isEmpty()) {
    badge_->say(fault_, fault);
  } else if (cancelled_) {
    badge_->say(tr("Cancelled. Change something or press F5 to render again"), plain);
  } else if (!result_) {
    badge_->say({}, plain);
  } else if (coarse_) {
    badge_->say(tr("Approximate, refining…"), plain);
  } else if (!ring_->isHidden()) {
    badge_->say({}, plain);  // what is on show is of the past
  } else if (result_->truth == PreviewClass::exact) {
    badge_->say(tr("Exact"), quiet);
  } else if (result_->truth == PreviewClass::approximate) {
    badge_->say(tr("Approximate at this zoom"), plain, tr("Show it at 1:1, where it is exact"));
  } else {
    badge_->say(tr("True at 1:1 only"), plain, tr("Show it at 1:1, where it is exact"));
  }
  place_overlays();
}

void PreviewView::place_overlays() {
  constexpr int margin = 12;
  int low = height() - margin;
  if (!badge_->isHidden()) {
    const QSize size = badge_->size_in(width() - 2 * margin);
    badge_->setGeometry(margin, low - size.height(), size.width(), size.height());
    low -= size.height() + margin / 2;
  }
  const QSize size = ring_->sizeHint();
  ring_->setGeometry(margin, low - size.height(), size.width(), size.height());
}

void PreviewView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), palette().color(QPalette::Window).darker(118));
  if (!picture_) {
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect(), Qt::AlignCenter, tr("Open a picture, or drop one here"));
    return;
  }
  if (mode_ == PreviewMode::side_by_side) {
    draw(painter, pane(0), pane(0), false);
    draw(painter, pane(1), pane(1), true);
  } else if (mode_ == PreviewMode::single) {
    draw(painter, rect(), rect(), !show_before_);
  } else {
    const double at = divider_ * width();
    draw(painter, rect(), QRectF(0, 0, at, height()), false);
    draw(painter, rect(), QRectF(at, 0, width() - at, height()), true);
    painter.setPen(QPen(QColor(0, 0, 0, 120), 3));
    painter.drawLine(QPointF(at, 0), QPointF(at, height()));
    painter.setPen(QPen(Qt::white, 1));
    painter.drawLine(QPointF(at, 0), QPointF(at, height()));
    painter.setBrush(Qt::white);
    painter.setPen(QPen(QColor(0, 0, 0, 120), 1));
    painter.drawEllipse(QPointF(at, height() / 2.0), 6, 6);
  }
}

void PreviewView::resizeEvent(QResizeEvent*) {
  place_overlays();
  if (fits_) {
    fit();
  } else {
    view_moved();
  }
}

void PreviewView::wheelEvent(QWheelEvent* event) {
  const double turns = event->angleDelta().y() / 120.0;
  if (turns != 0) zoom_to(zoom_ * std::pow(1.25, turns), event->position());
  event->accept();
}

void PreviewView::mousePressEvent(QMouseEvent* event) {
  pressed_at_ = event->position();
  const bool left = event->button() == Qt::LeftButton;
  const bool on_divider = mode_ == PreviewMode::split &&
                          std::abs(event->position().x() - divider_ * width()) <= grab_width;
  if (event->button() == Qt::MiddleButton || (left && space_held_)) {
    drag_ = Drag::pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (left && on_divider) {
    drag_ = Drag::divider;
  } else if (left && mode_ == PreviewMode::single) {
    drag_ = Drag::hold;
    show_before_ = true;
    update();
  } else if (left) {
    drag_ = Drag::pan;
    setCursor(Qt::ClosedHandCursor);
  }
}

void PreviewView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (drag_ == Drag::pan) {
    fits_ = false;
    centre_ -= (at - pressed_at_) / points_per_pixel();
    pressed_at_ = at;
    view_moved();
  } else if (drag_ == Drag::divider) {
    divider_ = std::clamp(at.x() / std::max(1, width()), 0.0, 1.0);
    update();
  } else if (drag_ == Drag::none) {
    const bool on_divider =
        mode_ == PreviewMode::split && std::abs(at.x() - divider_ * width()) <= grab_width;
    setCursor(on_divider ? Qt::SplitHCursor : space_held_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
  }
  tell_pixel(at);
}

void PreviewView::mouseReleaseEvent(QMouseEvent*) {
  drag_ = Drag::none;
  setCursor(Qt::ArrowCursor);
  if (show_before_) {
    show_before_ = false;
    update();
  }
}

void PreviewView::leaveEvent(QEvent*) {
  Q_EMIT hovered({}, {}, {});
}

void PreviewView::tell_pixel(const QPointF& at) {
  const QPointF pixel = to_picture(at);
  const QRectF place = result_ ? place_of(result_) : QRectF();
  if (!result_ || !place.contains(pixel)) {
    Q_EMIT hovered({}, {}, {});
    return;
  }
  const PreviewRequest& q = result_->request;
  const PictureFormat& f = q.picture->format();
  const int k = q.reduction;
  const int u = static_cast<int>(pixel.x()) / k, v = static_cast<int>(pixel.y()) / k;
  const Rect stored = stored_region({u, v, u + 1, v + 1}, (f.width + k - 1) / k,
                                    (f.height + k - 1) / k, q.picture->orientation);
  const int x = stored.x0 - q.region.x0, y = stored.y0 - q.region.y0;
  Q_EMIT hovered(tr("%1, %2").arg(static_cast<int>(pixel.x())).arg(static_cast<int>(pixel.y())),
                 values_at(*result_->before_values, x, y), values_at(result_->after_values, x, y));
}

bool PreviewView::zoom_key(int key) {
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom_in();
      return true;
    case Qt::Key_Minus:
      zoom_out();
      return true;
    case Qt::Key_0:
      fit();
      return true;
    case Qt::Key_1:
      zoom_full();
      return true;
    default:
      return false;
  }
}

// Without a mouse: shift and arrows move the divider, B held shows the picture before.
bool PreviewView::compare_key(const QKeyEvent& event) {
  constexpr double step = 0.02;  // of the width
  const int key = event.key();
  if (key == Qt::Key_B && mode_ == PreviewMode::single) {
    show_before_ = true;
  } else if ((key == Qt::Key_Left || key == Qt::Key_Right) &&
             event.modifiers() == Qt::ShiftModifier && mode_ == PreviewMode::split) {
    divider_ = std::clamp(divider_ + (key == Qt::Key_Left ? -step : step), 0.0, 1.0);
  } else {
    return false;
  }
  update();
  return true;
}

void PreviewView::keyPressEvent(QKeyEvent* event) {
  if (compare_key(*event)) return;
  const double step = 64 / points_per_pixel();
  switch (event->key()) {
    case Qt::Key_Space:
      if (!event->isAutoRepeat()) space_held_ = true;
      setCursor(Qt::OpenHandCursor);
      return;
    case Qt::Key_Escape:
      // Another Escape may mean something to the window.
      if (!renderer_.is_busy()) event->ignore();
      cancel_render();
      return;
    case Qt::Key_F5:
      render_again();
      return;
    case Qt::Key_Left:
      look_at(centre_ - QPointF(step, 0));
      return;
    case Qt::Key_Right:
      look_at(centre_ + QPointF(step, 0));
      return;
    case Qt::Key_Up:
      look_at(centre_ - QPointF(0, step));
      return;
    case Qt::Key_Down:
      look_at(centre_ + QPointF(0, step));
      return;
    default:
      if (!zoom_key(event->key())) QWidget::keyPressEvent(event);
  }
}

void PreviewView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    space_held_ = false;
    setCursor(Qt::ArrowCursor);
  } else if (event->key() == Qt::Key_B && !event->isAutoRepeat()) {
    show_before_ = false;
    update();
  } else {
    QWidget::keyReleaseEvent(event);
  }
}

}  // namespace sfumato::gui
