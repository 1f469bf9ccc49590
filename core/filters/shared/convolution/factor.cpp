// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The singular value decomposition of a small matrix.
#include "filters/shared/convolution/factor.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace sfumato {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double sum_of_sizes(const Vector& v) {
  return std::accumulate(v.begin(), v.end(), 0.0,
                         [](double sum, double x) { return sum + std::abs(x); });
}

void rotate(Vector& a, Vector& b, double c, double s) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i];
    a[i] = c * x - s * b[i];
    b[i] = s * x + c * b[i];
  }
}

// Rotates the columns of `u` until they are orthogonal, and `v` along with them, so that u v' is
// preserved.
void make_orthogonal(std::vector<Vector>& u, std::vector<Vector>& v) {
  constexpr double small = 1e-14;
  double all = 0;
  for (const Vector& column : u) all += dot(column, column);
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool turned = false;
    for (std::size_t p = 0; p < u.size(); ++p) {
      for (std::size_t q = p + 1; q < u.size(); ++q) {
        const double across = dot(u[p], u[q]);
        const double a = dot(u[p], u[p]), b = dot(u[q], u[q]);
        // Negligible, or within rounding of the whole matrix.
        if (std::abs(across) <= std::max(small * std::sqrt(a * b), small * small * all)) continue;
        turned = true;
        const double zeta = (b - a) / (2 * across);
        const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
        const double c = 1 / std::hypot(1, t);
        rotate(u[p], u[q], c, c * t);
        rotate(v[p], v[q], c, c * t);
      }
    }
    if (!turned) return;
  }
}

}  // namespace

Factors factored(const Matrix& matrix, double tolerance) {
  // u: one vector per column of the matrix; matrix = sum over k of u[k] v[k]'.
  const auto rows = static_cast<std::size_t>(matrix.rows);
  const auto columns = static_cast<std::size_t>(matrix.columns);
  std::vector<Vector> u(columns, Vector(rows)), v(columns, Vector(columns, 0.0));
  for (std::size_t i = 0; i < columns; ++i) {
    v[i][i] = 1;
    for (std::size_t j = 0; j < rows; ++j) u[i][j] = matrix.values[j * columns + i];
  }
  make_orthogonal(u, v);

  // The largest contribution of each product to a result, in descending order.
  std::vector<double> weight(columns);
  for (std::size_t k = 0; k < columns; ++k) weight[k] = sum_of_sizes(u[k]) * sum_of_sizes(v[k]);
  std::vector<std::size_t> order(columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });

  Factors factors;
  factors.error = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (const std::size_t k : order) {
    if (factors.rank() > 0 && factors.error <= tolerance) break;
    factors.error = std::max(0.0, factors.error - weight[k]);
    // Balanced magnitudes, so that neither side underflows in single precision.
    const double size = std::sqrt(std::sqrt(dot(u[k], u[k])));
    for (double& x : u[k]) x /= size > 0 ? size : 1;
    for (double& x : v[k]) x *= size;
    factors.columns.push_back(std::move(u[k]));
    factors.rows.push_back(std::move(v[k]));
  }
  return factors;
}

}  // namespace sfumato
