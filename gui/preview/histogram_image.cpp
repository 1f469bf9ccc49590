// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Column by column: the part of each pixel below a curve, or within half a point of it.
#include "preview/histogram_image.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sfumato::gui {
namespace {

using LinearRgb = std::array<float, 3>;

LinearRgb light_of(const QColor& color) {
  return {static_cast<float>(color.red()), static_cast<float>(color.green()),
          static_cast<float>(color.blue())};
}

void lay_over(LinearRgb& under, const LinearRgb& over, float part) {
  for (std::size_t c = 0; c < 3; ++c) under[c] += (over[c] - under[c]) * part;
}

void fill_over(LinearRgb& under, const LinearRgb& fill, float part, HistogramLook::Mix mix) {
  if (mix == HistogramLook::Mix::over) return lay_over(under, fill, part);
  for (std::size_t c = 0; c < 3; ++c) {
    under[c] = mix == HistogramLook::Mix::add ? under[c] + part * fill[c]
                                              : under[c] * (1 - part * (1 - fill[c] / 255));
  }
}

// The extent of a curve in a column of pixels, as rows from the top.
struct Span {
  float mean = 0, highest = 0, lowest = 0;
};

// The heights of bins, joined by straight lines between their centres.
std::vector<Span> spans(const Histogram::Counts& counts, int columns, double left, double wide,
                        double bottom, double tall,
                        const std::function<double(std::uint32_t)>& height) {
  std::vector<float> rows(counts.size());
  std::transform(counts.begin(), counts.end(), rows.begin(), [&](std::uint32_t count) {
    return static_cast<float>(bottom - height(count) * tall);
  });
  const double last = static_cast<double>(counts.size() - 1);
  const auto at = [&](double x) {
    const double bin =
        std::clamp((x - left) / wide * static_cast<double>(counts.size()) - 0.5, 0.0, last);
    const auto low = static_cast<std::size_t>(bin);
    const std::size_t high = std::min(low + 1, counts.size() - 1);
    return rows[low] +
           (rows[high] - rows[low]) * static_cast<float>(bin - static_cast<double>(low));
  };
  constexpr int samples = 4;  // a narrow column covers several bins
  std::vector<Span> all(static_cast<std::size_t>(columns));
  for (int x = 0; x < columns; ++x) {
    const float first = at(x);
    Span span{0, first, first};
    for (int s = 1; s <= samples; ++s) {
      const float row = at(x + static_cast<double>(s) / samples);
      span.highest = std::min(span.highest, row);
      span.lowest = std::max(span.lowest, row);
      span.mean += at(x + (s - 0.5) / samples) / samples;
    }
    all[static_cast<std::size_t>(x)] = span;
  }
  return all;
}

// The part of a row between two heights.
float part_of(int row, float from, float to) {
  const float y = static_cast<float>(row);
  return std::clamp(std::min(to, y + 1) - std::max(from, y), 0.0f, 1.0f);
}

// A channel's curve, by columns of pixels, and its colour.
struct DrawnCurve {
  std::vector<Span> spans;
  LinearRgb color;
};

// Fills the areas below the curves.
void fill_curves(LinearRgb& light, const std::vector<DrawnCurve>& curves, std::size_t column,
                 int row, float bottom, HistogramLook::Mix mix) {
  for (const DrawnCurve& curve : curves) {
    const float part = part_of(row, curve.spans[column].mean, bottom);
    if (part > 0) fill_over(light, curve.color, part, mix);
  }
}

// Draws the curves as lines with `half` of their width on each side.
void lay_lines(LinearRgb& light, const std::vector<DrawnCurve>& curves, std::size_t column, int row,
               float half) {
  for (const DrawnCurve& curve : curves) {
    const Span& span = curve.spans[column];
    const float part = part_of(row, span.highest - half, span.lowest + half);
    if (part > 0) lay_over(light, curve.color, part);
  }
}

// Whether a point is on one of the lines between quarters.
bool is_on_grid(int point, int width) {
  for (int i = 1; i < 4; ++i) {
    if (point == width * i / 4) return true;
  }
  return false;
}

QRgb code_of(const LinearRgb& light) {
  const auto to_byte = [](float v) { return static_cast<int>(std::clamp(v, 0.0f, 255.0f) + 0.5f); };
  return qRgb(to_byte(light[0]), to_byte(light[1]), to_byte(light[2]));
}

}  // namespace

QImage histogram_image(const Histogram& before, const Histogram& after, const QSize& size,
                       double ratio, const QRectF& plot, const HistogramLook& before_look,
                       const HistogramLook& after_look,
                       const std::function<double(std::uint32_t)>& height) {
  QImage image((QSizeF(size) * ratio).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(after_look.ground);
  if (image.isNull() || plot.isEmpty()) return image;
  const int columns = image.width();
  const auto bottom = static_cast<float>(plot.bottom() * ratio);
  const auto curves = [&](const Histogram& histogram, const std::array<QColor, 3>& colors) {
    std::vector<DrawnCurve> found;
    for (std::size_t c = 0; c < static_cast<std::size_t>(histogram.channels); ++c) {
      found.push_back({spans(histogram.channel[c], columns, plot.left() * ratio,
                             plot.width() * ratio, bottom, plot.height() * ratio, height),
                       light_of(colors[c])});
    }
    return found;
  };
  const std::vector<DrawnCurve> filled = curves(after, after_look.fill),
                                lines = curves(before, before_look.line);
  const LinearRgb ground = light_of(after_look.ground), grid = light_of(after_look.grid);
  const float strength = after_look.grid.alphaF(), half = static_cast<float>(ratio / 2);
  const int from = static_cast<int>(plot.left() * ratio),
            to = static_cast<int>(plot.right() * ratio);
  uchar* const bits = image.bits();
  const qsizetype stride = image.bytesPerLine();
  for (int x = 0; x < columns; ++x) {
    const auto column = static_cast<std::size_t>(x);
    const bool gridded = is_on_grid(static_cast<int>(x / ratio), size.width());
    const bool inside = x >= from && x < to;
    for (int y = 0; y < image.height(); ++y) {
      LinearRgb light = ground;
      if (inside) fill_curves(light, filled, column, y, bottom, after_look.mix);
      if (gridded) lay_over(light, grid, strength);
      if (inside) lay_lines(light, lines, column, y, half);
      reinterpret_cast<QRgb*>(bits + y * stride)[x] = code_of(light);
    }
  }
  return image;
}

}  // namespace sfumato::gui
