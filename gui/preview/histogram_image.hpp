// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Draws histograms into an image, pixel by pixel.
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>
#include <array>
#include <functional>

#include "preview/histogram.hpp"

namespace sfumato::gui {

struct HistogramLook {
  enum class Mix { over, add, multiply };  ///< how filled channels combine

  QColor ground, grid;  ///< alpha of the grid is used
  std::array<QColor, 3> fill, line;
  Mix mix = Mix::over;
};

/// Draws `after` filled, `before` as lines one point wide, over a grid of quarters. `plot` is the
/// area of the curves within `size`, both in points; `height` maps a count to 0..1. Not done with
/// QPainter, which shares long curves out to threads and waits for them: that takes longer than
/// this while a render uses all processors.
QImage histogram_image(const Histogram& before, const Histogram& after, const QSize& size,
                       double ratio, const QRectF& plot, const HistogramLook& before_look,
                       const HistogramLook& after_look,
                       const std::function<double(std::uint32_t)>& height);

}  // namespace sfumato::gui
