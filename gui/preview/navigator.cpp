// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A small image made in the background, with a frame on it.
#include "preview/navigator.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>

#include "document/low_priority.hpp"
#include "image/reduce.hpp"
#include "params/color_button.hpp"
#include "preview/preview_view.hpp"
#include "preview/reduced_picture.hpp"

namespace sfumato::gui {
namespace {

constexpr int image_side = 512;  // in pixels, at most: enough for a large dock on a dense screen
constexpr int space = 6;         // around the picture

QImage small_image(const OpenedPicture& picture, double exposure, const QByteArray& screen_profile,
                   const ParallelRows& rows) {
  const PictureFormat& f = picture.format();
  const int factor = (std::max({f.width, f.height, 1}) + image_side - 1) / image_side;
  HeldPicture small = blank_picture(reduced_format(f, factor));
  reduce(picture.pixels.view(), f, factor, small.view(), rows);
  return shown(small, picture, exposure, screen_profile);
}

}  // namespace

Navigator::Navigator(PreviewView& view, QWidget* parent) : QWidget(parent), view_(view) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Navigator"));
  setAccessibleDescription(tr("Click, drag or use the arrow keys to move the view"));
  start_drawing_threads();
  pool_.setMaxThreadCount(1);
  connect(&view_, &PreviewView::view_changed, this, &Navigator::follow);
  connect(&view_, &PreviewView::shown, this, &Navigator::follow);
}

Navigator::~Navigator() {
  if (stale_) *stale_ = true;
  pool_.waitForDone();
}

void Navigator::follow() {
  update();
  if (!look_.picture || look_.picture == view_.picture()) return;
  if (stale_) *stale_ = true;
  look_ = {};
  image_ = aligned_ = {};
}

// Called only by painting: a hidden navigator, such as one under another tab, makes no image.
void Navigator::look() {
  const ImageKey look{view_.picture(), view_.exposure(), view_.screen_profile()};
  if (look == look_) return;
  look_ = look;
  make_image();
}

void Navigator::make_image() {
  if (stale_) *stale_ = true;
  pool_.clear();
  if (!look_.picture) return;
  stale_ = std::make_shared<std::atomic<bool>>(false);
  pool_.start([this, look = look_, stale = stale_] {
    lower_priority();
    QImage image;
    try {
      image = small_image(*look.picture, look.exposure, look.screen_profile,
                          ParallelRows([&stale](int, int) { return !*stale; }));
    } catch (const std::exception&) {
      return;  // no longer wanted, or out of memory
    }
    const auto take = [this, image, stale] {
      if (*stale) return;
      image_ = image;
      aligned_ = {};
      update();
    };
    QMetaObject::invokeMethod(this, take, Qt::QueuedConnection);
  });
}

QRectF Navigator::picture_place() const {
  const QSizeF room = QSizeF(size()) - QSizeF(2 * space, 2 * space);
  QRectF place(QPointF(), view_.picture_size().scaled(room, Qt::KeepAspectRatio));
  place.moveCenter(QRectF(rect()).center());
  return place;
}

QRectF Navigator::frame() const {
  const QRectF place = picture_place(), seen = view_.visible();
  const QSizeF whole = view_.picture_size();
  if (whole.isEmpty()) return {};
  const double scale = place.width() / whole.width();
  return {place.topLeft() + seen.topLeft() * scale, seen.size() * scale};
}

bool Navigator::shows_all() const {
  const QSizeF seen = view_.visible().size(), whole = view_.picture_size();
  return seen.width() >= whole.width() - 0.5 && seen.height() >= whole.height() - 0.5;
}

void Navigator::paintEvent(QPaintEvent*) {
  look();
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Window).darker(118));
  if (!image_.isNull()) {
    const QRectF place = picture_place();
    const QSize pixels = (place.size() * devicePixelRatioF()).toSize();
    if (aligned_.size() != pixels) {
      aligned_ = image_.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    }
    if (image_.hasAlphaChannel()) {
      paint_checkerboard(painter, place.toAlignedRect(), place.topLeft());
    }
    painter.drawImage(place, aligned_);
    if (!shows_all()) {
      painter.setRenderHint(QPainter::Antialiasing);
      QPainterPath around;
      around.addRect(place);
      around.addRect(frame());
      painter.fillPath(around, QColor(0, 0, 0, 90));
      painter.setPen(QPen(QColor(0, 0, 0, 140), 3));
      painter.drawRect(frame());
      painter.setPen(QPen(Qt::white, 1.5));
      painter.drawRect(frame());
    }
  }
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(palette().color(QPalette::Highlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void Navigator::look_at(const QPointF& at) {
  const QRectF place = picture_place();
  if (place.isEmpty() || shows_all()) return;
  view_.look_at((at - place.topLeft()) * (view_.picture_size().width() / place.width()));
}

void Navigator::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) look_at(event->position());
}

void Navigator::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) look_at(event->position());
}

void Navigator::wheelEvent(QWheelEvent* event) {
  const int turn = event->angleDelta().y();
  if (turn > 0) view_.zoom_in();
  if (turn < 0) view_.zoom_out();
  event->accept();
}

void Navigator::keyPressEvent(QKeyEvent* event) {
  const QRectF seen = view_.visible();
  QPointF step;
  switch (event->key()) {
    case Qt::Key_Left:
      step.setX(-seen.width() / 10);
      break;
    case Qt::Key_Right:
      step.setX(seen.width() / 10);
      break;
    case Qt::Key_Up:
      step.setY(-seen.height() / 10);
      break;
    case Qt::Key_Down:
      step.setY(seen.height() / 10);
      break;
    default:
      QWidget::keyPressEvent(event);
      return;
  }
  if (!shows_all()) view_.look_at(seen.center() + step);
}

}  // namespace sfumato::gui
