// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Geometry, painting and requests of the preview.
#include "preview/preview_view.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "params/color_button.hpp"
#include "preview/display.hpp"
#include "preview/overlays.hpp"
#include "preview/pixel_text.hpp"

namespace sfumato::gui {
namespace {

constexpr double most_zoom = 32, least_zoom = 1.0 / 64;
constexpr int pane_gap = 4;
constexpr int coarsest = 8;
constexpr int wait = 180;  // ms without a preview before the ring appears

// Qt shares higher images out to threads and waits for them, which takes longer than drawing them
// here while a render keeps all processors busy.
void draw_in_bands(QPainter& painter, const QRectF& target, const QRectF& clip,
                   const QImage& image) {
  constexpr int high = 64;
  const QRect seen = target.intersected(clip).toAlignedRect();
  for (int y = seen.top(); y <= seen.bottom(); y += high) {
    painter.save();
    painter.setClipRect(QRect(seen.left(), y, seen.width(), high), Qt::IntersectClip);
    painter.drawImage(target, image);
    painter.restore();
  }
}

// The methods that `sfumato --verbose` prints, in the user's language, and the device.
QString methods_text(const PreviewResult& result) {
  QStringList lines = result.methods;
  if (!result.device.isEmpty()) lines << PreviewView::tr("on %1").arg(result.device);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

PreviewView::PreviewView(PreviewRenderer& renderer, QWidget* parent)
    : QWidget(parent), renderer_(renderer), badge_(new Badge(this)), ring_(new ProgressRing(this)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Preview"));
  slow_.setSingleShot(true);
  slow_.setInterval(wait);
  connect(&slow_, &QTimer::timeout, this, [this] {
    ring_->show();
    update_badge();
  });
  connect(ring_, &ProgressRing::cancelled, this, &PreviewView::cancel_render);
  connect(badge_, &Badge::clicked, this, &PreviewView::zoom_full);
  connect(&renderer_, &PreviewRenderer::before_ready, this, &PreviewView::take_before);
  connect(&renderer_, &PreviewRenderer::rendered, this, &PreviewView::take);
  connect(&renderer_, &PreviewRenderer::progressed, ring_, &ProgressRing::set_progress);
  connect(&renderer_, &PreviewRenderer::failed, this, [this](const QString& sentence) {
    fault_ = sentence;
    update_badge();
  });
  connect(&renderer_, &PreviewRenderer::idle, this, &PreviewView::renderer_idle);
}

void PreviewView::set_picture(PicturePtr picture) {
  picture_ = std::move(picture);
  result_ = overview_ = before_ = nullptr;
  cancelled_ = false;
  fault_.clear();
  fit();
  update_badge();
}

void PreviewView::set_recipe(const Recipe& recipe) {
  recipe_ = recipe;
  fault_.clear();
  request();
}

void PreviewView::set_hint(const QString& text) {
  hint_ = text;
  update();
}

void PreviewView::set_exposure(double stops) {
  exposure_ = stops;
  request();
}

void PreviewView::set_screen_profile(const QByteArray& profile) {
  if (profile == screen_profile_) return;
  screen_profile_ = profile;
  request();
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
  return std::clamp(zoom, least_zoom, 1.0);  // small pictures are not enlarged
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

// A picture smaller than its pane is centred; a larger one covers the pane.
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
  request();
  update();
  if (picture_) Q_EMIT zoom_changed(zoom_);
  Q_EMIT view_changed();
}

void PreviewView::request(bool again) {
  if (!picture_ || size().isEmpty()) return;
  if (!isWindow() && !isVisible()) return;  // not laid out yet; showEvent requests later
  const int reduction = std::max(1, static_cast<int>(std::floor(1 / zoom_ + 1e-6)));
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
  request.coarsest = coarsest;
  request.refine = true;
  request.again = again;
  request.number = ++last_number_;
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
  // If only the refinement was running, the current preview is valid.
  cancelled_ = !is_answered();
  update_badge();
}

void PreviewView::render_again() {
  fault_.clear();
  request(true);
}

void PreviewView::renderer_idle() {
  if (renderer_.is_busy()) return;  // a newer request exists
  slow_.stop();
  ring_->hide();
  update_badge();
}

bool PreviewView::is_answered() const {
  return result_ && result_->request.number == last_number_ &&
         result_->stage != PreviewStage::coarse;
}

void PreviewView::take_before(const ResultPtr& result) {
  if (result->request.picture != picture_) return;
  before_ = result;
  update();
}

void PreviewView::take(const ResultPtr& result) {
  if (result->request.picture != picture_) return;
  result_ = result;
  const PictureFormat& f = picture_->format();
  const int k = result->request.reduction;
  const Rect& r = result->request.region;
  if (r.width() * k >= f.width && r.height() * k >= f.height) overview_ = result;
  slow_.stop();
  if (result->request.number == last_number_) fault_.clear();
  if (is_answered()) {
    ring_->hide();
  } else if (ring_->isHidden() && !cancelled_) {
    slow_.start();
  }
  update_badge();
  update();
  tell_pixel();
  Q_EMIT shown(result);
}

// The position of the result, in pixels of the upright picture.
QRectF PreviewView::place_of(const ResultPtr& result) const {
  const PreviewRequest& q = result->request;
  const PictureFormat& f = q.picture->format();
  const int k = q.reduction, orientation = q.picture->orientation;
  const int width = (f.width + k - 1) / k, height = (f.height + k - 1) / k;
  // From stored to upright: each quarter turn is undone by the other one.
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
  if (picture_->format().has_alpha()) {
    paint_checkerboard(painter, all.intersected(clip).toAlignedRect(), all.topLeft());
  }
  painter.setClipRect(all, Qt::IntersectClip);
  const auto paint = [&](const ResultPtr& result, const QImage& image) {
    // From this zoom on, single pixels are visible; a coarse preview does not have those of the
    // picture.
    const bool pixels = zoom_ >= 2 && result->request.reduction == 1;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, !pixels);
    const QRectF place = place_of(result);
    const QRectF target(to_widget(place.topLeft(), in), place.size() * points_per_pixel());
    // Transparent pixels of one image must not show the one painted before.
    if (image.hasAlphaChannel()) {
      paint_checkerboard(painter, target.intersected(clip).toAlignedRect(), all.topLeft());
    }
    draw_in_bands(painter, target, clip, image);
  };
  const QRectF seen = visible();
  const ResultPtr& above = after && result_ ? result_ : before_;
  const bool hidden = above && (above == overview_ || place_of(above).contains(seen));
  if (overview_ && !hidden) paint(overview_, after ? overview_->after : overview_->before);
  // A coarse preview does not replace the unfiltered picture, which is shown until there is a
  // preview.
  if (after && result_) paint(result_, result_->after);
  if (before_ && (!after || !result_)) paint(before_, before_->before);
  painter.restore();
}

void PreviewView::update_badge() {
  using enum Badge::Weight;
  const bool busy = renderer_.is_busy();
  if (!fault_.isEmpty()) {
    badge_->say(fault_, fault);
  } else if (cancelled_) {
    badge_->say(tr("Cancelled. Change something or press F5 to render again"), plain);
  } else if (!result_) {
    badge_->say({}, plain);
  } else if (!ring_->isHidden() && result_->request.number != last_number_) {
    badge_->say({}, plain);  // the preview shown is outdated
  } else if (!result_->last && busy) {
    badge_->say(tr("Approximate, refining…"), plain);
  } else if (result_->truth == PreviewClass::exact) {
    badge_->say(tr("Exact"), quiet);
  } else if (result_->truth == PreviewClass::approximate) {
    badge_->say(tr("Approximate at this zoom"), plain, tr("Show it at 1:1, where it is exact"));
  } else {
    badge_->say(tr("True at 1:1 only"), plain, tr("Show it at 1:1, where it is exact"));
  }
  QStringList about{badge_->toolTip(), result_ ? methods_text(*result_) : QString()};
  about.removeAll(QString());
  badge_->setToolTip(about.join(QLatin1Char('\n')));
  badge_->setAccessibleDescription(badge_->toolTip());
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
  paint_ground(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!picture_) {
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect().adjusted(16, 16, -16, -16),
                     static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                     hint_.isEmpty() ? tr("Open a picture, or drop one here") : hint_);
    return;
  }
  if (mode_ == PreviewMode::side_by_side) {
    draw(painter, pane(0), pane(0), false);
    draw(painter, pane(1), pane(1), true);
  } else if (mode_ == PreviewMode::single) {
    draw(painter, rect(), rect(), !show_before_);
  } else {
    const double at = std::round(divider_ * width());  // whole pixels are copied
    draw(painter, rect(), QRectF(0, 0, at, height()), false);
    draw(painter, rect(), QRectF(at, 0, width() - at, height()), true);
    paint_divider(painter);
  }
  if (drag_ == Drag::none) paint_labels(painter);
  if (!shows_focus_) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(palette().color(QPalette::Highlight));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

// Not below the picture, where it is there as a whole: filling takes longer than copying it.
void PreviewView::paint_ground(QPainter& painter) const {
  QRegion ground(rect());
  if (overview_ && picture_ && mode_ != PreviewMode::side_by_side) {
    const QRectF all(to_widget({0, 0}, rect()), picture_size() * points_per_pixel());
    ground -= QRect(
        QPoint(static_cast<int>(std::ceil(all.left())), static_cast<int>(std::ceil(all.top()))),
        QPoint(static_cast<int>(std::floor(all.right())) - 1,
               static_cast<int>(std::floor(all.bottom())) - 1));
  }
  for (const QRect& part : ground) {
    painter.fillRect(part, palette().color(QPalette::Window).darker(118));
  }
}

void PreviewView::paint_divider(QPainter& painter) const {
  const double at = divider_ * width();
  painter.setPen(QPen(QColor(0, 0, 0, 120), 3));
  painter.drawLine(QPointF(at, 0), QPointF(at, height()));
  painter.setPen(QPen(Qt::white, 1));
  painter.drawLine(QPointF(at, 0), QPointF(at, height()));
  painter.setBrush(Qt::white);
  painter.setPen(QPen(QColor(0, 0, 0, 120), 1));
  painter.drawEllipse(QPointF(at, height() / 2.0), 6, 6);
}

// Labels each half at the top, if there is room.
void PreviewView::paint_labels(QPainter& painter) const {
  if (mode_ == PreviewMode::single) return;
  const bool split = mode_ == PreviewMode::split;
  const double at = split ? divider_ * width() : pane(0).right();
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.85);
  painter.setFont(small);
  const QFontMetricsF metrics(small);
  constexpr double margin = 10, side = 6, air = 2;
  const auto paint = [&](const QString& text, double left, double right, bool to_right) {
    const QSizeF size(metrics.horizontalAdvance(text) + 2 * side, metrics.height() + 2 * air);
    if (right - left < size.width() + 2 * margin) return;
    const QRectF place(QPointF(to_right ? left + margin : right - margin - size.width(), margin),
                       size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 110));
    painter.drawRoundedRect(place, 4, 4);
    painter.setPen(QColor(255, 255, 255, 220));
    painter.drawText(place, Qt::AlignCenter, text);
  };
  paint(tr("Before"), 0, at, !split);
  paint(tr("After"), split ? at : pane(1).left(), width(), true);
}

bool PreviewView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const bool over = badge_->isVisible() && badge_->geometry().contains(help->pos());
  if (!over || badge_->toolTip().isEmpty()) return QWidget::event(event);
  QToolTip::showText(help->globalPos(), badge_->toolTip(), this);  // if not clickable
  return true;
}

void PreviewView::resizeEvent(QResizeEvent*) {
  place_overlays();
  if (fits_) {
    fit();
  } else {
    view_moved();
  }
}

void PreviewView::showEvent(QShowEvent* event) {
  if (!event->spontaneous()) request();  // a window that reappears still shows its content
}

// For the current preview, which may change under a resting mouse.
void PreviewView::tell_pixel() {
  const QPointF pixel = hover_ ? to_picture(*hover_) : QPointF();
  const QRectF place = result_ ? place_of(result_) : QRectF();
  if (!hover_ || !result_ || !place.contains(pixel)) {
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
  const PictureFormat& held = result_->after_values.format;
  if (x < 0 || y < 0 || x >= held.width || y >= held.height) return;
  Q_EMIT hovered(tr("%1, %2").arg(static_cast<int>(pixel.x())).arg(static_cast<int>(pixel.y())),
                 pixel_text(*result_->before_values, x, y, f.type),
                 pixel_text(result_->after_values, x, y, f.type));
}

}  // namespace sfumato::gui
