// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A matrix of weights as a table.
#include "params/matrix_model.hpp"

#include <cmath>

#include "params/text.hpp"

namespace sfumato::gui {

MatrixModel::MatrixModel(const Parameter& parameter, QObject* parent)
    : QAbstractTableModel(parent), parameter_(parameter) {}

void MatrixModel::set_matrix(const Matrix& matrix) {
  if (matrix.rows == matrix_.rows && matrix.columns == matrix_.columns) {
    matrix_ = matrix;
    Q_EMIT dataChanged(index(0, 0), index(matrix_.rows - 1, matrix_.columns - 1));
    return;
  }
  beginResetModel();
  matrix_ = matrix;
  endResetModel();
}

int MatrixModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : matrix_.rows;
}

int MatrixModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : matrix_.columns;
}

std::size_t MatrixModel::place(const QModelIndex& index) const {
  return static_cast<std::size_t>(index.row()) * static_cast<std::size_t>(matrix_.columns) +
         static_cast<std::size_t>(index.column());
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const double weight = matrix_.values[place(index)];
  switch (role) {
    case Qt::DisplayRole:
      return QString::number(weight, 'g', 4);
    case Qt::EditRole:
    case Qt::ToolTipRole:
      return QString::fromStdString(print_number(weight));
    case Qt::TextAlignmentRole:
      return static_cast<int>(Qt::AlignCenter);
    case Qt::AccessibleDescriptionRole:
      return tr("row %1, column %2").arg(index.row() + 1).arg(index.column() + 1);
    default:
      return {};
  }
}

bool MatrixModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  double weight = 0;
  if (role != Qt::EditRole || !index.isValid()) return false;
  const QString text = value.toString().trimmed().replace(QLatin1Char(','), QLatin1Char('.'));
  if (!parse_number(text.toStdString(), weight)) return false;
  if (!parameter_.valid.contains(weight)) return false;
  if (matrix_.values[place(index)] == weight) return true;
  matrix_.values[place(index)] = weight;
  Q_EMIT dataChanged(index, index);
  Q_EMIT edited();
  return true;
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
}

Matrix resized(const Matrix& matrix, int rows, int columns) {
  Matrix out{rows, columns, {}};
  const int down = (rows - matrix.rows) / 2, right = (columns - matrix.columns) / 2;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const int row = y - down, column = x - right;
      const bool inside = row >= 0 && row < matrix.rows && column >= 0 && column < matrix.columns;
      out.values.push_back(inside ? matrix.at(row, column) : 0.0);
    }
  }
  return out;
}

}  // namespace sfumato::gui
