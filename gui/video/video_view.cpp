// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Frames painted in two halves, and the row of controls.
#include "video/video_view.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QSlider>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sfumato::gui {
namespace {

constexpr double key_step = 0.02;
const QColor surround(24, 24, 24), words(170, 170, 170);

QString clock_text(qint64 ms) {
  const qint64 s = ms / 1000;
  return QStringLiteral("%1:%2").arg(s / 60).arg(s % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

VideoScreen::VideoScreen(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMinimumSize(160, 90);
  setAccessibleName(QObject::tr("Movie, before and after"));
}

void VideoScreen::show_frame(const QImage& before, const QImage& after) {
  // With smooth scaling, 32-bit images paint in a quarter of the time of 24-bit ones, including the
  // conversion.
  before_ = before.convertToFormat(QImage::Format_RGB32);
  after_ = after.convertToFormat(QImage::Format_RGB32);
  update();
}

void VideoScreen::set_shape(const PixelRatio& pixels) {
  pixels_ = pixels;
  update();
}

void VideoScreen::show_text(const QString& text) {
  before_ = after_ = {};
  text_ = text;
  update();
}

void VideoScreen::set_divider(double place) {
  divider_ = std::clamp(place, 0.0, 1.0);
  update();
}

QRect VideoScreen::frame_rect() const {
  if (after_.isNull()) return {};
  const QSize size = pixels_.shown(after_.size()).scaled(this->size(), Qt::KeepAspectRatio);
  return {QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

void VideoScreen::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), surround);
  if (after_.isNull()) {
    painter.setPen(words);
    painter.drawText(rect(), Qt::AlignCenter, text_);
    return;
  }
  const QRect frame = frame_rect();
  const int at = frame.left() + qRound(divider_ * frame.width());
  painter.setRenderHint(QPainter::SmoothPixmapTransform, frame.size() != after_.size());
  const auto half = [&](const QRect& clip, const QImage& image) {
    painter.setClipRect(clip);
    painter.drawImage(frame, image);
  };
  half(QRect(frame.topLeft(), QPoint(at - 1, frame.bottom())), before_);
  half(QRect(QPoint(at, frame.top()), frame.bottomRight()), after_);
  painter.setClipping(false);
  painter.fillRect(QRect(at - 1, frame.top(), 2, frame.height()), QColor(255, 255, 255, 190));
  if (!hasFocus()) return;
  painter.setPen(palette().color(QPalette::Highlight));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void VideoScreen::mousePressEvent(QMouseEvent* event) {
  mouseMoveEvent(event);
}

void VideoScreen::mouseMoveEvent(QMouseEvent* event) {
  const QRect frame = frame_rect();
  if (!event->buttons().testFlag(Qt::LeftButton) || frame.isEmpty()) return;
  set_divider((event->position().x() - frame.left()) / frame.width());
}

void VideoScreen::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left) return set_divider(divider_ - key_step);
  if (event->key() == Qt::Key_Right) return set_divider(divider_ + key_step);
  QWidget::keyPressEvent(event);
}

VideoView::VideoView(SessionOptions options, QWidget* parent)
    : QWidget(parent),
      runner_(std::move(options)),
      screen_(new VideoScreen(this)),
      play_(new QToolButton(this)),
      place_(new QSlider(Qt::Horizontal, this)),
      time_(new QLabel(this)),
      rate_(new QLabel(this)) {
  make_controls();
  connect(&source_, &VideoSource::frame, &runner_, &VideoRunner::show, Qt::DirectConnection);
  connect(&source_, &VideoSource::failed, this, [this](const QString& sentence) {
    show_nothing();
    Q_EMIT failed(sentence);
  });
  connect(&source_, &VideoSource::opened, screen_, &VideoScreen::set_shape);
  connect(&runner_, &VideoRunner::failed, this, &VideoView::failed);
  connect(&runner_, &VideoRunner::warned, this, &VideoView::warned);
  connect(&runner_, &VideoRunner::slow, this, &VideoView::slow);
  connect(&runner_, &VideoRunner::rendered, this,
          [this](const QImage& before, const QImage& after, double frames_per_second) {
            screen_->show_frame(before, after);
            if (source_.is_playing()) {
              rate_->setText(tr("%1 frames/s").arg(frames_per_second, 0, 'f', 1));
            }
            Q_EMIT shown();
          });
  connect(&source_, &VideoSource::playing_changed, this, [this](bool playing) {
    play_->setIcon(style()->standardIcon(playing ? QStyle::SP_MediaPause : QStyle::SP_MediaPlay));
    play_->setAccessibleName(playing ? tr("Pause") : tr("Play"));
    play_->setToolTip(play_->accessibleName());
    if (!playing) rate_->clear();
  });
  connect(&source_, &VideoSource::duration_changed, this, [this](qint64 duration) {
    place_->setRange(0, static_cast<int>(duration));
    show_time();
  });
  connect(&source_, &VideoSource::position_changed, this, [this](qint64 position) {
    if (!place_->isSliderDown()) place_->setValue(static_cast<int>(position));
    show_time();
  });
  // Only the user's actions, not values that follow the movie.
  connect(place_, &QSlider::actionTriggered, this,
          [this] { source_.seek(place_->sliderPosition()); });
}

void VideoView::make_controls() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(screen_, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(8);
  play_->setAutoRaise(true);
  play_->setIcon(style()->standardIcon(QStyle::SP_MediaPlay));
  play_->setAccessibleName(tr("Play"));
  play_->setToolTip(tr("Play"));
  connect(play_, &QToolButton::clicked, this, &VideoView::toggle);
  place_->setAccessibleName(tr("Place in the movie"));
  rate_->setToolTip(tr("How many frames a second are filtered"));
  rate_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("%1 frames/s").arg(100.0, 0, 'f', 1)));
  rate_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(play_);
  row->addWidget(place_, 1);
  row->addWidget(time_);
  row->addWidget(rate_);
  layout->addLayout(row);
  show_nothing();
}

// The content shown so far.
void VideoView::forget() {
  runner_.forget();
  screen_->set_shape({});
}

void VideoView::show_nothing() {
  forget();
  screen_->show_text(tr("Open a movie, or drop one here"));
  play_->setEnabled(false);
  place_->setEnabled(false);
  time_->clear();
  rate_->clear();
}

void VideoView::open(const QString& path) {
  forget();
  screen_->show_text({});
  play_->setEnabled(true);
  place_->setEnabled(true);
  source_.open(path);
}

void VideoView::open_camera() {
  forget();
  screen_->show_text({});
  play_->setEnabled(true);
  place_->setEnabled(false);
  place_->setValue(0);
  source_.open_camera();
}

void VideoView::set_recipe(const Recipe& recipe) {
  runner_.set_recipe(recipe);
}

void VideoView::toggle() {
  source_.is_playing() ? source_.pause() : source_.play();
}

void VideoView::show_time() {
  if (source_.duration() == 0) return time_->clear();
  time_->setText(tr("%1 / %2").arg(clock_text(source_.position()), clock_text(source_.duration())));
}

void VideoView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) return toggle();
  QWidget::keyPressEvent(event);
}

}  // namespace sfumato::gui
