// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Separable symmetric convolution in float64.
#include "filters/shared/separable_convolution.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace sfumato {

void separable_reference(const ReferenceJob& job, const std::vector<double>& half) {
  const int r = static_cast<int>(half.size()) - 1;
  const Plane& out = job.output.plane;
  const Edge& edge = job.edge;
  const Border rule = edge.border();
  const std::size_t channels = static_cast<std::size_t>(job.output.channels);
  const std::size_t row = static_cast<std::size_t>(out.width) * channels;
  const int top = out.y - r;
  const int rows = out.height + 2 * r;

  const auto weight = [&](int distance) {
    return half[static_cast<std::size_t>(std::abs(distance))];
  };
  std::vector<double> kept_x(static_cast<std::size_t>(out.width), 1.0);
  if (rule == Border::renormalise) {
    for (int i = 0; i < out.width; ++i) {
      double sum = 0;
      for (int k = -r; k <= r; ++k) {
        const int x = out.x + i + k;
        if (x >= edge.x0 && x < edge.x1) sum += weight(k);
      }
      kept_x[static_cast<std::size_t>(i)] = sum;
    }
  }

  // A horizontally blurred row for each picture row in reach; those outside stay empty or repeat.
  std::vector<std::vector<double>> blurred(static_cast<std::size_t>(rows));
  job.rows.run(0, rows, [&](int i) {
    const int y = border_index(top + i, edge.y0, edge.y1, rule);
    if (y == nowhere || y != top + i) return;
    std::vector<double>& line = blurred[static_cast<std::size_t>(i)];
    line.assign(row, 0.0);
    for (int x = 0; x < out.width; ++x) {
      double* sum = line.data() + static_cast<std::size_t>(x) * channels;
      for (int k = -r; k <= r; ++k) {
        const int at = border_index(out.x + x + k, edge.x0, edge.x1, rule);
        if (at == nowhere) continue;
        const float* pixel = job.input.at(at, y);
        for (std::size_t c = 0; c < channels; ++c)
          sum[c] += weight(k) * static_cast<double>(pixel[c]);
      }
      for (std::size_t c = 0; c < channels; ++c) sum[c] /= kept_x[static_cast<std::size_t>(x)];
    }
  });
  // Rows that the border rule takes from beyond this tile's reach are computed where needed.
  const auto line_at = [&](int y) -> const std::vector<double>* {
    const int from = border_index(y, edge.y0, edge.y1, rule);
    if (from == nowhere || from < top || from >= top + rows) return nullptr;
    return &blurred[static_cast<std::size_t>(from - top)];
  };
  job.rows.run(out.y, out.y + out.height, [&](int y) {
    std::vector<double> sum(row, 0.0);
    double kept = 0;
    for (int k = -r; k <= r; ++k) {
      const std::vector<double>* line = line_at(y + k);
      if (line == nullptr) continue;
      kept += weight(k);
      for (std::size_t i = 0; i < row; ++i) sum[i] += weight(k) * (*line)[i];
    }
    const double norm = rule == Border::renormalise ? 1.0 / kept : 1.0;
    float* to = job.output.at(out.x, y);
    for (std::size_t i = 0; i < row; ++i) to[i] = static_cast<float>(sum[i] * norm);
  });
}

std::vector<double> transfer_function(const std::vector<double>& half, int n) {
  std::vector<double> h(static_cast<std::size_t>(n));
  for (int u = 0; u < n; ++u) {
    double sum = half[0];
    // cos(k w) by its recurrence: k calls of cos for every u would be slow at large radii
    const double c = std::cos(2 * std::numbers::pi * u / n);
    double before = 1, now = c;
    for (std::size_t k = 1; k < half.size(); ++k) {
      sum += 2 * half[k] * now;
      const double next = 2 * c * now - before;
      before = now;
      now = next;
    }
    h[static_cast<std::size_t>(u)] = sum;
  }
  return h;
}

std::vector<double> weight_inside(const std::vector<double>& half, int lo, int hi) {
  const int r = static_cast<int>(half.size()) - 1;
  std::vector<double> inside(static_cast<std::size_t>(hi - lo));
  for (int x = lo; x < hi; ++x) {
    double sum = 0;
    for (int k = -r; k <= r; ++k) {
      if (x + k >= lo && x + k < hi) sum += half[static_cast<std::size_t>(std::abs(k))];
    }
    inside[static_cast<std::size_t>(x - lo)] = sum;
  }
  return inside;
}

}  // namespace sfumato
