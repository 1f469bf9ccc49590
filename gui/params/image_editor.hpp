// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of a picture's role: a file, and its channels where they matter.
#pragma once

#include <QPointer>

#include "params/parameter_editor.hpp"

class QComboBox;
class QFileDialog;
class QLineEdit;
class QPushButton;

namespace sfumato::gui {

/// A path, typed, browsed for, or dropped as a file; with a file, names of channels. In a host's
/// dialog first of all one of the document's layers.
class ImageEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  ImageEditor(const Parameter& parameter, QWidget* parent);

  /// The open picture's file and its channels: offered as the first file, and where it is the one
  /// that is bound, its channels to choose from; any may be typed.
  void offer_channels(const QString& file, const QStringList& names);
  /// The layers of a host's document: offered before files.
  void offer_layers(const QStringList& names);
  /// Opens the file dialog.
  void browse();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void show_value() override;
  void set_up();
  void take_path(const QString& path);
  void take_channels();
  void fill_channels();
  void take_layer(int index);

  QComboBox* layers_ = nullptr;  ///< none, the layers, "a file"; null where there is no host
  QWidget* file_line_;
  QLineEdit* path_;
  QPushButton *browse_, *own_;
  QComboBox* channels_;
  QWidget* channel_line_;
  QPointer<QFileDialog> dialog_;
  QString offered_file_;
  QStringList offered_;
};

}  // namespace sfumato::gui
