// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A matrix of weights as a sum of products of a column and a row.
// Source: the singular value decomposition by one-sided rotations (Hestenes 1958; Golub and Van
// Loan, Matrix Computations, 4th ed., 8.6.3); for image kernels Treitel and Shanks (1971).
#pragma once

#include <vector>

#include "params/value.hpp"

namespace sfumato {

/// sum over k of columns[k][j] * rows[k][i]: the matrix, up to `error`.
struct Factors {
  std::vector<std::vector<double>> rows, columns;
  /// Bound of the error of any result, for samples of at most 1.
  double error = 0;

  int rank() const { return static_cast<int>(rows.size()); }
};

/// The fewest products with an error of at most `tolerance`; at least one.
Factors factored(const Matrix& matrix, double tolerance);

}  // namespace sfumato
