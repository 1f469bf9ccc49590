// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "params/size_editor.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace sfumato::gui {

SizeEditor::SizeEditor(QWidget* parent)
    : QWidget(parent),
      kind_(new QComboBox(this)),
      filter_(new QComboBox(this)),
      width_(new QSpinBox(this)),
      height_(new QSpinBox(this)),
      percent_(new QSpinBox(this)),
      times_(new QLabel(QStringLiteral("×"), this)),
      result_(new QLabel(this)) {
  kind_->addItem(tr("As the original"), as_it_is);
  kind_->addItem(tr("To fit into"), fitting);
  kind_->addItem(tr("Percent"), scaled);
  filter_->addItem(tr("Lanczos (sharp)"), static_cast<int>(ResizeFilter::lanczos3));
  filter_->addItem(tr("Mitchell (soft)"), static_cast<int>(ResizeFilter::mitchell));
  filter_->addItem(tr("Box (means)"), static_cast<int>(ResizeFilter::box));
  filter_->setToolTip(tr("How the new pixels are made, in linear light"));
  constexpr int most_side = 1 << 20, usual = 2048, most_percent = 1000, half = 50;
  for (QSpinBox* side : {width_, height_}) {
    side->setRange(1, most_side);
    side->setValue(usual);
  }
  percent_->setRange(1, most_percent);
  percent_->setValue(half);
  percent_->setSuffix(tr(" %"));
  kind_->setAccessibleName(tr("Size"));
  width_->setAccessibleName(tr("Largest width in pixels"));
  height_->setAccessibleName(tr("Largest height in pixels"));
  percent_->setAccessibleName(tr("Size in percent"));
  filter_->setAccessibleName(tr("Filter for the size"));
  result_->setForegroundRole(QPalette::PlaceholderText);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  for (QWidget* w : std::initializer_list<QWidget*>{kind_, width_, times_, height_, percent_,
                                                    filter_, result_}) {
    row->addWidget(w);
  }
  row->addStretch(1);
  connect(kind_, &QComboBox::currentIndexChanged, this, &SizeEditor::show_fields);
  connect(filter_, &QComboBox::currentIndexChanged, this, &SizeEditor::show_fields);
  for (QSpinBox* number : {width_, height_, percent_}) {
    connect(number, &QSpinBox::valueChanged, this, &SizeEditor::show_fields);
  }
  show_fields();
}

QWidget* SizeEditor::first() const {
  return kind_;
}

void SizeEditor::show_fields() {
  const int kind = kind_->currentData().toInt();
  for (QWidget* w : std::initializer_list<QWidget*>{width_, times_, height_}) {
    w->setVisible(kind == fitting);
  }
  percent_->setVisible(kind == scaled);
  filter_->setVisible(kind != as_it_is);
  const auto wanted = resizing();
  const bool known = wanted && picture_.width > 0;
  result_->setVisible(known);
  if (known) {
    const PictureSize size = wanted->of(picture_);
    result_->setText(QStringLiteral("→ %1 × %2").arg(size.width).arg(size.height));
  }
  Q_EMIT changed();
}

std::optional<Resizing> SizeEditor::resizing() const {
  Resizing out;
  out.filter = static_cast<ResizeFilter>(filter_->currentData().toInt());
  switch (kind_->currentData().toInt()) {
    case fitting:
      out.most = {width_->value(), height_->value()};
      return out;
    case scaled:
      out.scale = percent_->value() / 100.0;
      return out;
    default:
      return std::nullopt;
  }
}

void SizeEditor::set_resizing(const std::optional<Resizing>& resizing) {
  const Kind kind = !resizing ? as_it_is : resizing->scale > 0 ? scaled : fitting;
  if (resizing) {
    filter_->setCurrentIndex(filter_->findData(static_cast<int>(resizing->filter)));
    if (kind == scaled) percent_->setValue(static_cast<int>(std::lround(100 * resizing->scale)));
    if (kind == fitting) {
      width_->setValue(resizing->most.width);
      height_->setValue(resizing->most.height);
    }
  }
  kind_->setCurrentIndex(kind_->findData(kind));
}

void SizeEditor::set_picture(const PictureSize& size) {
  picture_ = size;
  show_fields();
}

QString SizeEditor::text() const {
  return QStringLiteral("%1 %2 %3 %4 %5")
      .arg(kind_->currentData().toInt())
      .arg(width_->value())
      .arg(height_->value())
      .arg(percent_->value())
      .arg(filter_->currentData().toInt());
}

void SizeEditor::set_text(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '));
  if (words.size() != 5) return;
  width_->setValue(words[1].toInt());
  height_->setValue(words[2].toInt());
  percent_->setValue(words[3].toInt());
  kind_->setCurrentIndex(std::max(0, kind_->findData(words[0].toInt())));
  filter_->setCurrentIndex(std::max(0, filter_->findData(words[4].toInt())));
}

}  // namespace sfumato::gui
