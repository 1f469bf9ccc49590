// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies with non-square pixels (DV, HDV, anamorphic), and their display size.
#pragma once

#include <QObject>
#include <QPointer>
#include <QSize>
#include <QString>

class QProcess;

namespace sfumato::gui {

/// Width of a displayed pixel relative to its height.
struct PixelRatio {
  int width = 1, height = 1;

  bool is_square() const { return width == height; }
  PixelRatio turned() const { return {height, width}; }
  /// From ffprobe's "64:45"; square if unknown ("0:1", "N/A").
  static PixelRatio from(const QString& said);
};

/// The display properties of a movie's frames.
struct MovieShape {
  QSize stored;  ///< in pixels, before rotation; empty: unknown, with square pixels
  PixelRatio pixel;

  /// The display size of a decoded frame, in square pixels. A frame that has neither the stored
  /// size nor that size rotated by a quarter was already scaled by the decoder, and keeps its size.
  QSize shown(QSize frame) const;
};

/// Asks ffprobe for what Qt Multimedia's frames do not report. GUI thread only; never waits.
class ShapeProbe : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~ShapeProbe() override;

  /// Answers with known(), unless another request comes first; never without ffprobe.
  void request(const QString& path);
  void forget();

 Q_SIGNALS:
  void known(const MovieShape& shape);

 private:
  QPointer<QProcess> process_;  // a child that deletes itself
};

}  // namespace sfumato::gui
