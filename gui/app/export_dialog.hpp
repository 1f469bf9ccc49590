// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The target and format of an export.
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

/// A depth for the user: "16 bits".
QString depth_text(SampleType type);

class SizeEditor;

/// Asks for a file and the options of its format. Rows that do not apply to the format are hidden.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(const OpenedPicture& picture, const QString& suggested, QWidget* parent = nullptr);

  /// Absolute: a bare name is in the folder of the suggested one, "~/" is the user's home.
  QString path() const;
  void set_path(const QString& path);
  /// `overwrite` is set if the file exists and the user agreed to replace it.
  WriteOptions options() const;
  /// Sets the options that the format has.
  void set_options(const WriteOptions& options);

  void accept() override;

 private:
  void set_up_rows(const OpenedPicture& picture);
  void format_changed();
  void browse();
  void show_quality_of(const FormatInfo& info);
  bool keeps_quality() const;
  bool agrees_to_replace();

  QString original_;  // the picture's file; empty if it has none of its own
  QString folder_;    // for names without a folder
  QString about_;     // describes the picture
  QFormLayout* form_ = nullptr;
  QLayout* quality_row_ = nullptr;
  QLineEdit* path_;
  QComboBox *format_, *depth_, *compression_, *profile_;
  QSlider* quality_slider_;
  QSpinBox* quality_;
  SizeEditor* size_;
  QCheckBox *kept_quality_, *metadata_, *dither_;
  QLabel* note_;
  QDialogButtonBox* buttons_;
  const int original_quality_;  // of a JPEG file, else 0
  int usual_quality_ = 95;      // of the format
  bool replace_ = false;
};

}  // namespace sfumato::gui
