// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A matrix of weights as a table.
#pragma once

#include <QAbstractTableModel>

#include "params/parameter.hpp"

namespace sfumato::gui {

/// Cells accept values that the parameter allows and reject others.
class MatrixModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  MatrixModel(const Parameter& parameter, QObject* parent);

  void set_matrix(const Matrix& matrix);
  const Matrix& matrix() const { return matrix_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  /// The user edited a cell.
  void edited();

 private:
  std::size_t place(const QModelIndex& index) const;

  const Parameter parameter_;
  Matrix matrix_{1, 1, {1}};
};

/// The matrix with other sizes, keeping its centre; new cells are 0.
Matrix resized(const Matrix& matrix, int rows, int columns);

}  // namespace sfumato::gui
