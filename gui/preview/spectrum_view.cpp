// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One request per spectrum: the recipe followed by the filter `spectrum`.
#include "preview/spectrum_view.hpp"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "filters/registry.hpp"
#include "image/reduce.hpp"
#include "params/model_text.hpp"
#include "preview/display.hpp"

namespace sfumato::gui {
namespace {

constexpr int most_side = 512;
constexpr int half_gap = 8, name_space = 4;

int reduction_of(const PictureFormat& f) {
  return (std::max({f.width, f.height, 1}) + most_side - 1) / most_side;
}

Recipe with_spectrum(Recipe recipe) {
  const Recipe spectrum = recipe_of(Registry::get().at("spectrum").filter->info());
  recipe.steps.push_back(spectrum.steps.front());
  return recipe;
}

// The mean of the colours' logarithms as gray. White is a wave of 1/50 of full scale for every
// picture, so that spectra of equal size can be compared.
QImage spectrum_image(const HeldPicture& values, int orientation) {
  const PictureFormat& f = values.format;
  const double white = 0.1 * std::log1p(0.02 * f.width * f.height), black = 0.1 * white;
  const int colors = f.color_channels();
  QImage image(f.width, f.height, QImage::Format_Grayscale8);
  const HostView view = values.view();
  for (int y = 0; y < f.height; ++y) {
    const auto* pixel = static_cast<const float*>(view.row(y));
    uchar* to = image.scanLine(y);
    for (int x = 0; x < f.width; ++x, pixel += f.channels) {
      double sum = 0;
      for (int c = 0; c < colors; ++c) sum += static_cast<double>(pixel[c]);
      const double part = (sum / colors - black) / (white - black);
      to[x] = static_cast<uchar>(std::lround(255 * std::clamp(part, 0.0, 1.0)));
    }
  }
  return upright(image, orientation);
}

// Pixels from frequency 0 to a pixel of a spectrum that was turned upright with its picture.
QPoint steps_from_middle(QPoint upright, const PictureFormat& stored,
                         const OpenedPicture& picture) {
  const auto place = [&](QPoint at) {
    const Rect r = stored_region({at.x(), at.y(), at.x() + 1, at.y() + 1}, stored.width,
                                 stored.height, picture.orientation);
    return QPoint(r.x0, r.y0);
  };
  const QPoint steps = place(upright) - QPoint(stored.width / 2, stored.height / 2);
  const QPoint right = place({1, 0}) - place({0, 0}), down = place({0, 1}) - place({0, 0});
  return {QPoint::dotProduct(steps, right), QPoint::dotProduct(steps, down)};
}

}  // namespace

SpectrumView::SpectrumView(SessionOptions options, QWidget* parent)
    : QWidget(parent), options_(std::move(options)) {
  setMouseTracking(true);
  setAccessibleName(tr("Spectrum"));
  setToolTip(
      tr("Low frequencies lie in the middle, the finest detail at the edges; bright: strong"));
}

SpectrumView::~SpectrumView() = default;

void SpectrumView::set_picture(PicturePtr picture) {
  if (picture == picture_) return;
  picture_ = std::move(picture);
  before_ = after_ = {};
  before_is_new_ = after_is_new_ = false;
  fault_.clear();
  drop();
  request();
  update();
}

void SpectrumView::set_recipe(const Recipe& recipe) {
  if (recipe == recipe_) return;
  recipe_ = recipe;
  after_is_new_ = false;
  fault_.clear();
  request();
}

void SpectrumView::pause(bool hold) {
  held_ = hold;
  if (hold) drop();
  request();
}

void SpectrumView::set_session(const SessionOptions& options) {
  options_ = options;
  if (renderer_) renderer_->set_session(options);
}

bool SpectrumView::is_busy() const {
  return last_request_ && fault_.isEmpty() && !(before_is_new_ && after_is_new_);
}

void SpectrumView::hideEvent(QHideEvent*) {
  drop();
}

void SpectrumView::drop() {
  if (renderer_) renderer_->cancel();
  last_request_.reset();
}

// Requests the missing spectrum, the picture's own first. A hidden view, such as one under another
// tab, requests nothing until it is painted.
void SpectrumView::request() {
  if (!isVisible() || visibleRegion().isEmpty() || held_) return;
  if (!picture_ || !fault_.isEmpty() || (before_is_new_ && after_is_new_)) return;
  if (!renderer_) {
    renderer_ = std::make_unique<PreviewRenderer>(options_);
    const auto show = [this](const std::shared_ptr<const PreviewResult>& result) {
      const PreviewRequest& q = result->request;
      Recipe recipe = q.recipe;
      recipe.steps.pop_back();
      const QImage image = spectrum_image(result->after_values, q.picture->orientation);
      QMetaObject::invokeMethod(
          this, [this, image, picture = q.picture, recipe] { take(image, picture, recipe); },
          Qt::QueuedConnection);
    };
    // The image is made on the renderer's thread.
    connect(renderer_.get(), &PreviewRenderer::rendered, this, show, Qt::DirectConnection);
    connect(renderer_.get(), &PreviewRenderer::failed, this, [this](const QString& sentence) {
      fault_ = sentence;
      after_ = {};
      update();
    });
  }
  const int reduction = reduction_of(picture_->format());
  PreviewRequest request;
  request.picture = picture_;
  request.recipe = with_spectrum(before_is_new_ ? recipe_ : Recipe{});
  request.reduction = reduction;
  request.region = reduced_format(picture_->format(), reduction).rect();
  if (renderer_->is_busy() && last_request_ && request.picture == last_request_->picture &&
      request.recipe == last_request_->recipe) {
    return;
  }
  last_request_ = request;
  renderer_->request(std::move(request));
}

void SpectrumView::take(const QImage& image, const PicturePtr& picture, const Recipe& recipe) {
  if (picture != picture_) return;
  if (recipe.steps.empty()) {
    before_ = image;
    before_is_new_ = true;
  }
  if (recipe.steps == recipe_.steps) {
    after_ = image;
    after_is_new_ = true;
  }
  request();
  update();
  Q_EMIT changed();
}

QRect SpectrumView::half(bool after) const {
  const QRect in = rect().adjusted(half_gap, half_gap, -half_gap, -half_gap);
  const int wide = (in.width() - half_gap) / 2;
  return {after ? in.right() + 1 - wide : in.left(), in.top(), wide, in.height()};
}

QRect SpectrumView::place_in(const QRect& half, const QImage& image) const {
  const int text_height = fontMetrics().height() + name_space;
  const QSize room = half.size() - QSize(0, text_height);
  const QSize side = image.isNull() ? room : image.size().scaled(room, Qt::KeepAspectRatio);
  QRect place(QPoint(), side + QSize(0, text_height));
  place.moveCenter(half.center());
  return place;
}

void SpectrumView::paint_half(QPainter& painter, const QRect& half, const QImage& image,
                              const QString& name) const {
  QRect place = place_in(half, image);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(place, Qt::AlignHCenter | Qt::AlignBottom, name);
  place.setHeight(place.height() - fontMetrics().height() - name_space);
  if (image.isNull()) {
    const bool failed = !fault_.isEmpty();
    painter.setPen(failed ? error_color(palette()) : muted(palette(), 0.6));
    painter.drawText(place, Qt::AlignCenter | Qt::TextWordWrap,
                     failed     ? fault_
                     : picture_ ? tr("Computing…")
                                : tr("No picture"));
    return;
  }
  const QSize pixels = (QSizeF(place.size()) * devicePixelRatioF()).toSize();
  painter.drawImage(place, image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
}

void SpectrumView::paintEvent(QPaintEvent*) {
  request();
  QPainter painter(this);
  paint_half(painter, half(false), before_, tr("Before"));
  paint_half(painter, half(true), after_, tr("After"));
}

void SpectrumView::mouseMoveEvent(QMouseEvent* event) {
  Q_EMIT hovered(wave_at(event->position()));
}

void SpectrumView::leaveEvent(QEvent*) {
  Q_EMIT hovered({});
}

QString SpectrumView::wave_at(const QPointF& position) const {
  const bool after = position.x() >= half(true).left();
  const QImage& image = after ? after_ : before_;
  if (!picture_ || image.isNull()) return {};
  QRect place = place_in(half(after), image);
  place.setHeight(place.height() - fontMetrics().height() - name_space);
  if (!QRectF(place).contains(position)) return {};
  const auto pixel = [](double at, int wide, int pixels) {
    return std::clamp(static_cast<int>(at / wide * pixels), 0, pixels - 1);
  };
  const int u = pixel(position.x() - place.left(), place.width(), image.width());
  const int v = pixel(position.y() - place.top(), place.height(), image.height());
  const int reduction = reduction_of(picture_->format());
  const QPoint steps =
      steps_from_middle({u, v}, reduced_format(picture_->format(), reduction), *picture_);
  const double across = 1.0 * steps.x() / image.width();
  const double down = 1.0 * steps.y() / image.height();
  const double cycles = std::hypot(across, down);  // in a pixel
  if (cycles == 0) return tr("Mean of the picture");
  const double length = reduction / cycles;
  double degrees = std::atan2(-down, across) * 180 / std::numbers::pi;
  degrees = degrees < 0 ? degrees + 180 : degrees >= 180 ? degrees - 180 : degrees;
  return tr("Wavelength %1 px at %2°")
      .arg(QLocale().toString(length, 'f', length < 100 ? 1 : 0))
      .arg(QLocale().toString(degrees, 'f', 0));
}

}  // namespace sfumato::gui
