// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The frequency spectrum of the picture, before and after.
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>

#include "preview/preview_renderer.hpp"

namespace sfumato::gui {

/// Magnitudes on a common logarithmic scale, frequency 0 in the middle, of the picture reduced to
/// 512 pixels per side, by the filter `spectrum`. Computes only while visible, on its own thread;
/// the newest recipe wins. GUI thread only.
class SpectrumView final : public QWidget {
  Q_OBJECT

 public:
  explicit SpectrumView(SessionOptions options = {}, QWidget* parent = nullptr);
  ~SpectrumView() override;

  void set_picture(PicturePtr picture);
  void set_recipe(const Recipe& recipe);
  /// Uses another device or memory limit from the next spectrum on.
  void set_session(const SessionOptions& options);

  /// Pauses work at once while `hold`: the preview has priority.
  void pause(bool hold);

  /// As shown; null until available.
  const QImage& before() const { return before_; }
  const QImage& after() const { return after_; }
  /// Whether one of them is being computed.
  bool is_busy() const;

  /// The wave at a position of the widget, in words: its length in pixels of the whole picture,
  /// from crest to crest, and the direction across its crests, counted from the right against the
  /// clock. Empty: there is none.
  QString wave_at(const QPointF& position) const;

  QSize sizeHint() const override { return {420, 240}; }
  QSize minimumSizeHint() const override { return {160, 100}; }

 Q_SIGNALS:
  /// At least one of them changed.
  void changed();
  /// wave_at() the cursor.
  void hovered(const QString& wave);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void request();
  void drop();
  void take(const QImage& image, const PicturePtr& picture, const Recipe& recipe);
  /// The place of "before" or "after".
  QRect half(bool after) const;
  /// The place within a half of a picture and its name.
  QRect place_in(const QRect& half, const QImage& image) const;
  void paint_half(QPainter& painter, const QRect& half, const QImage& image,
                  const QString& name) const;

  SessionOptions options_;
  PicturePtr picture_;
  Recipe recipe_;
  QImage before_, after_;
  bool before_is_new_ = false, after_is_new_ = false, held_ = false;
  std::optional<PreviewRequest> last_request_;  // the last one
  QString fault_;
  // Created on demand. The last member, so that its thread ends before other members are destroyed.
  std::unique_ptr<PreviewRenderer> renderer_;
};

}  // namespace sfumato::gui
