// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A column at a time: how much of each pixel lies under a curve, or within half a point of it.
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

// Where a curve runs in a column of pixels, as rows from above.
struct Span {
  float mean = 0, highest = 0, lowest = 0;
};

// The heights of bins, joined by straight lines from middle to middle.
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
  constexpr int samples = 4;  // a narrow column holds several bins
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

// How much of a row lies between two heights.
float part_of(int row, float from, float to) {
  const float y = static_cast<float>(row);
  return std::clamp(std::min(to, y + 1) - std::max(from, y), 0.0f, 1.0f);
}

QRgb code_of(const LinearRgb& light) {
  const auto code = [](float v) { return static_cast<int>(std::clamp(v, 0.0f, 255.0f) + 0.5f); };
  return qRgb(code(light[0]), code(light[1]), code(light[2]));
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
  const auto curves = [&](const Histogram& histogram) {
    std::vector<std::vector<Span>> found;
    for (int c = 0; c < histogram.channels; ++c) {
      found.push_back(spans(histogram.channel[static_cast<std::size_t>(c)], columns,
                            plot.left() * ratio, plot.width() * ratio, bottom,
                            plot.height() * ratio, height));
    }
    return found;
  };
  const auto filled = curves(after), lines = curves(before);
  const LinearRgb ground = light_of(after_look.ground), grid = light_of(after_look.grid);
  const float strength = after_look.grid.alphaF(), half = static_cast<float>(ratio / 2);
  std::array<LinearRgb, 3> fill, line;
  for (std::size_t c = 0; c < 3; ++c) {
    fill[c] = light_of(after_look.fill[c]);
    line[c] = light_of(before_look.line[c]);
  }
  const auto on_grid = [&](int x) {
    const int point = static_cast<int>(x / ratio);
    for (int i = 1; i < 4; ++i) {
      if (point == size.width() * i / 4) return true;
    }
    return false;
  };
  const int from = static_cast<int>(plot.left() * ratio),
            to = static_cast<int>(plot.right() * ratio);
  uchar* const bits = image.bits();
  const qsizetype stride = image.bytesPerLine();
  for (int x = 0; x < columns; ++x) {
    const auto column = static_cast<std::size_t>(x);
    const bool gridded = on_grid(x), inside = x >= from && x < to;
    for (int y = 0; y < image.height(); ++y) {
      LinearRgb light = ground;
      for (std::size_t c = 0; inside && c < filled.size(); ++c) {
        const float part = part_of(y, filled[c][column].mean, bottom);
        if (part > 0) fill_over(light, fill[c], part, after_look.mix);
      }
      if (gridded) lay_over(light, grid, strength);
      for (std::size_t c = 0; inside && c < lines.size(); ++c) {
        const Span& span = lines[c][column];
        const float part = part_of(y, span.highest - half, span.lowest + half);
        if (part > 0) lay_over(light, line[c], part);
      }
      reinterpret_cast<QRgb*>(bits + y * stride)[x] = code_of(light);
    }
  }
  return image;
}

}  // namespace sfumato::gui
