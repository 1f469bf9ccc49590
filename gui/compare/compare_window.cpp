// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/compare_window.hpp"

#include <QCheckBox>
#include <QCloseEvent>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/message_bar.hpp"
#include "document/background.hpp"
#include "document/fault.hpp"
#include "document/paths.hpp"
#include "io/target.hpp"
#include "params/core_text.hpp"
#include "params/empty_hint.hpp"
#include "params/model_text.hpp"
#include "preview/color_transform.hpp"
#include "preview/display.hpp"
#include "preview/screen_profile.hpp"

namespace sfumato::gui {
namespace {

constexpr CellSize cell{480, 360};
constexpr int most_tiles = 64;

// Which pictures the tiles show.
enum Shown { whole, detail, difference, detail_difference };

const HeldPicture& picture_of(const ComparedVariant& result, int shown) {
  switch (shown) {
    case detail:
      return result.detail;
    case difference:
      return result.whole_difference;
    case detail_difference:
      return result.detail_difference;
    default:
      return result.whole;
  }
}

QString shown_time(double seconds) {
  const QLocale locale;
  return seconds < 1 ? CompareWindow::tr("%1 ms").arg(locale.toString(1000 * seconds, 'g', 3))
                     : CompareWindow::tr("%1 s").arg(locale.toString(seconds, 'g', 3));
}

// Below a result: its time and its error.
QString text_of(const ResultFacts& facts) {
  QStringList lines;
  if (facts.filtered) {
    const QString first = shown_time(facts.first_seconds);
    lines << (facts.warm_seconds
                  ? CompareWindow::tr("%1, at first %2").arg(shown_time(*facts.warm_seconds), first)
                  : first);
  }
  if (facts.difference) {
    const Difference& d = *facts.difference;
    lines << (d.incomparable > 0 ? CompareWindow::tr("not comparable")
              : d.largest == 0
                  ? CompareWindow::tr("identical")
                  : CompareWindow::tr("%1 dB").arg(QLocale().toString(d.psnr(), 'f', 1)));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

CompareWindow::CompareWindow(QWidget* parent)
    : QWidget(parent, Qt::Window),
      messages_(new MessageBar(this)),
      first_(new VariedRow(tr("Vary"), false, this)),
      second_(new VariedRow(tr("And"), true, this)),
      original_(new QCheckBox(tr("With the &original"), this)),
      against_(new QComboBox(this)),
      shown_(new QComboBox(this)),
      start_(new QPushButton(tr("Com&pare"), this)),
      cancel_(new QPushButton(tr("&Cancel"), this)),
      save_(new QPushButton(tr("&Save sheet…"), this)),
      progress_(new QProgressBar(this)),
      scroll_(new QScrollArea(this)) {
  setWindowTitle(tr("Compare — Sfumato"));
  make_controls();
  empty_hint(*scroll_->viewport(),
             tr("Choose what varies, then compare. Click a result to use it."));
  connect(&job_, &CompareJob::measured, this, &CompareWindow::show_tile);
  connect(&job_, &CompareJob::progressed, this,
          [this](double part) { progress_->setValue(static_cast<int>(1000 * part)); });
  connect(&job_, &CompareJob::finished, this, &CompareWindow::finish);
  resize(1180, 760);
  update_controls();
}

CompareWindow::~CompareWindow() = default;

void CompareWindow::make_controls() {
  shown_->addItems(
      {tr("Whole pictures"), tr("Detail"), tr("Differences"), tr("Differences in detail")});
  shown_->setAccessibleName(tr("Shown"));
  guard_wheel(shown_);
  against_->setAccessibleName(tr("Compared with"));
  against_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  guard_wheel(against_);
  progress_->setRange(0, 1000);
  progress_->setAccessibleName(tr("Progress of the comparison"));
  scroll_->setWidgetResizable(true);
  scroll_->setAccessibleName(tr("Results"));
  scroll_->setFocusPolicy(Qt::NoFocus);
  const auto labelled = [this](const QString& text, VariedRow* row, QHBoxLayout* line) {
    auto* label = new QLabel(text, this);
    label->setBuddy(row);
    line->addWidget(label);
    line->addWidget(row, 1);
  };
  auto* what = new QHBoxLayout;
  labelled(tr("Vary"), first_, what);
  labelled(tr("and"), second_, what);
  auto* how = new QHBoxLayout;
  how->addWidget(original_);
  auto* against = new QLabel(tr("Compared &with"), this);
  against->setBuddy(against_);
  how->addWidget(against);
  how->addWidget(against_);
  how->addWidget(shown_);
  how->addStretch(1);
  how->addWidget(progress_);
  how->addWidget(cancel_);
  how->addWidget(save_);
  how->addWidget(start_);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(messages_);
  layout->addLayout(what);
  layout->addLayout(how);
  layout->addWidget(scroll_, 1);
  connect(start_, &QPushButton::clicked, this, &CompareWindow::start);
  connect(cancel_, &QPushButton::clicked, this, [this] { job_.cancel(); });
  connect(save_, &QPushButton::clicked, this, &CompareWindow::choose_target);
  connect(shown_, &QComboBox::currentIndexChanged, this, &CompareWindow::show_pictures);
  connect(first_, &VariedRow::changed, this, &CompareWindow::offer_bases);
  connect(second_, &VariedRow::changed, this, &CompareWindow::offer_bases);
  connect(original_, &QCheckBox::toggled, this, &CompareWindow::offer_bases);
  connect(new QShortcut(QKeySequence::Close, this), &QShortcut::activated, this, &QWidget::close);
}

void CompareWindow::set_up(const PicturePtr& picture, const Recipe& recipe, int step,
                           const std::vector<Preset>& presets, const SessionOptions& session) {
  session_ = session;
  picture_ = picture;
  recipe_ = recipe;
  first_->offer(recipe, step, presets);
  second_->offer(recipe, step, presets);
  offer_bases();
  update_controls();
}

// Throws ParameterError.
std::vector<Axis> CompareWindow::axes() const {
  std::vector<Axis> out;
  for (const VariedRow* row : {first_, second_}) {
    if (auto axis = row->axis()) out.push_back(std::move(*axis));
  }
  return out;
}

Grid CompareWindow::grid_of(const std::vector<Axis>& axes) const {
  Variant common;
  common.recipe = recipe_;
  Grid grid = all_variants(common, axes);
  if (original_->isChecked()) add_original(grid, tr("Original").toStdString());
  return grid;
}

// The original if it is shown, unless methods are compared with each other; what was chosen before
// stays.
void CompareWindow::offer_bases() {
  const QString before = against_->currentData().toInt() < 0 ? QString() : against_->currentText();
  std::vector<Axis> varied;
  try {
    varied = axes();
  } catch (const ParameterError&) {
    return;  // start() says it
  }
  if (count_variants(varied) > most_tiles) return;
  const bool methods =
      std::any_of(varied.begin(), varied.end(), [](const Axis& axis) { return axis.has_base; });
  against_->clear();
  against_->addItem(methods ? tr("the first method") : tr("nothing"), -1);
  const Grid grid = grid_of(varied);
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const QString title = QString::fromStdString(grid.variants[i].title);
    if (!title.isEmpty()) against_->addItem(title, static_cast<int>(i));
  }
  const int again = before.isEmpty() ? -1 : against_->findText(before);
  const bool original = original_->isChecked() && !methods;
  against_->setCurrentIndex(again >= 0 ? again : original ? 1 : 0);
}

// False if there is nothing to compare, with a sentence that says why.
bool CompareWindow::make_grid() {
  try {
    const std::vector<Axis> varied = axes();
    const std::uint64_t count = count_variants(varied);
    if (varied.empty() || (count < 2 && !original_->isChecked())) {
      messages_->say_notice(Topic::steps, tr("Choose at least two values."));
      return false;
    }
    if (count > most_tiles) {
      messages_->say_notice(
          Topic::steps,
          tr("%1 results are too many to look at; %2 are the most.").arg(count).arg(most_tiles));
      return false;
    }
    grid_ = grid_of(varied);
    if (const int base = against_->currentData().toInt(); base >= 0) {
      compare_all_with(grid_, static_cast<std::size_t>(base));
    }
    leave_out_refused(grid_, [this](const ParameterError& error) {
      messages_->add_notice(Topic::steps, tr("Left out: %1").arg(core_text(error.message())));
    });
  } catch (const std::exception& error) {
    messages_->say_fault(Topic::steps, fault_of(error));
    return false;
  }
  return true;
}

void CompareWindow::start() {
  messages_->clear();
  if (!picture_) return messages_->say_notice(Topic::picture, tr("Open a picture first."));
  if (!make_grid()) return;
  compared_ = nullptr;
  screen_profile_ = screen_profile_of(this);
  CompareRequest request{picture_, grid_, session_, cell};
  if (!job_.start(std::move(request))) return;
  progress_->setValue(0);
  lay_tiles();
  update_controls();
}

// As wide as the picture's shape allows.
QSize CompareWindow::tile_size() const {
  const PictureFormat& f = picture_->format();
  QSize size(f.width, f.height);
  if (picture_->orientation > 4) size.transpose();
  return size.scaled(QSize(cell.width, cell.height) * 2 / 3, Qt::KeepAspectRatio)
      .expandedTo(QSize(48, 48));
}

QToolButton* CompareWindow::make_tile(std::size_t variant, QWidget* board) {
  auto* tile = new QToolButton(board);
  tile->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  tile->setAutoRaise(true);
  tile->setIconSize(tile_size());
  tile->setFocusPolicy(Qt::StrongFocus);
  tile->setEnabled(false);
  tile->setAccessibleName(QString::fromStdString(grid_.variants[variant].title));
  tile->setToolTip(plain_tip(tr("Use these steps")));
  connect(tile, &QToolButton::clicked, this, [this, variant] {
    const Variant& chosen = grid_.variants[variant];
    Q_EMIT taken(chosen.recipe, QString::fromStdString(chosen.title));
  });
  return tile;
}

// A place for each result: a grid with titles above and at the left, or lines that fit the window.
void CompareWindow::lay_tiles() {
  auto* board = new QWidget;
  auto* layout = new QGridLayout(board);
  const auto title = [&](const std::string& text, int row, int column, Qt::Alignment where) {
    auto* label = new QLabel(QString::fromStdString(text), board);
    label->setTextFormat(Qt::PlainText);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    layout->addWidget(label, row, column, where);
  };
  const Qt::Alignment above = Qt::AlignHCenter | Qt::AlignBottom;
  const int gap = 24, room = scroll_->viewport()->width() / (tile_size().width() + gap);
  const int columns = static_cast<int>(grid_.columns.size());
  const int per_line = grid_.rows.empty() ? std::clamp(room, 1, columns) : columns;
  for (std::size_t i = 0; !grid_.rows.empty() && i < grid_.columns.size(); ++i) {
    title(grid_.columns[i], 0, static_cast<int>(i) + 1, above);
  }
  for (std::size_t i = 0; i < grid_.rows.size(); ++i) {
    title(grid_.rows[i], 2 * static_cast<int>(i) + 2, 0, Qt::AlignTop);
  }
  tiles_.assign(grid_.variants.size(), nullptr);
  for (std::size_t i = 0; i < grid_.variants.size(); ++i) {
    const Variant& variant = grid_.variants[i];
    if (variant.left_out) continue;
    const int column = static_cast<int>(variant.column);
    const int line = static_cast<int>(variant.row) + column / per_line;
    if (grid_.rows.empty()) {
      title(grid_.columns[variant.column], 2 * line + 1, column % per_line + 1, above);
    }
    tiles_[i] = make_tile(i, board);
    layout->addWidget(tiles_[i], 2 * line + 2, column % per_line + 1);
  }
  layout->setColumnStretch(per_line + 1, 1);
  layout->setRowStretch(layout->rowCount(), 1);
  scroll_->setWidget(board);
}

QImage CompareWindow::on_screen(QImage image) const {
  const DisplayColors colors = display_colors({}, false, screen_profile_);
  if (colors.transform) {
    image.convertTo(QImage::Format_RGBX64);
    colors.transform->apply(image);
  }
  return image;
}

void CompareWindow::show_tile(int variant, const QImage& picture, const ResultFacts& facts) {
  const auto i = static_cast<std::size_t>(variant);
  if (i >= tiles_.size() || tiles_[i] == nullptr) return;
  tiles_[i]->setIcon(QIcon(QPixmap::fromImage(on_screen(picture))));
  tiles_[i]->setText(text_of(facts));
  tiles_[i]->setEnabled(true);
}

void CompareWindow::show_pictures() {
  if (!compared_) return;
  const int shown = shown_->currentIndex();
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    if (tiles_[i] == nullptr) continue;
    const HeldPicture& picture = picture_of(compared_->run->results()[i], shown);
    // What is compared with nothing is its own picture.
    const bool detailed = shown == detail || shown == detail_difference;
    const HeldPicture& instead =
        picture_of(compared_->run->results()[i], detailed ? detail : whole);
    const QImage image = image_of(picture.bytes.empty() ? instead : picture);
    tiles_[i]->setIcon(QIcon(QPixmap::fromImage(on_screen(image))));
  }
}

void CompareWindow::finish(const ComparedPtr& compared, const QString& fault) {
  compared_ = compared;
  if (!fault.isEmpty()) messages_->add_fault(Topic::steps, fault);
  show_pictures();
  update_controls();
  Q_EMIT ended();
}

void CompareWindow::update_controls() {
  const bool running = job_.is_running();
  start_->setEnabled(!running && picture_ != nullptr);
  first_->setEnabled(!running);
  second_->setEnabled(!running);
  original_->setEnabled(!running);
  cancel_->setVisible(running);
  progress_->setVisible(running);
  save_->setEnabled(compared_ != nullptr);
  shown_->setEnabled(compared_ != nullptr);
  // Without differences there is nothing to choose.
  const auto differs = [](const ComparedVariant& r) { return r.difference.has_value(); };
  bool compares = false;
  if (compared_) {
    const auto& results = compared_->run->results();
    compares = std::any_of(results.begin(), results.end(), differs);
  }
  auto* items = qobject_cast<QStandardItemModel*>(shown_->model());
  for (const int item : {difference, detail_difference}) items->item(item)->setEnabled(compares);
  if (compared_ && !compares && shown_->currentIndex() >= difference) {
    shown_->setCurrentIndex(shown_->currentIndex() == difference ? whole : detail);
  }
}

void CompareWindow::choose_target() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save the sheet"), QStringLiteral("comparison.png"),
      tr("Pictures (*.png *.tif *.jpg);;Pages with a slider (*.html)"));
  if (!path.isEmpty()) save_to(path);
}

void CompareWindow::save_to(const QString& path) {
  if (!compared_) return;
  std::error_code none;
  if (std::filesystem::equivalent(native_path(path), compared_->source, none)) {
    const QString fault = tr("%1 is the picture that is compared; choose another name.")
                              .arg(QFileInfo(path).fileName());
    messages_->say_fault(Topic::output, fault);
    Q_EMIT saved(fault);
    return;
  }
  const auto say = [this, path](const QString& fault) {
    if (fault.isEmpty()) {
      messages_->say_notice(Topic::output, tr("Saved %1.").arg(QFileInfo(path).fileName()));
    } else {
      messages_->say_fault(Topic::output, fault);
    }
    Q_EMIT saved(fault);
  };
  const ComparisonTitle title{
      compared_->title, {}, [](const Message& m) { return core_text(m).toStdString(); }};
  in_background(
      this,
      [compared = compared_, title, file = native_path(path)]() -> QString {
        try {
          if (file.extension() == ".html") {
            files::replace_text(file, page_of(*compared->run, compared->grid, title));
            return {};
          }
          const HeldPicture sheet =
              draw(sheet_of(*compared->run, compared->grid, title, false), cell.width);
          WriteOptions options;
          options.overwrite = true;
          const auto out = create_picture(file, options, sheet.format);
          out->write(sheet.view());
          out->commit();
          return {};
        } catch (const std::exception& error) {
          return fault_of(error);
        }
      },
      say);
}

void CompareWindow::closeEvent(QCloseEvent* event) {
  job_.cancel();
  QWidget::closeEvent(event);
}

}  // namespace sfumato::gui
