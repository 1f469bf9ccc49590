// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows from the table of writable formats.
#include "app/export_dialog.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <algorithm>

#include "app/question.hpp"
#include "document/paths.hpp"
#include "params/keyboard.hpp"
#include "params/size_editor.hpp"

namespace sfumato::gui {
QString depth_text(SampleType type) {
  switch (type) {
    case SampleType::u8:
      return ExportDialog::tr("8 bits");
    case SampleType::u16:
      return ExportDialog::tr("16 bits");
    case SampleType::f16:
      return ExportDialog::tr("Half float");
    default:
      return ExportDialog::tr("Float");
  }
}

namespace {

// The same inside a sentence.
QString depth_words(SampleType type) {
  switch (type) {
    case SampleType::f16:
      return ExportDialog::tr("half float", "within a sentence");
    case SampleType::f32:
      return ExportDialog::tr("float", "within a sentence");
    default:
      return depth_text(type);
  }
}

// Descriptions are translated; names of methods are not.
QString compression_text(const std::string& name) {
  if (name == "fast") return ExportDialog::tr("Fast");
  if (name == "small") return ExportDialog::tr("Small");
  if (name == "none") return ExportDialog::tr("None");
  return QString::fromStdString(name).toUpper();
}

}  // namespace

ExportDialog::ExportDialog(const OpenedPicture& picture, const QString& suggested, QWidget* parent)
    : QDialog(parent),
      original_(picture.temporary ? QString() : shown_path(picture.path)),
      folder_(QFileInfo(suggested).absolutePath()),
      path_(new QLineEdit(suggested, this)),
      format_(new QComboBox(this)),
      depth_(new QComboBox(this)),
      compression_(new QComboBox(this)),
      profile_(new QComboBox(this)),
      quality_slider_(new QSlider(Qt::Horizontal, this)),
      quality_(new QSpinBox(this)),
      size_(new SizeEditor(this)),
      kept_quality_(new QCheckBox(tr("&As the original"), this)),
      metadata_(new QCheckBox(tr("Keep &metadata (EXIF, XMP)"), this)),
      dither_(new QCheckBox(tr("Di&ther, against bands"), this)),
      note_(new QLabel(this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this)),
      original_quality_(picture.jpeg_quality) {
  setWindowTitle(tr("Export"));
  for (const FormatInfo& f : writable_formats()) {
    format_->addItem(QString::fromStdString(f.name), QString::fromStdString(f.extensions.front()));
  }
  quality_slider_->setRange(1, 100);
  quality_->setRange(1, 100);
  quality_->setValue(95);
  quality_slider_->setValue(95);
  metadata_->setChecked(true);
  profile_->addItem(tr("Keep, with its profile"), static_cast<int>(ProfileChoice::keep));
  profile_->addItem(tr("Convert to sRGB"), static_cast<int>(ProfileChoice::srgb));
  profile_->addItem(tr("Leave the profile out"), static_cast<int>(ProfileChoice::strip));
  profile_->setToolTip(
      tr("sRGB is what screens and the web expect. Without its profile, a picture "
         "of other colours looks different elsewhere."));
  set_up_rows(picture);
  connect(path_, &QLineEdit::textChanged, this, &ExportDialog::format_changed);
  connect(format_, &QComboBox::activated, this, [this] {
    const QFileInfo now(path());
    set_path(now.path() + QLatin1Char('/') + now.completeBaseName() + QLatin1Char('.') +
             format_->currentData().toString());
  });
  connect(quality_slider_, &QSlider::valueChanged, quality_, &QSpinBox::setValue);
  connect(quality_, &QSpinBox::valueChanged, quality_slider_, &QSlider::setValue);
  connect(kept_quality_, &QCheckBox::toggled, this, &ExportDialog::format_changed);
  connect(buttons_, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &ExportDialog::reject);
  format_changed();
}

void ExportDialog::set_up_rows(const OpenedPicture& picture) {
  auto* browse = new QPushButton(tr("&Browse…"), this);
  browse->setAutoDefault(false);
  connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
  auto* file = new QHBoxLayout;
  file->addWidget(path_, 1);
  file->addWidget(browse);
  auto* quality = new QHBoxLayout;
  quality->addWidget(quality_slider_, 1);
  quality->addWidget(quality_);
  quality->addWidget(kept_quality_);
  path_->setMinimumWidth(360);
  path_->setAccessibleName(tr("File"));
  quality_row_ = quality;
  quality_slider_->setAccessibleName(tr("Quality"));
  quality_->setAccessibleName(tr("Quality, exact"));
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  auto* form = form_ = new QFormLayout(this);
  // A row of several widgets does not determine the buddy of its label.
  const auto lead = [form](QLayout* row, QWidget* to) {
    qobject_cast<QLabel*>(form->labelForField(row))->setBuddy(to);
  };
  form->addRow(tr("&File"), file);
  lead(file, path_);
  form->addRow(tr("F&ormat"), format_);
  form->addRow(tr("&Depth"), depth_);
  form->addRow(tr("&Quality"), quality);
  lead(quality, quality_slider_);
  form->addRow(tr("&Compression"), compression_);
  form->addRow(tr("Colou&rs"), profile_);
  form->addRow(tr("Si&ze"), size_);
  qobject_cast<QLabel*>(form->labelForField(size_))->setBuddy(size_->first());
  form->addRow(QString(), metadata_);
  form->addRow(QString(), dither_);
  form->addRow(note_);
  form->addRow(buttons_);
  tab_along(*form);
  const PictureFormat& f = picture.format();
  const bool lies = picture.orientation >= 5;
  size_->set_picture({lies ? f.height : f.width, lies ? f.width : f.height});
  about_ = tr("The original has %1 × %2 pixels, %3.")
               .arg(f.width)
               .arg(f.height)
               .arg(depth_words(f.type));
}

QString ExportDialog::path() const {
  const QString text = path_->text().trimmed();
  if (text.startsWith(QLatin1String("~/"))) return QDir::cleanPath(QDir::homePath() + text.mid(1));
  return QDir::cleanPath(QDir(folder_).absoluteFilePath(text));
}

void ExportDialog::set_path(const QString& path) {
  path_->setText(path);
}

// The format implied by the name determines the options.
void ExportDialog::format_changed() {
  const FormatInfo* info = format_of(native_path(path()));
  buttons_->button(QDialogButtonBox::Save)->setEnabled(info != nullptr);
  for (QWidget* w : std::initializer_list<QWidget*>{depth_, compression_, quality_, quality_slider_,
                                                    metadata_, profile_}) {
    w->setEnabled(info != nullptr);
  }
  const QString suffix = QFileInfo(path()).suffix();
  note_->setText(info != nullptr ? about_
                 : suffix.isEmpty()
                     ? tr("The name has no extension: choose a format.")
                     : tr("Files ending in “.%1” cannot be written: choose a format.").arg(suffix));
  if (info == nullptr) return;
  format_->setCurrentText(QString::fromStdString(info->name));
  const QVariant depth = depth_->currentData(), packed = compression_->currentData();
  depth_->clear();
  const bool depths = info->depths.size() > 1;
  if (depths) depth_->addItem(tr("As the original, where it fits"), -1);
  for (const SampleType t : info->depths) {
    depth_->addItem(depth_text(t), depths ? static_cast<int>(t) : -1);
  }
  depth_->setCurrentIndex(std::max(0, depth_->findData(depth)));
  depth_->setEnabled(depths);
  compression_->clear();
  compression_->addItem(tr("Usual"), QString());
  for (const std::string& name : info->compressions) {
    compression_->addItem(compression_text(name), QString::fromStdString(name));
  }
  compression_->setCurrentIndex(std::max(0, compression_->findData(packed)));
  compression_->setEnabled(!info->compressions.empty());
  show_quality_of(*info);
  form_->setRowVisible(compression_, !info->compressions.empty());
  if (isVisible()) resize(width(), sizeHint().height());
  metadata_->setEnabled(info->metadata);
}

// The format's usual quality follows the format as long as no other one was chosen.
void ExportDialog::show_quality_of(const FormatInfo& info) {
  const bool jpeg = info.id == "jpeg";
  form_->setRowVisible(quality_row_, info.quality);
  kept_quality_->setVisible(jpeg && original_quality_ > 0);
  kept_quality_->setToolTip(tr("Quality %1, estimated").arg(original_quality_));
  kept_quality_->setEnabled(jpeg);
  const bool free = info.quality && !keeps_quality();
  quality_->setEnabled(free);
  quality_slider_->setEnabled(free);
  quality_->setToolTip(jpeg ? QString() : tr("100 is without loss"));
  if (!info.quality) return;
  const int usual = usual_quality(info);
  if (quality_->value() == usual_quality_) quality_->setValue(usual);
  usual_quality_ = usual;
}

bool ExportDialog::keeps_quality() const {
  return original_quality_ > 0 && kept_quality_->isEnabled() && kept_quality_->isChecked();
}

WriteOptions ExportDialog::options() const {
  WriteOptions options;
  const int depth = depth_->currentData().toInt();
  if (depth >= 0) options.bits = static_cast<SampleType>(depth);
  options.compression = compression_->currentData().toString().toStdString();
  options.quality = quality_->isEnabled() ? quality_->value() : 0;
  if (keeps_quality()) options.quality = kept_quality;
  options.keep_metadata = metadata_->isChecked();
  options.profile = static_cast<ProfileChoice>(profile_->currentData().toInt());
  options.dither = dither_->isChecked();
  options.resizing = size_->resizing();
  options.overwrite = replace_;
  return options;
}

void ExportDialog::set_options(const WriteOptions& options) {
  const auto choose = [](QComboBox& box, const QVariant& what) {
    box.setCurrentIndex(std::max(0, box.findData(what)));
  };
  choose(*depth_, options.bits ? static_cast<int>(*options.bits) : -1);
  choose(*compression_, QString::fromStdString(options.compression));
  choose(*profile_, static_cast<int>(options.profile));
  if (options.quality > 0) quality_->setValue(options.quality);
  kept_quality_->setChecked(options.quality == kept_quality);
  metadata_->setChecked(options.keep_metadata);
  dither_->setChecked(options.dither);
  size_->set_resizing(options.resizing);
}

void ExportDialog::browse() {
  QStringList filters;
  for (const FormatInfo& f : writable_formats()) {
    QStringList patterns;
    for (const std::string& e : f.extensions)
      patterns << QStringLiteral("*.") + QString::fromStdString(e);
    filters << QStringLiteral("%1 (%2)").arg(QString::fromStdString(f.name),
                                             patterns.join(QLatin1Char(' ')));
  }
  QString chosen = filters.value(format_->currentIndex());
  // accept() asks before replacing a file, however its name was entered.
  const QString path = QFileDialog::getSaveFileName(this, tr("Export"), this->path(),
                                                    filters.join(QStringLiteral(";;")), &chosen,
                                                    QFileDialog::DontConfirmOverwrite);
  if (path.isEmpty()) return;
  const bool bare = QFileInfo(path).suffix().isEmpty();
  set_path(bare ? path + QLatin1Char('.') + format_->currentData().toString() : path);
}

bool ExportDialog::agrees_to_replace() {
  const QFileInfo target(path());
  const bool original = !original_.isEmpty() && QFileInfo(original_) == target;
  const QString question = original ? tr("“%1” is the open original. Replace it with the result? "
                                         "Its present content will be lost.")
                                    : tr("“%1” exists. Replace it?");
  return ask_before_loss(this, tr("Export"), question.arg(target.fileName()));
}

void ExportDialog::accept() {
  replace_ = QFileInfo::exists(path());
  if (replace_ && !agrees_to_replace()) return;
  QDialog::accept();
}

}  // namespace sfumato::gui
