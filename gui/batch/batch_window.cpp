// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The window's parts, and the run.
#include "batch/batch_window.hpp"

#include <QApplication>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/message_bar.hpp"
#include "batch/batch_delegate.hpp"
#include "batch/batch_panel.hpp"
#include "batch/notification.hpp"
#include "batch/recipe_choice.hpp"
#include "document/fault.hpp"
#include "params/empty_hint.hpp"
#include "preview/preview_view.hpp"

namespace sfumato::gui {
namespace {

constexpr int bar_steps = 1000;
const auto clash_question = QStringLiteral("clash");
const auto close_question = QStringLiteral("close");

// "3 min", "about 2 h": no more exact than what is known.
QString time_text(double seconds) {
  if (seconds < 55) return BatchWindow::tr("%n s", nullptr, std::max(1, static_cast<int>(seconds)));
  const double minutes = seconds / 60;
  if (minutes < 90) {
    return BatchWindow::tr("%n min", nullptr, static_cast<int>(std::lround(minutes)));
  }
  return BatchWindow::tr("%1 h").arg(QLocale().toString(minutes / 60, 'f', 1));
}

}  // namespace

BatchWindow::BatchWindow(const Settings& settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      renderer_(settings.session()),
      messages_(new MessageBar(this)) {
  setWindowTitle(tr("Batch — Sfumato"));
  setAcceptDrops(true);
  auto* parts = new QSplitter(this);
  parts->addWidget(make_left());
  parts->addWidget(make_right());
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 0);
  parts->setChildrenCollapsible(false);
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(messages_);
  layout->addWidget(parts, 1);
  layout->addWidget(make_bottom());
  setCentralWidget(centre);
  make_tool_bar();
  resize(1100, 720);
  parts->setSizes({620, 480});
  connect_job();
  connect(panel_, &BatchPanel::changed, this, [this] {
    show_recipe();
    update_actions();
  });
  connect(panel_, &BatchPanel::frames_changed, this, &BatchWindow::find_again);
  connect(&panel_->recipes(), &RecipeChoice::changed, this, [this] {
    show_recipe();
    update_actions();
  });
  connect(&panel_->recipes(), &RecipeChoice::failed, messages_,
          [this](const QString& text) { messages_->say_fault(Topic::recipe, text); });
  connect(&panel_->recipes(), &RecipeChoice::changed, messages_,
          [this] { messages_->clear(Topic::recipe); });
  update_actions();
}

BatchWindow::~BatchWindow() = default;

void BatchWindow::make_tool_bar() {
  QToolBar* bar = addToolBar(tr("Files"));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  add_files_ = bar->addAction(tr("Add &files…"), this, &BatchWindow::choose_files);
  add_files_->setShortcut(QKeySequence::Open);
  add_folder_ = bar->addAction(tr("Add fol&der…"), this, &BatchWindow::choose_folder);
  add_folder_->setShortcut(QKeySequence(tr("Ctrl+Shift+O")));
  bar->addSeparator();
  remove_ = bar->addAction(tr("Re&move"), this, &BatchWindow::remove_chosen);
  remove_->setShortcut(QKeySequence::Delete);
  remove_->setShortcutContext(Qt::WidgetShortcut);
  list_->addAction(remove_);
  clear_ = bar->addAction(tr("Clear &list"), this, [this] {
    model_.clear();
    show_chosen();
    update_actions();
  });
  clear_->setShortcut(QKeySequence(tr("Ctrl+Shift+Backspace")));
  auto* close = new QAction(this);
  close->setShortcut(QKeySequence::Close);
  connect(close, &QAction::triggered, this, &QWidget::close);
  addAction(close);
}

QWidget* BatchWindow::make_left() {
  auto* left = new QWidget(this);
  list_ = new QListView(left);
  list_->setModel(&model_);
  list_->setItemDelegate(new BatchDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setAccessibleName(tr("Files"));
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QWidget::customContextMenuRequested, this, &BatchWindow::show_menu);
  connect(list_, &QListView::activated, this,
          [this](const QModelIndex& index) { Q_EMIT open_wanted(model_.path(index.row())); });
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    show_chosen();
    update_actions();
  });
  hint_ = empty_hint(*list_->viewport(), tr("Drop pictures and folders here"));
  count_ = new QLabel(left);
  count_->setForegroundRole(QPalette::PlaceholderText);
  count_->setContentsMargins(8, 4, 8, 4);
  auto* layout = new QVBoxLayout(left);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(list_, 1);
  layout->addWidget(count_);
  return left;
}

QWidget* BatchWindow::make_right() {
  auto* right = new QWidget(this);
  panel_ = new BatchPanel(right);
  preview_ = new PreviewView(renderer_, right);
  preview_->setAccessibleName(tr("Preview of the chosen file"));
  preview_->set_hint(tr("Choose a file to see it before and after"));
  connect(&renderer_, &PreviewRenderer::warned, messages_,
          [this](const QString& text) { messages_->say_notice(Topic::steps, text); });
  auto* layout = new QVBoxLayout(right);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(panel_);
  layout->addWidget(preview_, 1);
  return right;
}

QWidget* BatchWindow::make_bottom() {
  auto* row = new QWidget(this);
  progress_text_ = new QLabel(row);
  progress_ = new QProgressBar(row);
  progress_->setAccessibleName(tr("Progress of the batch"));
  progress_->setTextVisible(false);
  progress_->setRange(0, bar_steps);
  progress_->hide();
  const auto button = [&](const QString& text, const QString& tip, auto body) {
    auto* made = new QPushButton(text, row);
    made->setToolTip(tip);
    connect(made, &QPushButton::clicked, this, body);
    return made;
  };
  open_ = button(tr("Open f&older"), tr("Show the results in the file manager"),
                 [this] { open_folder(); });
  retry_ = button(tr("Retry the fai&led"), tr("Retry the files that failed"),
                  [this] { retry_failed(); });
  pause_ = button(tr("&Pause"), tr("Start no further files until you continue"),
                  [this] { pause(!job_.is_paused()); });
  cancel_ = button(tr("&Cancel"), tr("Stop; what is done stays, and can be continued later"),
                   [this] { cancel(); });
  start_ = button(tr("&Start"), QString(), [this] { start(); });
  start_->setDefault(true);
  start_->setShortcut(QKeySequence(tr("Ctrl+Return")));
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->addWidget(progress_text_);
  layout->addWidget(progress_, 1);
  layout->addStretch();
  for (QPushButton* b : {open_, retry_, pause_, cancel_, start_}) layout->addWidget(b);
  return row;
}

void BatchWindow::connect_job() {
  connect(&job_, &BatchJob::changed, &model_, &BatchModel::apply);
  connect(&job_, &BatchJob::progressed, this, &BatchWindow::show_progress);
  connect(&job_, &BatchJob::said, messages_,
          [this](const QString& text) { messages_->add_notice(Topic::program, text); });
  connect(&job_, &BatchJob::refused, this,
          [this](const QString& sentence, const QStringList& clashes) {
            progress_->hide();
            progress_text_->clear();
            update_actions();
            if (closing_) {
              close();
            } else if (job_.was_cancelled()) {
              progress_text_->setText(tr("Nothing was started"));
            } else if (clashes.isEmpty()) {
              messages_->say_fault(Topic::output, sentence);
            } else {
              ask_about_clashes(clashes);
            }
          });
  connect(&job_, &BatchJob::began, this, [this](int files, int skipped) {
    skipped_ = skipped;
    progress_->setRange(0, bar_steps);
    progress_text_->setText(tr("%n file(s)", nullptr, files));
  });
  connect(&job_, &BatchJob::finished, this, &BatchWindow::show_end);
}

void BatchWindow::update_actions() {
  const bool runs = job_.is_running(), files = model_.rowCount() > 0;
  const QString obstacle = panel_->obstacle();
  hint_->setVisible(!files);
  count_->setText(adding_ > 0 ? tr("Looking for pictures…")
                  : files     ? tr("%n file(s)", nullptr, model_.rowCount())
                              : QString());
  for (QAction* action : {add_files_, add_folder_}) action->setEnabled(!runs);
  clear_->setEnabled(!runs && files);
  remove_->setEnabled(!runs && list_->selectionModel()->hasSelection());
  panel_->setEnabled(!runs);
  const bool failed = !runs && !model_.rows_in(FileState::failed).empty();
  start_->setVisible(!runs);
  start_->setEnabled(files && obstacle.isEmpty());
  start_->setToolTip(!files               ? tr("Add files first.")
                     : obstacle.isEmpty() ? tr("Filter all files of the list")
                                          : obstacle);
  pause_->setVisible(runs);
  pause_->setText(job_.is_paused() ? tr("&Go on") : tr("&Pause"));
  cancel_->setVisible(runs);
  cancel_->setEnabled(runs && !job_.was_cancelled());
  retry_->setVisible(failed);
  retry_->setEnabled(obstacle.isEmpty());
  open_->setEnabled(!panel_->folder().isEmpty());
  panel_->set_example(files ? std::optional(model_.input(0)) : std::nullopt);
}

void BatchWindow::take_recipe(const QString& word) {
  if (job_.is_running()) {
    messages_->say_notice(Topic::steps,
                          tr("Another recipe can be chosen when this batch has ended."));
    return;
  }
  panel_->recipes().take(word);
}

void BatchWindow::offer_steps(const Recipe& steps) {
  if (!job_.is_running()) panel_->recipes().offer_steps(steps);
}

void BatchWindow::take_settings(const Settings& settings) {
  settings_ = settings;
  renderer_.set_session(settings_.session());
}

void BatchWindow::start() {
  existing_.reset();
  begin({}, false);
}

void BatchWindow::retry_failed() {
  const std::vector<int> rows = model_.rows_in(FileState::failed);
  if (!rows.empty()) begin({rows.begin(), rows.end()}, false);
}

void BatchWindow::begin(std::set<int> only, bool ignore_history) {
  if (job_.is_running() || model_.rowCount() == 0) return;
  if (const QString obstacle = panel_->obstacle(); !obstacle.isEmpty()) {
    messages_->say_notice(Topic::output, obstacle);
    return;
  }
  messages_->clear(Topic::output);
  messages_->clear(Topic::program);
  messages_->withdraw(clash_question);
  only_ = std::move(only);
  ignore_history_ = ignore_history;
  BatchSettings settings;
  try {
    settings.request = panel_->request();
  } catch (const std::exception& error) {
    messages_->say_fault(Topic::output, fault_of(error));
    return;
  }
  if (existing_) settings.request.existing = *existing_;
  settings.request.found = model_.inputs();
  settings.options.session = settings_.session();
  settings.options.write = settings.request.write;
  settings.options.memory_limit = panel_->memory_limit();
  settings.only = only_;
  settings.ignore_history = ignore_history_;
  if (only_.empty()) model_.reset_states();
  if (!job_.start(std::move(settings))) return;
  progress_->setRange(0, 0);  // until the plan is made
  progress_->show();
  progress_text_->setText(tr("Planning…"));
  update_actions();
}

void BatchWindow::ask_about_clashes(const QStringList& clashes) {
  const auto go = [this](Existing existing) {
    return [this, existing] {
      existing_ = existing;
      begin(only_, ignore_history_);
    };
  };
  const int others = static_cast<int>(clashes.size()) - 1;
  const QString first = clashes.front();
  messages_->show_question(
      clash_question,
      others == 0 ? tr("Nothing was started: %1.").arg(first)
                  : tr("Nothing was started: %1; and %n more like it.", nullptr, others).arg(first),
      {{tr("Other names"), go(Existing::rename)},
       {tr("Leave these out"), go(Existing::skip)},
       {tr("Replace"), go(Existing::overwrite)}});
}

void BatchWindow::pause(bool hold) {
  job_.pause(hold);
  update_actions();
  if (job_.is_paused()) progress_text_->setText(tr("Paused"));
}

void BatchWindow::cancel() {
  job_.cancel();
  update_actions();
}

void BatchWindow::show_progress(const BatchProgress& progress) {
  progress_->setRange(0, bar_steps);
  progress_->setValue(static_cast<int>(progress.part * bar_steps));
  if (job_.is_paused()) return;
  QStringList words{tr("%1 of %n file(s)", nullptr, progress.all).arg(progress.ended)};
  if (progress.seconds > 0 && progress.megapixels > 0) {
    words << tr("%1 MP/s").arg(QLocale().toString(progress.megapixels / progress.seconds, 'f', 0));
  }
  if (progress.left >= 0 && progress.part < 1) {
    words << tr("%1 left").arg(time_text(progress.left));
  }
  if (progress.failed > 0) words << tr("%n failed", nullptr, progress.failed);
  progress_text_->setText(words.join(QStringLiteral(" · ")));
}

void BatchWindow::show_end(const BatchSummary& summary, const QString& fault) {
  progress_->hide();
  messages_->withdraw(close_question);
  QStringList words;
  if (summary.done > 0) words << tr("%n done", nullptr, static_cast<int>(summary.done));
  if (skipped_ > 0) words << tr("%n left out", nullptr, skipped_);
  if (summary.failed > 0) words << tr("%n failed", nullptr, static_cast<int>(summary.failed));
  if (summary.cancelled > 0) {
    words << tr("%n not done", nullptr, static_cast<int>(summary.cancelled));
  }
  QString text = !words.isEmpty()  ? words.join(QStringLiteral(", "))
                 : fault.isEmpty() ? tr("Nothing was to be done")
                                   : tr("Stopped");
  if (summary.done > 0) text += tr(" in %1").arg(time_text(summary.seconds));
  progress_text_->setText(text);
  update_actions();
  if (!fault.isEmpty()) messages_->say_fault(Topic::output, fault);
  if (closing_) return static_cast<void>(close());
  if (fault.isEmpty() && summary.done == 0 && summary.failed == 0 && summary.cancelled == 0) {
    messages_->show_question(QStringLiteral("again"), tr("All of these were done before."),
                             {{tr("Do them again"), [this] { begin({}, true); }}});
  }
  if (!fault.isEmpty()) {
    notify_desktop(tr("Batch stopped"), fault);
  } else if (summary.cancelled == 0) {
    notify_desktop(tr("Batch finished"), text);
  }
}

void BatchWindow::open_folder() {
  QDesktopServices::openUrl(QUrl::fromLocalFile(panel_->folder()));
}

}  // namespace sfumato::gui
