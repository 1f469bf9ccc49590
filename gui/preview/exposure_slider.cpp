// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A slider in tenths, with its value as text.
#include "preview/exposure_slider.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <cmath>

#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

constexpr int per_stop = 10, most_stops = 6;

// A true minus sign is as wide as the plus.
QString in_words(int tenths) {
  const QString number = QLocale().toString(std::abs(tenths) / 10.0, 'f', 1);
  const QString sign = tenths == 0 ? QString() : QString(tenths > 0 ? u'+' : u'\u2212');
  return ExposureSlider::tr("%1%2 EV").arg(sign, number);
}

}  // namespace

ExposureSlider::ExposureSlider(QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal, this)), text_(new QLabel(this)) {
  const QString help = tr("Exposure of the preview; the result is not touched. Double click: 0");
  setToolTip(help);
  slider_->setRange(-most_stops * per_stop, most_stops * per_stop);
  slider_->setPageStep(per_stop);
  slider_->setTickInterval(most_stops * per_stop);
  slider_->setTickPosition(QSlider::TicksBelow);
  slider_->setAccessibleName(tr("Exposure of the preview"));
  slider_->setMinimumWidth(90);
  slider_->installEventFilter(this);
  guard_wheel(slider_);
  setFocusProxy(slider_);
  text_->setBuddy(slider_);
  text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  text_->setMinimumWidth(text_->fontMetrics().horizontalAdvance(in_words(-60)) + 2);
  text_->installEventFilter(this);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* name = new QLabel(tr("Exposure"), this);
  name->installEventFilter(this);
  layout->addWidget(name);
  layout->addWidget(slider_, 1);
  layout->addWidget(text_);
  connect(slider_, &QSlider::valueChanged, this, [this] {
    tell();
    Q_EMIT changed(value());
  });
  tell();
}

double ExposureSlider::value() const {
  return slider_->value() / static_cast<double>(per_stop);
}

void ExposureSlider::set_value(double stops) {
  slider_->setValue(static_cast<int>(std::lround(stops * per_stop)));
}

QString ExposureSlider::text() const {
  return text_->text();
}

void ExposureSlider::tell() {
  text_->setText(in_words(slider_->value()));
  slider_->setAccessibleDescription(text_->text());
}

bool ExposureSlider::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::MouseButtonDblClick) return QWidget::eventFilter(watched, event);
  set_value(0);
  return true;
}

}  // namespace sfumato::gui
