// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Separable symmetric convolution in float64.
#include "filters/shared/separable_convolution.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace sfumato {

namespace {

// Symmetric taps over a tile, along rows and columns.
struct SeparableWindow {
  SeparableWindow(const ReferenceJob& on, const std::vector<double>& taps)
      : job(on),
        half(taps),
        out(on.output.plane),
        reach(static_cast<int>(taps.size()) - 1),
        channels(static_cast<std::size_t>(on.output.channels)),
        renormalises(on.edge.border() == Border::renormalise) {}

  double weight(int distance) const { return half[static_cast<std::size_t>(std::abs(distance))]; }

  // For each column of the tile, the sum of the weights that meet a pixel; 1 if the border supplies
  // every pixel.
  std::vector<double> kept_of_columns() const {
    std::vector<double> kept(static_cast<std::size_t>(out.width), 1.0);
    for (int i = 0; renormalises && i < out.width; ++i) {
      double sum = 0;
      for (int k = -reach; k <= reach; ++k) {
        const int x = out.x + i + k;
        if (x >= job.edge.x0 && x < job.edge.x1) sum += weight(k);
      }
      kept[static_cast<std::size_t>(i)] = sum;
    }
    return kept;
  }

  // The tile's columns of one picture row, blurred along it.
  std::vector<double> blurred_row(int y, const std::vector<double>& kept) const {
    std::vector<double> line(static_cast<std::size_t>(out.width) * channels);
    for (int x = 0; x < out.width; ++x) {
      double* sum = line.data() + static_cast<std::size_t>(x) * channels;
      for (int k = -reach; k <= reach; ++k) {
        const int at = border_index(out.x + x + k, job.edge.x0, job.edge.x1, job.edge.border());
        if (at == nowhere) continue;
        const float* pixel = job.input.at(at, y);
        for (std::size_t c = 0; c < channels; ++c)
          sum[c] += weight(k) * static_cast<double>(pixel[c]);
      }
      for (std::size_t c = 0; c < channels; ++c) sum[c] /= kept[static_cast<std::size_t>(x)];
    }
    return line;
  }

  // One row of the result, from the blurred rows that line_at(y) returns.
  template <typename LineAt>
  void sum_rows(int y, LineAt&& line_at) const {
    std::vector<double> sum(static_cast<std::size_t>(out.width) * channels, 0.0);
    double kept = 0;
    for (int k = -reach; k <= reach; ++k) {
      const std::vector<double>* line = line_at(y + k);
      if (line == nullptr) continue;
      kept += weight(k);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight(k) * (*line)[i];
    }
    const double norm = renormalises ? 1.0 / kept : 1.0;
    float* to = job.output.at(out.x, y);
    for (std::size_t i = 0; i < sum.size(); ++i) to[i] = static_cast<float>(sum[i] * norm);
  }

  const ReferenceJob& job;
  const std::vector<double>& half;
  const Plane& out;
  const int reach;
  const std::size_t channels;
  const bool renormalises;
};

}  // namespace

void separable_reference(const ReferenceJob& job, const std::vector<double>& half) {
  const SeparableWindow window(job, half);
  const int top = window.out.y - window.reach;
  const int rows = window.out.height + 2 * window.reach;
  const std::vector<double> kept_x = window.kept_of_columns();

  // A horizontally blurred row for each picture row in reach; those outside stay empty or repeat.
  std::vector<std::vector<double>> blurred(static_cast<std::size_t>(rows));
  job.rows.run(0, rows, [&](int i) {
    const int y = border_index(top + i, job.edge.y0, job.edge.y1, job.edge.border());
    if (y != nowhere && y == top + i) {
      blurred[static_cast<std::size_t>(i)] = window.blurred_row(y, kept_x);
    }
  });
  // Rows that the border rule takes from beyond this tile's reach are computed on demand.
  const auto line_at = [&](int y) -> const std::vector<double>* {
    const int from = border_index(y, job.edge.y0, job.edge.y1, job.edge.border());
    if (from == nowhere || from < top || from >= top + rows) return nullptr;
    return &blurred[static_cast<std::size_t>(from - top)];
  };
  job.rows.run(window.out.y, window.out.y + window.out.height,
               [&](int y) { window.sum_rows(y, line_at); });
}

std::vector<double> transfer_function(const std::vector<double>& half, int n) {
  std::vector<double> h(static_cast<std::size_t>(n));
  for (int u = 0; u < n; ++u) {
    double sum = half[0];
    // cos(k w) by recurrence, since calling cos for every k and u would be slow at large radii
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
