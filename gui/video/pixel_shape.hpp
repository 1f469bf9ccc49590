// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies whose pixels are not square (DV, HDV, anamorphic), and how they are shown.
#pragma once

#include <QObject>
#include <QPointer>
#include <QSize>
#include <QString>

class QProcess;

namespace sfumato::gui {

/// How much wider than high a pixel is shown.
struct PixelRatio {
  int width = 1, height = 1;

  bool is_square() const { return width == height; }
  PixelRatio turned() const { return {height, width}; }
  /// From ffprobe's "64:45"; square where it does not know ("0:1", "N/A").
  static PixelRatio from(const QString& said);
};

/// What a movie's frames are to look like.
struct MovieShape {
  QSize stored;  ///< in pixels, before it is turned; empty: not known, pixels are square
  PixelRatio pixel;

  /// The size, in square pixels, that a decoded frame is shown in. One that is neither as the movie
  /// stores it nor turned by a quarter was brought to its shape by the decoder, and stays.
  QSize shown(QSize frame) const;
};

/// Asks ffprobe, which Qt Multimedia's frames do not make up for. GUI thread only; never waits.
class ShapeProbe : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~ShapeProbe() override;

  /// Answers by known(), unless something else is asked before; never without ffprobe.
  void request(const QString& path);
  void forget();

 Q_SIGNALS:
  void known(const MovieShape& shape);

 private:
  QPointer<QProcess> process_;  // a child, which deletes itself
};

}  // namespace sfumato::gui
