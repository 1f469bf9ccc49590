// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Toolbar, message line, movie, and progress of writing.
#include "app/video_window.hpp"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/message_bar.hpp"
#include "document/paths.hpp"
#include "filters/registry.hpp"
#include "io/animation_output.hpp"
#include "video/video_view.hpp"

namespace sfumato::gui {
namespace {

// The label of the first step that needs another picture; empty: none.
QString step_with_pictures(const Recipe& recipe) {
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    const FilterInfo& info = Registry::get().at(step.filter).filter->info();
    const bool needs = std::any_of(info.roles.begin(), info.roles.end(),
                                   [](const RoleInfo& role) { return role.required; });
    const bool names =
        std::any_of(info.parameters.begin(), info.parameters.end(), [&](const Parameter& p) {
          const Value* value = p.kind == Kind::image ? step.values.find(p.name) : nullptr;
          return value != nullptr && std::get<ImageRef>(*value).bound();
        });
    if (needs || names) return QString::fromStdString(info.label);
  }
  return {};
}

}  // namespace

VideoWindow::VideoWindow(const Settings& settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      messages_(new MessageBar(this)),
      view_(new VideoView(settings.session(), this)),
      progress_row_(make_progress()) {
  setWindowTitle(tr("Video — Sfumato"));
  setAcceptDrops(true);
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(messages_);
  layout->addWidget(view_, 1);
  layout->addWidget(progress_row_);
  setCentralWidget(centre);
  make_tool_bar();
  resize(960, 640);
  connect_view();
  connect_writer();
  update_actions();
}

VideoWindow::~VideoWindow() = default;

void VideoWindow::make_tool_bar() {
  QToolBar* bar = addToolBar(tr("Video"));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  QAction* open = bar->addAction(tr("&Open movie…"), this, &VideoWindow::choose_movie);
  open->setShortcut(QKeySequence::Open);
  QAction* camera = bar->addAction(tr("&Camera"), this, &VideoWindow::open_camera);
  camera->setShortcut(QKeySequence(tr("Ctrl+Shift+C")));
  camera->setToolTip(tr("Show the camera through the recipe"));
  bar->addSeparator();
  write_ = bar->addAction(tr("&Write filtered movie…"), this, &VideoWindow::choose_target);
  write_->setShortcut(QKeySequence(tr("Ctrl+E")));
  auto* close = new QAction(this);
  close->setShortcut(QKeySequence::Close);
  connect(close, &QAction::triggered, this, &QWidget::close);
  addAction(close);
}

QWidget* VideoWindow::make_progress() {
  auto* row = new QWidget(this);
  progress_text_ = new QLabel(row);
  progress_ = new QProgressBar(row);
  progress_->setAccessibleName(tr("Progress of the movie"));
  auto* cancel = new QPushButton(tr("Cancel"), row);
  cancel->setToolTip(tr("Stop writing the movie"));
  connect(cancel, &QPushButton::clicked, &writer_, &VideoWriter::cancel);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 0, 8, 6);
  layout->addWidget(progress_text_);
  layout->addWidget(progress_, 1);
  layout->addWidget(cancel);
  row->hide();
  return row;
}

void VideoWindow::connect_view() {
  connect(&view_->source(), &VideoSource::failed, this, [this] {
    path_.clear();
    setWindowTitle(tr("Video — Sfumato"));
    update_actions();
  });
  connect(view_, &VideoView::failed, this, [this](const QString& sentence) {
    recipe_fault_ = !path_.isEmpty() || view_->source().is_camera();
    messages_->say_fault(recipe_fault_ ? Topic::steps : Topic::picture, sentence);
  });
  connect(view_, &VideoView::warned, messages_,
          [this](const QString& text) { messages_->say_notice(Topic::steps, text); });
  connect(view_, &VideoView::slow, this, [this] {
    messages_->say_notice(
        Topic::steps,
        tr("This recipe takes seconds per frame; the movie shows as many frames as it can."));
  });
  connect(view_, &VideoView::shown, this, [this] {
    if (std::exchange(recipe_fault_, false)) messages_->clear(Topic::steps);
  });
}

void VideoWindow::connect_writer() {
  connect(&writer_, &VideoWriter::progressed, this, [this](double part) {
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(part * progress_->maximum()));
  });
  connect(&writer_, &VideoWriter::finished, this, &VideoWindow::show_written);
}

void VideoWindow::update_actions() {
  write_->setEnabled(!path_.isEmpty() && can_write_ && writing_.isEmpty());
  write_->setToolTip(
      !can_write_ ? tr("Movies are written by the program ffmpeg, which is not installed.")
      : !writing_.isEmpty() ? tr("A movie is being written.")
      : path_.isEmpty()     ? tr("Open a movie first.")
                            : tr("Write every frame through the recipe into another movie"));
}

void VideoWindow::open(const QString& path) {
  path_ = QFileInfo(path).absoluteFilePath();
  recipe_fault_ = false;
  messages_->clear(Topic::picture);
  messages_->clear(Topic::steps);
  setWindowTitle(tr("%1 — Sfumato").arg(QFileInfo(path).fileName()));
  takes_recipe();
  view_->open(path_);  // may fail at once
  if (!path_.isEmpty()) view_->source().play();
  update_actions();
}

void VideoWindow::open_camera() {
  // A camera may be plugged in at any time, so it is looked up when needed.
  if (!VideoSource::has_camera()) {
    messages_->say_notice(Topic::picture, tr("There is no camera. Connect one and try again."));
    return;
  }
  path_.clear();
  recipe_fault_ = false;
  messages_->clear(Topic::picture);
  messages_->clear(Topic::steps);
  setWindowTitle(tr("Camera — Sfumato"));
  takes_recipe();
  view_->open_camera();
  update_actions();
}

void VideoWindow::take_settings(const Settings& settings) {
  settings_ = settings;
  view_->set_session(settings_.session());
}

void VideoWindow::set_recipe(const Recipe& recipe) {
  recipe_ = recipe;
  if (takes_recipe()) view_->set_recipe(recipe_);
}

// Whether the recipe can run on a movie; otherwise shows why not.
bool VideoWindow::takes_recipe() {
  const QString step = step_with_pictures(recipe_);
  if (step.isEmpty()) {
    if (std::exchange(refused_, false)) messages_->clear(Topic::recipe);
    return true;
  }
  refused_ = true;
  recipe_fault_ = false;
  messages_->say_fault(Topic::recipe,
                       tr("“%1” needs another picture besides the frame, which a movie does not "
                          "have. Switch that step off "
                          "to see the others.")
                           .arg(step));
  return false;
}

void VideoWindow::choose_movie() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a movie"), QFileInfo(path_).path(),
                                   tr("Movies (%1)").arg(VideoSource::movie_patterns()) +
                                       QStringLiteral(";;") + tr("All files (*)"));
  if (!path.isEmpty()) open(path);
}

void VideoWindow::choose_target() {
  const QFileInfo original(path_);
  const QString suffix = QLatin1Char('.') + VideoSource::written_suffix(path_);
  QString path = QFileDialog::getSaveFileName(
      this, tr("Write the filtered movie"),
      QStringLiteral("%1/%2-%3%4")
          .arg(original.path(), original.completeBaseName(), tr("filtered"), suffix),
      tr("Movies (*.mp4 *.mkv *.mov *.m4v *.webm)") + QStringLiteral(";;") +
          tr("Animated WebP (*.webp)") + QStringLiteral(";;") +
          tr("Numbered pictures (*.png *.tif *.exr *.jpg)"),
      nullptr, QFileDialog::DontConfirmOverwrite);
  if (path.isEmpty()) return;
  if (animation_format_of(native_path(path)) == nullptr &&
      format_of(native_path(path)) == nullptr) {
    path += suffix;
  }
  write_to(path);
}

void VideoWindow::write_to(const QString& path) {
  if (path_.isEmpty() || !takes_recipe()) return;
  const QStringList there = VideoWriter::in_the_way(path);
  if (there.isEmpty()) return start_writing(path, false);
  const QString first = QFileInfo(there.front()).fileName();
  const int others = static_cast<int>(there.size()) - 1;
  messages_->show_question(
      QStringLiteral("replace"),
      others == 0
          ? tr("“%1” exists. Replace it?").arg(first)
          : tr("“%1” and %n more picture(s) of this name exist. Replace them all?", nullptr, others)
                .arg(first),
      {{tr("Replace"), [this, path] { start_writing(path, true); }}, {tr("Keep it"), [] {}}});
}

void VideoWindow::start_writing(const QString& path, bool overwrite) {
  VideoJob job;
  job.recipe = recipe_;
  job.input = path_;
  job.output = path;
  job.overwrite = overwrite;
  job.session = settings_.session();
  if (!writer_.start(std::move(job))) {
    messages_->say_notice(Topic::output, tr("A movie is being written."));
    return;
  }
  view_->source().pause();  // leaves the processors to the writer
  writing_ = QFileInfo(path).fileName();
  progress_text_->setText(tr("Writing %1").arg(writing_));
  progress_->setRange(0, 0);  // until the progress is known
  progress_row_->show();
  update_actions();
}

void VideoWindow::show_written(bool written, const QString& fault, int frames) {
  const QString name = std::exchange(writing_, QString());
  progress_row_->hide();
  update_actions();
  messages_->withdraw(QStringLiteral("close"));
  if (written) {
    const QString said = tr("%1 is written: %n frame(s).", nullptr, frames).arg(name);
    messages_->say_notice(Topic::output, fault.isEmpty() ? said : said + QLatin1Char(' ') + fault);
  } else if (!fault.isEmpty()) {
    messages_->say_fault(Topic::output, fault);
  } else {
    messages_->say_notice(Topic::output,
                          animation_format_of(native_path(name)) != nullptr
                              ? tr("Cancelled; nothing was written.")
                              : tr("Cancelled; %n picture(s) were written.", nullptr, frames));
  }
  if (closing_) close();
}

void VideoWindow::closeEvent(QCloseEvent* event) {
  if (!writer_.is_running()) {
    view_->source().pause();
    return QMainWindow::closeEvent(event);
  }
  event->ignore();
  messages_->show_question(QStringLiteral("close"), tr("%1 is still being written.").arg(writing_),
                           {{tr("Stop and close"),
                             [this] {
                               if (!writer_.is_running()) return static_cast<void>(close());
                               closing_ = true;
                               writer_.cancel();
                             }},
                            {tr("Go on writing"), [] {}}});
}

void VideoWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void VideoWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    if (!url.isLocalFile()) continue;
    if (VideoSource::is_movie(url.toLocalFile())) {
      open(url.toLocalFile());
    } else {
      messages_->say_notice(Topic::files,
                            tr("%1 is not a movie; pictures and recipes go to the editor's window.")
                                .arg(url.fileName()));
    }
    break;
  }
  event->acceptProposedAction();
}

}  // namespace sfumato::gui
