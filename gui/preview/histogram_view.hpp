// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How brightness is spread before and after.
#pragma once

#include <QWidget>

#include "preview/histogram.hpp"

class QPainter;

namespace sfumato::gui {

/// After as filled curves, before as thin lines, of what the preview shows. Corners are lit where
/// the result has less than black or more than white; their tooltips say how much. The context menu
/// has the scale. GUI thread only.
class HistogramView final : public QWidget {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);

  void set_histograms(const Histogram& before, const Histogram& after);
  void clear();

  void set_logarithmic(bool logarithmic);
  bool is_logarithmic() const { return logarithmic_; }

  /// What is clipped in the result, one sentence each; empty where nothing is.
  QString shadows_text() const;
  QString highlights_text() const;
  QString faults_text() const;

  /// The corners that tell of clipping.
  QRect shadows_corner() const;
  QRect highlights_corner() const;

  QSize sizeHint() const override { return {260, 140}; }
  QSize minimumSizeHint() const override { return {120, 72}; }

 Q_SIGNALS:
  void logarithmic_changed(bool logarithmic);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF plot() const;
  double height_of(std::uint32_t count) const;
  void paint_corners(QPainter& painter) const;
  void describe();

  Histogram before_, after_;
  double most_ = 1;  // the count that reaches the top
  bool logarithmic_ = false;
};

}  // namespace sfumato::gui
