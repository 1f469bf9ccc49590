// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of an image role: a file, and its channels where they matter.
#pragma once

#include <QPointer>

#include "params/parameter_editor.hpp"

class QComboBox;
class QFileDialog;
class QLineEdit;
class QPushButton;

namespace sfumato::gui {

/// A path, typed, browsed for or dropped, with channel names for a file. In a host's dialog, the
/// document's layers come first.
class ImageEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  ImageEditor(const Parameter& parameter, QWidget* parent);

  /// The open picture's file and channels. The file is offered first and, if it is bound, its
  /// channels can be selected; any others may be typed.
  void offer_channels(const QString& file, const QStringList& names);
  /// The layers of a host's document, offered before files.
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

  QComboBox* layers_ = nullptr;  ///< none, the layers, "a file"; null without a host
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
