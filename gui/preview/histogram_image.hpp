// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Histograms drawn into an image, pixel by pixel.
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>
#include <array>
#include <functional>

#include "preview/histogram.hpp"

namespace sfumato::gui {

struct HistogramLook {
  enum class Mix { over, add, multiply };  ///< how filled channels lie over each other

  QColor ground, grid;  ///< the grid's alpha counts
  std::array<QColor, 3> fill, line;
  Mix mix = Mix::over;
};

/// `after` filled, `before` as lines of a point, four quarters by a grid. `plot` is where the
/// curves are within `size`, both in points; `height` maps a count to 0..1. Painters share long
/// curves out to threads and wait for them: while a render has all processors, that takes longer
/// than this.
QImage histogram_image(const Histogram& before, const Histogram& after, const QSize& size,
                       double ratio, const QRectF& plot, const HistogramLook& before_look,
                       const HistogramLook& after_look,
                       const std::function<double(std::uint32_t)>& height);

}  // namespace sfumato::gui
