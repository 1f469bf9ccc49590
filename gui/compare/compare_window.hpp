// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Results side by side: methods, values, presets. A click takes one.
#pragma once

#include <QByteArray>
#include <QWidget>
#include <vector>

#include "compare/compare_job.hpp"
#include "compare/varied_row.hpp"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace sfumato::gui {

class MessageBar;

class CompareWindow : public QWidget {
  Q_OBJECT

 public:
  explicit CompareWindow(QWidget* parent = nullptr);
  ~CompareWindow() override;

  /// What is varied from now on: the values of `step`, from 0 (-1: none), or the whole recipe.
  void set_up(const PicturePtr& picture, const Recipe& recipe, int step,
              const std::vector<Preset>& presets, const SessionOptions& session);

  VariedRow& first() { return *first_; }
  VariedRow& second() { return *second_; }
  QCheckBox& original() { return *original_; }
  /// What all are compared with: nothing, or where methods vary the first of them; or the variant
  /// that the item's data numbers.
  QComboBox& against() { return *against_; }
  /// Which pictures the tiles show.
  QComboBox& shown() { return *shown_; }
  /// In the order of the grid, row by row; left-out ones are null.
  const std::vector<QToolButton*>& tiles() const { return tiles_; }
  bool is_running() const { return job_.is_running(); }

  /// Starts over. A sentence appears if nothing can be compared.
  void start();
  /// Writes the last comparison as a sheet, or as a page if the name ends with ".html".
  void save_to(const QString& path);

 Q_SIGNALS:
  /// The user chose a result.
  void taken(const sfumato::Recipe& recipe, const QString& title);
  /// start() has come to its end.
  void ended();
  /// save_to() has.
  void saved(const QString& fault);

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  void make_controls();
  std::vector<Axis> axes() const;
  Grid grid_of(const std::vector<Axis>& axes) const;
  void offer_bases();
  bool make_grid();
  void lay_tiles();
  QToolButton* make_tile(std::size_t variant, QWidget* board);
  QSize tile_size() const;
  void show_tile(int variant, const QImage& picture, const ResultFacts& facts);
  void show_pictures();
  void finish(const ComparedPtr& compared, const QString& fault);
  void update_controls();
  void choose_target();
  QImage on_screen(QImage image) const;

  SessionOptions session_;
  PicturePtr picture_;
  Recipe recipe_;
  Grid grid_;
  ComparedPtr compared_;
  std::vector<QToolButton*> tiles_;
  QByteArray screen_profile_;
  MessageBar* messages_;
  VariedRow *first_, *second_;
  QCheckBox* original_;
  QComboBox *against_, *shown_;
  QPushButton *start_, *cancel_, *save_;
  QProgressBar* progress_;
  QScrollArea* scroll_;
  CompareJob job_;  // destroyed first
};

}  // namespace sfumato::gui
