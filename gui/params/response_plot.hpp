// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The kernel and the frequency response of a step, plotted below its parameters.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "params/response.hpp"

class QButtonGroup;
class QLabel;
class QTimer;

namespace sfumato::gui {

class ResponseCanvas;

/// Measures the newest step on its own thread and shows the result: stems over pixels, or the
/// response over frequency. Hides itself if a step has no response, so it belongs in a layout. GUI
/// thread only.
class ResponsePlot final : public QWidget {
  Q_OBJECT

 public:
  explicit ResponsePlot(QWidget* parent = nullptr);
  /// Cancels the running measurement and waits for it.
  ~ResponsePlot() override;

  /// Plots this step soon; calls in quick succession replace one another. nullptr: shows nothing.
  void show_step(const Step* step);
  /// Shows nothing.
  void clear();

  const std::optional<Response>& response() const { return response_; }
  /// The plot in words: "Sums to 1, 17 px wide".
  QString description() const;
  bool shows_kernel() const;
  void show_kernel(bool kernel);

 Q_SIGNALS:
  /// A step was measured; the plot is hidden if it has no response.
  void measured();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Worker;
  void make_header();
  void take(std::optional<Response> response);
  void show_words();

  ResponseCanvas* canvas_;
  QLabel* words_;
  QButtonGroup* switch_;
  QTimer* soon_;
  Step step_;
  std::optional<Response> response_;
  bool chosen_ = false;  // by the user; persists across filters
  std::unique_ptr<Worker> worker_;
};

}  // namespace sfumato::gui
