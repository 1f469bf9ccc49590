// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Where the result goes and how it is packed.
#pragma once

#include <QDialog>

#include "document/opened_picture.hpp"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QSlider;
class QSpinBox;

namespace sfumato::gui {

/// A depth as people say it: "16 bits".
QString depth_text(SampleType type);

/// Asks for a file and the options of its format. Rows that a format has nothing for are not shown.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(const OpenedPicture& picture, const QString& suggested, QWidget* parent = nullptr);

  /// Absolute: a bare name lies in the folder of the suggested one, "~/" is the user's own.
  QString path() const;
  void set_path(const QString& path);
  /// `overwrite` is set where the file is there: the user agreed.
  WriteOptions options() const;
  /// As far as the format has them.
  void set_options(const WriteOptions& options);

  void accept() override;

 private:
  void set_up_rows(const OpenedPicture& picture);
  void format_changed();
  void browse();
  bool agrees_to_replace();

  QString original_;  // the picture's file; empty: it has none of its own
  QString folder_;    // of names without one
  QString about_;     // the picture, in words
  QFormLayout* form_ = nullptr;
  QLayout* quality_row_ = nullptr;
  QLineEdit* path_;
  QComboBox *format_, *depth_, *compression_, *profile_;
  QSlider* quality_slider_;
  QSpinBox* quality_;
  QCheckBox *metadata_, *dither_;
  QLabel* note_;
  QDialogButtonBox* buttons_;
  bool replace_ = false;
};

}  // namespace sfumato::gui
