// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A form; the core's verdict on a name is shown below it during typing.
#include "batch/batch_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/export_dialog.hpp"
#include "batch/recipe_choice.hpp"
#include "document/background.hpp"
#include "document/fault.hpp"
#include "document/paths.hpp"
#include "filters/registry.hpp"
#include "io/animation_output.hpp"
#include "params/error_line.hpp"
#include "params/keyboard.hpp"
#include "params/model_text.hpp"
#include "params/size_editor.hpp"

namespace sfumato::gui {
namespace {

constexpr int megabyte_shift = 20;            // as a shift
constexpr QLatin1String every_page("pages");  // among the choices of frames

// The names of the enabled steps, in order.
QString summary_of(const Recipe& recipe) {
  QStringList names;
  for (const Step& step : recipe.steps) {
    if (step.enabled) names << label_of(Registry::get().at(step.filter).filter->info());
  }
  return names.join(QStringLiteral(" → "));
}

struct OpenRole {
  const Parameter* parameter = nullptr;
  bool required = false;
};

// Pictures that the recipe's steps take but do not name.
std::map<std::string, OpenRole> open_roles(const Recipe& recipe) {
  std::map<std::string, OpenRole> out;
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    const FilterInfo& info = Registry::get().at(step.filter).filter->info();
    for (const RoleInfo& settings : info.roles) {
      const Value* value = step.values.find(settings.parameter);
      if (value != nullptr && std::get<ImageRef>(*value).bound()) continue;
      OpenRole& role = out[settings.parameter];
      role.parameter = info.parameters.find(settings.parameter);
      role.required = role.required || settings.required;
    }
  }
  return out;
}

}  // namespace

BatchPanel::BatchPanel(QWidget* parent)
    : QWidget(parent),
      recipes_(new RecipeChoice(user_preset_folder(), this)),
      summary_(new QLabel(this)),
      role_rows_(new QWidget(this)),
      folder_(new QLineEdit(this)),
      name_fault_(new ErrorLine(this)),
      name_(name_fault_->line()),
      example_(new QLabel(this)),
      frames_(new QComboBox(this)),
      format_(new QComboBox(this)),
      depth_(new QComboBox(this)),
      existing_(new QComboBox(this)),
      quality_(new QSpinBox(this)),
      memory_(new QSpinBox(this)),
      size_(new SizeEditor(this)),
      metadata_(new QCheckBox(tr("Keep &metadata (EXIF, XMP)"), this)) {
  auto* form = form_ = new QFormLayout(this);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("&Recipe"), recipes_);
  summary_->setWordWrap(true);
  summary_->setForegroundRole(QPalette::PlaceholderText);
  form->addRow(QString(), summary_);
  form->addRow(role_rows_);
  add_name_rows(*form);
  add_frame_row(*form);
  add_format_rows(*form);
  add_existing_rows(*form);
  tab_along(*form);
  restore();
  connect(recipes_, &RecipeChoice::changed, this, &BatchPanel::recipe_changed);
  recipe_changed();
}

void BatchPanel::add_name_rows(QFormLayout& form) {
  auto* browse = new QPushButton(tr("&Browse…"), this);
  connect(browse, &QPushButton::clicked, this, &BatchPanel::browse);
  folder_->setAccessibleName(tr("Folder"));
  // The window handles dropped files.
  folder_->setAcceptDrops(false);
  name_->setAcceptDrops(false);
  folder_->setPlaceholderText(tr("Where the results go"));
  auto* row = new QHBoxLayout;
  row->addWidget(folder_, 1);
  row->addWidget(browse);
  form.addRow(tr("Save &to"), row);
  qobject_cast<QLabel*>(form.labelForField(row))->setBuddy(folder_);
  name_->setAccessibleName(tr("Name"));
  name_->setToolTip(
      tr("{stem}: the file’s name, {recipe}, {ext}, {folder}: sub-folders of an added folder, "
         "{parent}: the last of them, {date}, {time}, {counter:4}: with that many digits, "
         "{frame}"));
  form.addRow(tr("&Name"), name_);
  example_->setForegroundRole(QPalette::PlaceholderText);
  example_->setTextFormat(Qt::PlainText);
  form.addRow(QString(), example_);
  form.addRow(QString(), name_fault_);
  connect(folder_, &QLineEdit::textChanged, this, [this] {
    suggested_ = false;
    tell();
  });
  connect(name_, &QLineEdit::textChanged, this, &BatchPanel::tell);
}

void BatchPanel::add_frame_row(QFormLayout& form) {
  frames_->addItem(tr("A picture for each frame of a movie"), QString());
  frames_->addItem(tr("A picture for each frame and page"), every_page);
  for (const AnimationFormat& format : animation_formats()) {
    const QString name = QString::fromStdString(format.name);
    const QString extension = QString::fromStdString(format.extensions.front());
    if (frames_->findData(extension) < 0 && extension != QLatin1String("m4v")) {
      frames_->addItem(format.is_movie ? tr("One movie for all frames: %1").arg(name)
                                       : tr("One animated picture for all frames: %1").arg(name),
                       extension);
    }
  }
  frames_->setToolTip(
      tr("What becomes of movies, animations (GIF, PNG, WebP) and files with several pages"));
  form.addRow(tr("F&rames"), frames_);
  connect(frames_, &QComboBox::currentIndexChanged, this, [this] {
    if (!restored_) return;
    tell();
    Q_EMIT frames_changed();
  });
}

FrameChoice BatchPanel::frames() const {
  const QString choice = frames_->currentData().toString();
  if (choice == every_page) return {true, {}};
  return {false, choice};
}

void BatchPanel::add_format_rows(QFormLayout& form) {
  format_->addItem(tr("As the original"), QString());
  for (const FormatInfo& info : writable_formats()) {
    format_->addItem(QString::fromStdString(info.name),
                     QString::fromStdString(info.extensions.front()));
  }
  quality_->setRange(1, 100);
  quality_->setValue(95);
  form.addRow(tr("F&ormat"), format_);
  form.addRow(tr("&Depth"), depth_);
  form.addRow(tr("&Quality"), quality_);
  form.addRow(tr("Si&ze"), size_);
  qobject_cast<QLabel*>(form.labelForField(size_))->setBuddy(size_->first());
  metadata_->setChecked(true);
  form.addRow(QString(), metadata_);
  connect(format_, &QComboBox::currentIndexChanged, this, &BatchPanel::format_changed);
  connect(depth_, &QComboBox::currentIndexChanged, this, &BatchPanel::tell);
  connect(quality_, &QSpinBox::valueChanged, this, &BatchPanel::tell);
  connect(metadata_, &QCheckBox::toggled, this, &BatchPanel::tell);
  connect(size_, &SizeEditor::changed, this, &BatchPanel::tell);
  format_changed();
}

void BatchPanel::add_existing_rows(QFormLayout& form) {
  existing_->addItem(tr("Ask before anything starts"), static_cast<int>(Existing::refuse));
  existing_->addItem(tr("Keep it and skip the picture"), static_cast<int>(Existing::skip));
  existing_->addItem(tr("Give the new one another name"), static_cast<int>(Existing::rename));
  existing_->addItem(tr("Replace it"), static_cast<int>(Existing::overwrite));
  form.addRow(tr("If a file e&xists"), existing_);
  connect(existing_, &QComboBox::currentIndexChanged, this, &BatchPanel::tell);
  memory_->setRange(0, 1 << 20);
  memory_->setSingleStep(512);
  memory_->setSuffix(tr(" MB"));
  memory_->setSpecialValueText(tr("Half of the machine’s"));
  memory_->setToolTip(tr("For pictures being processed; large ones mean fewer at once"));
  form.addRow(tr("Memor&y"), memory_);
  connect(memory_, &QSpinBox::valueChanged, this, &BatchPanel::tell);
}

void BatchPanel::restore() {
  QSettings settings;
  settings.beginGroup(QStringLiteral("batch"));
  folder_->setText(settings.value(QStringLiteral("folder")).toString());
  name_->setText(settings
                     .value(QStringLiteral("name"),
                            QString::fromUtf8(default_name_template.data(),
                                              static_cast<qsizetype>(default_name_template.size())))
                     .toString());
  const auto choose = [&](QComboBox& box, const QString& key) {
    box.setCurrentIndex(std::max(0, box.findData(settings.value(key))));
  };
  choose(*frames_, QStringLiteral("frames"));
  choose(*format_, QStringLiteral("format"));
  choose(*depth_, QStringLiteral("depth"));
  quality_->setValue(settings.value(QStringLiteral("quality"), 95).toInt());
  metadata_->setChecked(settings.value(QStringLiteral("metadata"), true).toBool());
  size_->set_text(settings.value(QStringLiteral("size")).toString());
  memory_->setValue(settings.value(QStringLiteral("memory"), 0).toInt());
  restored_ = true;
}

// Except the handling of existing files, which is chosen each time.
void BatchPanel::keep() const {
  QSettings settings;
  settings.beginGroup(QStringLiteral("batch"));
  settings.setValue(QStringLiteral("folder"), suggested_ ? QString() : folder_->text());
  settings.setValue(QStringLiteral("name"), name_->text());
  settings.setValue(QStringLiteral("frames"), frames_->currentData());
  settings.setValue(QStringLiteral("format"), format_->currentData());
  settings.setValue(QStringLiteral("depth"), depth_->currentData());
  settings.setValue(QStringLiteral("quality"), quality_->value());
  settings.setValue(QStringLiteral("metadata"), metadata_->isChecked());
  settings.setValue(QStringLiteral("size"), size_->text());
  settings.setValue(QStringLiteral("memory"), memory_->value());
}

void BatchPanel::tell() {
  if (!restored_) return;
  show_example();
  keep();
  Q_EMIT changed();
}

void BatchPanel::recipe_changed() {
  summary_->setText(summary_of(recipes_->recipe()));
  summary_->setVisible(!summary_->text().isEmpty());
  show_roles();
  show_example();
}

// One row for each additional picture that the recipe requires or accepts.
void BatchPanel::show_roles() {
  std::map<std::string, QString> before;
  for (const auto& [name, line] : roles_) before[name] = line->text();
  roles_.clear();
  delete role_rows_->layout();
  qDeleteAll(role_rows_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  auto* rows = new QFormLayout(role_rows_);
  rows->setContentsMargins(0, 0, 0, 0);
  for (const auto& [name, role] : open_roles(recipes_->recipe())) {
    auto* line = new QLineEdit(before[name], role_rows_);
    line->setPlaceholderText(
        QStringLiteral("{folder}/{stem}_%1.exr").arg(QString::fromStdString(name)));
    line->setAcceptDrops(false);
    line->setToolTip(tr("Where to find the picture for each file: {folder} is the file’s "
                        "own folder, {stem} its name. %1")
                         .arg(help_of(*role.parameter)));
    rows->addRow(label_of(*role.parameter), line);
    connect(line, &QLineEdit::textChanged, this, &BatchPanel::tell);
    roles_[name] = line;
  }
  role_rows_->setVisible(!roles_.empty());
}

void BatchPanel::format_changed() {
  const QString extension = format_->currentData().toString();
  const FormatInfo* info =
      extension.isEmpty() ? nullptr : format_of(native_path(QStringLiteral("a.") + extension));
  const QVariant depth = depth_->currentData();
  {
    const QSignalBlocker quiet(depth_);
    depth_->clear();
    depth_->addItem(tr("As the original, where it fits"), -1);
    if (info != nullptr && info->depths.size() > 1) {
      for (const SampleType type : info->depths) {
        depth_->addItem(depth_text(type), static_cast<int>(type));
      }
    }
    depth_->setCurrentIndex(std::max(0, depth_->findData(depth)));
  }
  form_->setRowVisible(depth_, info != nullptr && info->depths.size() > 1);
  form_->setRowVisible(quality_, info != nullptr && info->quality);
  if (info != nullptr && info->quality) {
    // Follows the format as long as no other one was chosen.
    const int usual = usual_quality(*info);
    if (quality_->value() == usual_quality_) quality_->setValue(usual);
    usual_quality_ = usual;
  }
  tell();
}

void BatchPanel::set_example(const std::optional<FoundInput>& example) {
  const auto path_of = [](const std::optional<FoundInput>& input) {
    return input ? input->path : std::filesystem::path();
  };
  const bool other = path_of(example) != path_of(example_input_);
  example_input_ = example;
  show_example();
  if (other && example_input_) ask_for_time();
}

void BatchPanel::ask_for_time() {
  in_background(
      this,
      [path = example_input_->path] {
        std::error_code error;
        const auto time = std::filesystem::last_write_time(path, error);
        using std::chrono::seconds;
        return error ? std::int64_t{0}
                     : std::int64_t{std::chrono::time_point_cast<seconds>(
                                        std::chrono::file_clock::to_sys(time))
                                        .time_since_epoch()
                                        .count()};
      },
      [this, path = example_input_->path](std::int64_t time) {
        if (!example_input_ || example_input_->path != path) return;
        example_time_ = time;
        show_example();
      });
}

void BatchPanel::show_example() {
  try {
    const NameTemplate name(name_->text().toStdString());
    name_fault_->clear_error();
    example_->clear();
    form_->setRowVisible(example_, example_input_.has_value());
    if (!example_input_) return;
    NameFields fields;
    fields.source = example_input_->path;
    fields.below = example_input_->below;
    fields.frame = example_input_->frame;
    fields.recipe = recipes_->name().empty() ? "recipe" : recipes_->name();
    const QString extension = format_->currentData().toString();
    fields.extension = example_input_->joined  ? frames().join.toStdString()
                       : !extension.isEmpty()  ? extension.toStdString()
                       : example_input_->movie ? "png"
                                               : example_input_->path.extension().string().substr(
                                                     example_input_->path.has_extension() ? 1 : 0);
    fields.time = example_time_;
    const QString shown = shown_path(name.fill(fields));
    example_->setText(tr("as %1").arg(shown));
    example_->setToolTip(shown);
  } catch (const std::exception& error) {
    example_->clear();
    name_fault_->set_error(fault_of(error));
  }
  form_->setRowVisible(example_, !example_->text().isEmpty());
}

QString BatchPanel::folder() const {
  const QString text = folder_->text().trimmed();
  const bool home = text == QLatin1String("~") || text.startsWith(QLatin1String("~/"));
  return home ? QDir::homePath() + text.mid(1) : text;
}

void BatchPanel::set_folder(const QString& folder) {
  folder_->setText(folder);
}

void BatchPanel::suggest_folder(const QString& folder) {
  if (!may_suggest_folder()) return;
  folder_->setText(folder);
  suggested_ = true;
  keep();
}

void BatchPanel::browse() {
  const QString start = folder().isEmpty()
                            ? QStandardPaths::writableLocation(QStandardPaths::PicturesLocation)
                            : folder();
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("Where the results go"), start);
  if (!chosen.isEmpty()) set_folder(chosen);
}

QString BatchPanel::obstacle() const {
  if (!recipes_->is_chosen()) return tr("Choose a recipe first.");
  if (folder().isEmpty()) return tr("Choose a folder for the results first.");
  if (name_fault_->has_error()) return tr("The name for the results cannot be used.");
  for (const auto& [name, role] : open_roles(recipes_->recipe())) {
    if (!role.required) continue;
    const auto line = roles_.find(name);
    if (line == roles_.end() || line->second->text().trimmed().isEmpty()) {
      return tr("First say where to find “%1” for each file.").arg(label_of(*role.parameter));
    }
  }
  return {};
}

BatchRequest BatchPanel::request() const {
  BatchRequest request;
  request.recipe = recipes_->recipe();
  request.recipe_name = recipes_->name();
  request.folder = native_path(folder());
  request.name = NameTemplate(name_->text().toStdString());
  request.join = frames().join.toStdString();
  request.extension = format_->currentData().toString().toStdString();
  const int depth = depth_->currentData().toInt();
  if (depth >= 0) request.write.bits = static_cast<SampleType>(depth);
  const FormatInfo* info =
      request.extension.empty() ? nullptr : format_of("a." + request.extension);
  if (info != nullptr && info->quality) request.write.quality = quality_->value();
  request.write.keep_metadata = metadata_->isChecked();
  request.write.resizing = size_->resizing();
  request.existing = static_cast<Existing>(existing_->currentData().toInt());
  for (const auto& [name, line] : roles_) {
    const QString pattern = line->text().trimmed();
    if (!pattern.isEmpty()) request.roles[name].path = native_path(pattern).string();
  }
  return request;
}

std::size_t BatchPanel::memory_limit() const {
  return static_cast<std::size_t>(memory_->value()) << megabyte_shift;
}

}  // namespace sfumato::gui
