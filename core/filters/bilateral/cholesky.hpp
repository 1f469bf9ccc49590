// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Small symmetric positive definite systems in float64.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sfumato {

/// The factor L of a matrix L L^T, n by n, row by row. Pivots that rounding made too small or
/// negative are set to 1e-14.
class Cholesky {
 public:
  Cholesky(std::vector<double> matrix, std::size_t n) : l_(std::move(matrix)), n_(n) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < j; ++k) at(j, j) -= at(j, k) * at(j, k);
      at(j, j) = std::sqrt(std::max(at(j, j), 1e-14));
      for (std::size_t i = j + 1; i < n; ++i) {
        for (std::size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
        at(i, j) /= at(j, j);
      }
    }
  }

  /// Solves L L^T x = right.
  std::vector<double> solve(std::vector<double> x) const {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= at(i, k) * x[k];
      x[i] /= at(i, i);
    }
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t k = i + 1; k < n_; ++k) x[i] -= at(k, i) * x[k];
      x[i] /= at(i, i);
    }
    return x;
  }

  std::vector<double> inverse() const {
    std::vector<double> out;
    for (std::size_t i = 0; i < n_; ++i) {
      std::vector<double> unit(n_);
      unit[i] = 1;
      const std::vector<double> column = solve(std::move(unit));
      out.insert(out.end(), column.begin(), column.end());
    }
    return out;
  }

 private:
  double& at(std::size_t i, std::size_t j) { return l_[i * n_ + j]; }
  double at(std::size_t i, std::size_t j) const { return l_[i * n_ + j]; }

  std::vector<double> l_;
  std::size_t n_;
};

}  // namespace sfumato
