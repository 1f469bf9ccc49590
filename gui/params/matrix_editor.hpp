// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Editor of a matrix of weights: its sizes, its cells, and the whole matrix as text.
#pragma once

#include "params/parameter_editor.hpp"

class QLabel;
class QSpinBox;
class QTableView;

namespace sfumato::gui {

class ErrorLine;
class MatrixModel;

/// The text has the command line's form: "a b c; d e f".
class MatrixEditor final : public ParameterEditor {
  Q_OBJECT

 public:
  MatrixEditor(const Parameter& parameter, QWidget* parent);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void show_value() override;
  void set_up_line();
  void set_up_table();
  void set_up_text();
  QSpinBox* size_box(int largest, const QString& part);
  void resize_matrix();
  void show_sizes();
  void show_text();
  void take_text(const QString& text);
  void fit_table();

  MatrixModel* model_;
  QTableView* table_;
  QSpinBox *rows_ = nullptr, *columns_ = nullptr;
  QLabel* times_ = nullptr;
  ErrorLine* text_;
};

}  // namespace sfumato::gui
