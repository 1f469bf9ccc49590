// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The distribution of brightness before and after.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "preview/histogram.hpp"

class QPainter;

namespace sfumato::gui {

/// Filled curves for after, thin lines for before, of the visible preview. Corners light up if the
/// result has values below black or above white; their tooltips say how many. The context menu has
/// the scale. GUI thread only.
class HistogramView final : public QWidget {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);

  void set_histograms(const Histogram& before, const Histogram& after);
  void clear();

  void set_logarithmic(bool logarithmic);
  bool is_logarithmic() const { return logarithmic_; }

  /// The clipped part of the result, one sentence each; empty if there is none.
  QString shadows_text() const;
  QString highlights_text() const;
  QString faults_text() const;

  /// The corners that indicate clipping.
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
  void paint_soon();

  Histogram before_, after_;
  double most_ = 1;  // the count at the top of the plot
  bool logarithmic_ = false;
  QElapsedTimer painted_;  // since the last painting
  QTimer later_;
};

}  // namespace sfumato::gui
