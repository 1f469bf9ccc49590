// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Overlaid curves: channels add up as light on a dark background, as ink on a bright one.
#include "preview/histogram_view.hpp"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "params/model_text.hpp"
#include "preview/histogram_image.hpp"

namespace sfumato::gui {
namespace {

constexpr int corner_side = 9;
using Parts = std::array<std::uint32_t, 3>;

bool is_dark(const QPalette& palette) {
  return palette.color(QPalette::Base).lightnessF() < 0.5f;
}

// All three together make gray: added on a dark background, multiplied on a bright one.
QColor fill_of(int channel, bool dark) {
  constexpr int strong = 120, weak = 24;
  const auto part = [&](int c) {
    return dark ? (c == channel ? strong : weak) : c == channel ? 245 : 160;
  };
  return {part(0), part(1), part(2)};
}

QColor line_of(int channel, bool dark) {
  constexpr float hues[] = {0.0f, 1.0f / 3, 0.6f};
  return QColor::fromHslF(hues[channel], 0.75f, dark ? 0.72f : 0.36f);
}

HistogramLook look_of(const Histogram& histogram, const QPalette& palette) {
  const bool dark = is_dark(palette), gray = histogram.channels == 1;
  HistogramLook look;
  look.ground = palette.color(QPalette::Base);
  look.grid = palette.color(QPalette::Text);
  look.grid.setAlphaF(0.14f);
  for (int c = 0; c < 3; ++c) {
    const auto i = static_cast<std::size_t>(c);
    look.fill[i] = gray ? muted(palette, 0.55) : fill_of(c, dark);
    look.line[i] = gray ? muted(palette, 0.95) : line_of(c, dark);
  }
  look.mix = gray   ? HistogramLook::Mix::over
             : dark ? HistogramLook::Mix::add
                    : HistogramLook::Mix::multiply;
  return look;
}

// The highest count, ignoring a few bins that tower above all others, which may be whole skies.
double peak(const Histogram& histogram) {
  double most = 0;
  for (const Histogram::Counts& counts : histogram.channel) {
    std::vector<std::uint32_t> filled;
    std::copy_if(counts.begin(), counts.end(), std::back_inserter(filled),
                 [](std::uint32_t n) { return n > 0; });
    if (filled.empty()) continue;
    const auto at = filled.begin() + static_cast<std::ptrdiff_t>((filled.size() - 1) * 97 / 100);
    std::nth_element(filled.begin(), at, filled.end());
    const double usual = 1.25 * *at, highest = *std::max_element(at, filled.end());
    most = std::max(most, std::min(usual, highest));
  }
  return most;
}

bool any(const Parts& parts) {
  return parts[0] + parts[1] + parts[2] > 0;
}

QString share(std::uint32_t count, std::uint32_t pixels) {
  const double percent = 100.0 * count / std::max(1u, pixels);
  return percent < 0.01
             ? QStringLiteral("< 0.01 %")
             : QLocale().toString(percent, 'f', percent < 10 ? 2 : 1) + QStringLiteral(" %");
}

// "R 1.20 %, G 0.05 %"
QString shares(const Parts& parts, const Histogram& histogram) {
  if (histogram.channels == 1) return share(parts[0], histogram.pixels);
  const QString names[] = {HistogramView::tr("R", "red"), HistogramView::tr("G", "green"),
                           HistogramView::tr("B", "blue")};
  QStringList texts;
  for (std::size_t c = 0; c < 3; ++c) {
    if (parts[c] > 0) texts << names[c] + u' ' + share(parts[c], histogram.pixels);
  }
  return texts.join(QStringLiteral(", "));
}

// The colours of the clipped channels; the text colour if all are.
QColor color_of(const Parts& parts, const Histogram& histogram, const QPalette& palette) {
  const bool all = parts[0] > 0 && parts[1] > 0 && parts[2] > 0;
  if (all || histogram.channels == 1) return palette.color(QPalette::Text);
  const auto part = [&](std::size_t c) { return parts[c] > 0 ? 235 : 45; };
  return {part(0), part(1), part(2)};
}

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Histogram"));
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  setFocusPolicy(Qt::TabFocus);  // the menu key opens the menu
}

void HistogramView::set_histograms(const Histogram& before, const Histogram& after) {
  before_ = before;
  after_ = after;
  most_ = std::max({1.0, peak(before_), peak(after_)});
  describe();
  paint_soon();
}

// Rarely while a slider moves: painting takes as long as a preview of some filters.
void HistogramView::paint_soon() {
  constexpr int between_paints = 50;  // ms
  const qint64 passed = painted_.isValid() ? painted_.elapsed() : between_paints;
  if (passed >= between_paints) {
    update();
  } else if (!later_.isActive()) {
    later_.start(static_cast<int>(between_paints - passed));
  }
}

void HistogramView::clear() {
  set_histograms({}, {});
}

void HistogramView::set_logarithmic(bool logarithmic) {
  if (logarithmic == logarithmic_) return;
  logarithmic_ = logarithmic;
  update();
  Q_EMIT logarithmic_changed(logarithmic_);
}

QString HistogramView::shadows_text() const {
  return any(after_.below) ? tr("Darker than black: %1").arg(shares(after_.below, after_))
                           : QString();
}

QString HistogramView::highlights_text() const {
  return any(after_.above) ? tr("Brighter than white: %1").arg(shares(after_.above, after_))
                           : QString();
}

QString HistogramView::faults_text() const {
  return any(after_.no_number) ? tr("Not a number: %1").arg(shares(after_.no_number, after_))
                               : QString();
}

void HistogramView::describe() {
  QStringList texts{shadows_text(), highlights_text(), faults_text()};
  texts.removeAll(QString());
  setAccessibleDescription(texts.join(QStringLiteral(". ")));
}

QRectF HistogramView::plot() const {
  return QRectF(rect()).adjusted(1, 4, -1, -1);
}

QRect HistogramView::shadows_corner() const {
  return {4, 4, corner_side, corner_side};
}

QRect HistogramView::highlights_corner() const {
  return {width() - 4 - corner_side, 4, corner_side, corner_side};
}

double HistogramView::height_of(std::uint32_t count) const {
  const double part = logarithmic_ ? std::log1p(count) / std::log1p(most_) : count / most_;
  return std::min(part, 1.0);
}

void HistogramView::paint_corners(QPainter& painter) const {
  const auto triangle = [&](const QRect& box, bool left, const Parts& parts) {
    if (!any(parts)) return;
    const QRectF r(box);
    painter.setPen(QPen(muted(palette(), 0.6), 1));
    painter.setBrush(color_of(parts, after_, palette()));
    painter.drawPolygon(
        QPolygonF{{r.topLeft(), r.topRight(), left ? r.bottomLeft() : r.bottomRight()}});
  };
  triangle(shadows_corner(), true, after_.below);
  triangle(highlights_corner(), false, after_.above);
  if (any(after_.no_number)) {
    painter.setPen(error_color(palette()));
    painter.drawText(rect().adjusted(20, 3, -20, 0), Qt::AlignHCenter | Qt::AlignTop, tr("NaN"));
  }
}

void HistogramView::paintEvent(QPaintEvent*) {
  painted_.start();
  QPainter painter(this);
  const QColor edge = muted(palette(), 0.25);
  painter.drawImage(QPointF(),
                    histogram_image(before_, after_, size(), devicePixelRatioF(), plot(),
                                    look_of(before_, palette()), look_of(after_, palette()),
                                    [this](std::uint32_t count) { return height_of(count); }));
  painter.setRenderHint(QPainter::Antialiasing);
  paint_corners(painter);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(hasFocus() ? palette().color(QPalette::Highlight) : edge);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void HistogramView::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  auto* scale = new QActionGroup(menu);
  for (const bool logarithmic : {false, true}) {
    QAction* action = menu->addAction(logarithmic ? tr("&Logarithmic scale") : tr("Li&near scale"),
                                      this, [this, logarithmic] { set_logarithmic(logarithmic); });
    action->setCheckable(true);
    action->setChecked(logarithmic == logarithmic_);
    scale->addAction(action);
  }
  menu->popup(event->globalPos());
}

bool HistogramView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto over = [&](const QRect& corner) {
    return corner.adjusted(-4, -4, 4, 4).contains(help->pos());
  };
  QString text = faults_text();
  if (over(shadows_corner())) text = shadows_text();
  if (over(highlights_corner())) text = highlights_text();
  if (text.isEmpty()) text = tr("After: filled. Before: lines.");
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace sfumato::gui
