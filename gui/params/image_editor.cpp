// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of an image role.
#include "params/image_editor.hpp"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>

#include "params/layer_reference.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {
namespace {

// The first local file being dragged, or an empty string.
QString dragged_file(const QMimeData* data) {
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) return url.toLocalFile();
  }
  return {};
}

// "a, b" in the model's notation: "a,b".
QString joined_channels(const QString& text) {
  QStringList names;
  for (const QString& name : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    if (!name.trimmed().isEmpty()) names << name.trimmed();
  }
  return names.join(QLatin1Char(','));
}

}  // namespace

ImageEditor::ImageEditor(const Parameter& parameter, QWidget* parent)
    : ParameterEditor(parameter, parent),
      file_line_(new QWidget(this)),
      path_(new QLineEdit(this)),
      browse_(new QPushButton(tr("Browse…"), this)),
      own_(new QPushButton(tr("This file"), this)),
      channels_(new QComboBox(this)),
      channel_line_(new QWidget(this)) {
  set_up();
  setAcceptDrops(true);
  setFocusProxy(path_);
  connect(path_, &QLineEdit::editingFinished, this, [this] { take_path(path_->text()); });
  connect(path_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (text.isEmpty()) take_path({});  // the clear button
  });
  connect(browse_, &QPushButton::clicked, this, &ImageEditor::browse);
  connect(own_, &QPushButton::clicked, this, [this] { take_path(offered_file_); });
  connect(channels_->lineEdit(), &QLineEdit::editingFinished, this, &ImageEditor::take_channels);
  connect(channels_, &QComboBox::activated, this, &ImageEditor::take_channels);
  set_value(parameter.default_value);
}

void ImageEditor::set_up() {
  describe(path_, tr("file"));
  describe(browse_, tr("browse"));
  describe(channels_, tr("channels"));
  path_->setPlaceholderText(tr("None: drop a picture here"));
  path_->setClearButtonEnabled(true);
  path_->setAcceptDrops(false);  // the editor handles dropped files, even here
  describe(own_, tr("the open picture's file"));
  own_->setToolTip(tr("Channels of the open picture's own file"));
  browse_->setAutoDefault(false);
  own_->setAutoDefault(false);
  own_->hide();
  channels_->setEditable(true);
  channels_->setInsertPolicy(QComboBox::NoInsert);
  channels_->lineEdit()->setPlaceholderText(tr("Automatic"));
  channels_->lineEdit()->setAcceptDrops(false);
  channels_->setToolTip(tr("Channel names separated by commas, such as N.X,N.Y,N.Z"));
  guard_wheel(channels_);
  auto* file = new QHBoxLayout(file_line_);
  file->setContentsMargins(0, 0, 0, 0);
  file->setSpacing(6);
  file->addWidget(path_, 1);
  file->addWidget(browse_);
  auto* line = new QHBoxLayout(channel_line_);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  line->addWidget(new QLabel(tr("Channels"), channel_line_));
  line->addWidget(channels_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(file_line_);
  layout->addWidget(own_, 0, Qt::AlignLeft);
  layout->addWidget(channel_line_);
}

void ImageEditor::offer_channels(const QString& file, const QStringList& names) {
  offered_file_ = file;
  offered_ = names;
  // Up to four channels form a single layer: the picture itself.
  own_->setVisible(names.size() > 4);
  fill_channels();
}

void ImageEditor::offer_layers(const QStringList& names) {
  if (layers_ == nullptr) {
    layers_ = new QComboBox(this);
    describe(layers_, tr("layer"));
    guard_wheel(layers_);
    connect(layers_, &QComboBox::activated, this, &ImageEditor::take_layer);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, layers_);
  }
  layers_->clear();
  layers_->addItem(tr("None"), QString());
  for (const QString& name : names) {
    layers_->addItem(name, QString::fromStdString(layer_reference(name.toStdString()).path));
  }
  layers_->addItem(tr("A file…"));  // without data
  setFocusProxy(layers_);
  show_again();
}

void ImageEditor::take_layer(int index) {
  const QVariant chosen = layers_->itemData(index);
  if (!chosen.isValid()) {
    file_line_->show();
    browse();
  } else {
    take_path(chosen.toString());
    file_line_->hide();
  }
}

void ImageEditor::fill_channels() {
  const QSignalBlocker quiet(channels_);
  const QString text = channels_->currentText();
  channels_->clear();
  if (path_->text() == offered_file_) channels_->addItems(offered_);
  channels_->setCurrentText(text);
}

void ImageEditor::browse() {
  if (dialog_) return dialog_->raise();
  const QString now = QString::fromStdString(std::get<ImageRef>(value()).path);
  dialog_ = new QFileDialog(this, label_of(parameter()), QFileInfo(now).path());
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  dialog_->setFileMode(QFileDialog::ExistingFile);
  connect(dialog_, &QFileDialog::fileSelected, this, &ImageEditor::take_path);
  dialog_->open();
}

// Another file has other channels.
void ImageEditor::take_path(const QString& path) {
  if (showing()) return;
  const ImageRef& now = std::get<ImageRef>(value());
  ImageRef next{path.toStdString(), {}};
  if (next.path == now.path) return;
  change(std::move(next), true);
  show_again();
}

void ImageEditor::take_channels() {
  if (showing()) return;
  ImageRef next = std::get<ImageRef>(value());
  if (!next.bound()) return;
  next.channels = joined_channels(channels_->currentText()).remove(QLatin1Char(':')).toStdString();
  change(std::move(next), true);
}

void ImageEditor::show_value() {
  const ImageRef& image = std::get<ImageRef>(value());
  const QString path = QString::fromStdString(image.path);
  const bool layer = layer_of(image).has_value(), file = image.bound() && !layer;
  const QString shown = layer ? QString() : path;
  if (path_->text() != shown) path_->setText(shown);
  path_->setToolTip(shown.isEmpty() ? help_of(parameter()) : plain_tip(shown));
  fill_channels();
  channels_->setCurrentText(QString::fromStdString(image.channels));
  channel_line_->setVisible(file);
  if (layers_ == nullptr) return;
  const int found = layers_->findData(path);
  // A layer missing from this document is not a file either: nothing is selected.
  layers_->setCurrentIndex(file ? layers_->count() - 1 : found);
  file_line_->setVisible(file);
}

void ImageEditor::dragEnterEvent(QDragEnterEvent* event) {
  if (!dragged_file(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void ImageEditor::dropEvent(QDropEvent* event) {
  const QString file = dragged_file(event->mimeData());
  if (file.isEmpty()) return;
  event->acceptProposedAction();
  take_path(file);
}

}  // namespace sfumato::gui
