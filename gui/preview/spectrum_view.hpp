// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which frequencies the picture is made of, before and after.
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>

#include "preview/preview_renderer.hpp"

namespace sfumato::gui {

/// Magnitudes on a logarithmic scale, the same for both, frequency 0 in the middle; of the picture
/// reduced to 512 pixels a side, by the filter `spectrum`. Computes only while it is visible, on a
/// thread of its own; the newest recipe wins. GUI thread only.
class SpectrumView final : public QWidget {
  Q_OBJECT

 public:
  explicit SpectrumView(SessionOptions options = {}, QWidget* parent = nullptr);
  ~SpectrumView() override;

  void set_picture(PicturePtr picture);
  void set_recipe(const Recipe& recipe);
  /// Another device or memory limit from the next spectrum on.
  void set_session(const SessionOptions& options);

  /// Holds the work, at once, while `hold`: the preview comes first.
  void pause(bool hold);

  /// As they are shown; null while they are awaited.
  const QImage& before() const { return before_; }
  const QImage& after() const { return after_; }
  /// Whether one of them is being computed.
  bool is_busy() const;

  QSize sizeHint() const override { return {420, 240}; }
  QSize minimumSizeHint() const override { return {160, 100}; }

 Q_SIGNALS:
  /// One or both are new.
  void changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void request();
  void drop();
  void take(const QImage& image, const PicturePtr& picture, const Recipe& recipe);
  void paint_half(QPainter& painter, const QRect& half, const QImage& image,
                  const QString& name) const;

  SessionOptions options_;
  PicturePtr picture_;
  Recipe recipe_;
  QImage before_, after_;
  bool before_is_new_ = false, after_is_new_ = false, held_ = false;
  std::optional<PreviewRequest> last_request_;  // last
  QString fault_;
  // Made when it is first needed. Last: its thread ends before anything else of this goes.
  std::unique_ptr<PreviewRenderer> renderer_;
};

}  // namespace sfumato::gui
