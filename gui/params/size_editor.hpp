// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Chooses the size of a written picture.
#pragma once

#include <QWidget>
#include <optional>

#include "image/resampling.hpp"

class QComboBox;
class QLabel;
class QSpinBox;

namespace sfumato::gui {

class SizeEditor : public QWidget {
  Q_OBJECT

 public:
  explicit SizeEditor(QWidget* parent = nullptr);

  /// nullopt: the picture keeps its size.
  std::optional<Resizing> resizing() const;
  void set_resizing(const std::optional<Resizing>& resizing);
  /// Says beside it which size a picture gets; 0 x 0: there is none yet.
  void set_picture(const PictureSize& size);

  /// As a text for settings.
  QString text() const;
  void set_text(const QString& text);

  /// The widget of the label's mnemonic.
  QWidget* first() const;

 Q_SIGNALS:
  void changed();

 private:
  enum Kind : int { as_it_is, fitting, scaled };

  void show_fields();

  QComboBox *kind_, *filter_;
  QSpinBox *width_, *height_, *percent_;
  QLabel *times_, *result_;
  PictureSize picture_;
};

}  // namespace sfumato::gui
