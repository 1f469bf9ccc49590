// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the pass of convolution/strip_gpu.clh.
#include "filters/shared/convolution/strip.hpp"

#include <algorithm>

#include "filters/shared/convolution/finish.hpp"
#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

constexpr int group_items = 128, step = 8;
constexpr int most_products = 3, most_side = 72;
// Groups for each unit that computes, so that all of them stay busy.
constexpr int waves = 12;

int padded(int columns) {
  return columns + columns / 8;
}

// Samples of each pixel that are summed.
int samples_of(const Convolution& c) {
  const int gray = gray_samples(c);
  return gray > 0 ? gray : c.picture.channels;
}

// Room for a row of the picture: a strip and its reach, whose last run may read on to 15 columns.
int pitch_of(const Convolution& c) {
  return padded(group_items / samples_of(c) + c.request.matrix.columns + 15) + 1;
}
std::size_t wide_bytes(const Convolution& c) {
  return static_cast<std::size_t>(step) * static_cast<std::size_t>(pitch_of(c)) *
         static_cast<std::size_t>(samples_of(c)) * sizeof(float);
}
// Room for the sums along rows.
std::size_t summed_bytes(const Convolution& c) {
  return static_cast<std::size_t>(c.factors.rank()) * step * padded(group_items) * sizeof(float);
}

// The taps compiled in for so many rows: a few of them are not worth a check for each.
int taps_of(int rows) {
  return rows < 24 ? rows : round_up(rows, step);
}

// The row of each product, and zeros up to whole vectors.
std::vector<float> padded_rows(const Factors& factors) {
  std::vector<float> all;
  for (const auto& row : factors.rows) {
    all.insert(all.end(), row.begin(), row.end());
    all.resize(static_cast<std::size_t>(round_up(static_cast<int>(all.size()), step)), 0.0f);
  }
  return all;
}

// Pixels of a strip and its reach that each of a row's items loads.
int loads_of(const Convolution& c) {
  const int held = group_items / samples_of(c) + c.request.matrix.columns - 1;
  return ceil_div(held, group_items / step);
}

// Of each product, the column from its last weight to its first, and zeros up to whole vectors.
std::vector<float> reversed_columns(const Factors& factors, int taps) {
  std::vector<float> all;
  const auto size = static_cast<std::size_t>(round_up(taps, 4));
  for (const auto& column : factors.columns) {
    all.insert(all.end(), column.rbegin(), column.rend());
    all.insert(all.end(), size - column.size(), 0.0f);
  }
  return all;
}

}  // namespace

bool fits_strip(const Convolution& c) {
  return c.target.form == Form::gpu && c.factors.rank() <= most_products &&
         std::max(c.request.matrix.rows, c.request.matrix.columns) <= most_side &&
         wide_bytes(c) + summed_bytes(c) <= c.target.local_memory;
}

void run_strip(const Convolution& c, const TileJob& job, Passes& passes,
               const std::shared_ptr<DeviceMemory>& sums) {
  const Matrix& matrix = c.request.matrix;
  const Plane& out = job.output.plane;
  const int rank = c.factors.rank(), taps = taps_of(matrix.rows), gray = gray_samples(c);
  const int strips = ceil_div(out.width, group_items / samples_of(c));
  const int bands = std::max(1, static_cast<int>(c.target.compute_units) * waves / strips);
  const int band = round_up(std::max(ceil_div(out.height, bands), 2 * matrix.rows), step);
  Launch launch;
  launch.kernel = "convolution_strip";
  launch.options = "-D CHANNELS=" + std::to_string(job.input.channels) +
                   " -D PASS_STRIP -D RANK=" + std::to_string(rank) +
                   " -D TAPS=" + std::to_string(taps);
  launch.options += " -D LOADS=" + std::to_string(loads_of(c));
  if (gray > 0) launch.options += " -D GRAY=" + std::to_string(gray);
  launch.local = {group_items, 1};
  launch.global = {static_cast<std::size_t>(strips) * group_items,
                   static_cast<std::size_t>(ceil_div(out.height, band))};
  launch.work = 2.0 * rank * (matrix.rows + matrix.columns) * band;
  const auto down = passes.table(reversed_columns(c.factors, taps));
  const auto across = passes.table(padded_rows(c.factors));
  passes.launch_with(launch,
                     {Argument::of_memory(job.input.buffer.get()), Argument::of(job.input.plane),
                      Argument::of(job.edge), Argument::of_memory(job.output.buffer.get()),
                      Argument::of(out), Argument::of_memory(across.get()),
                      Argument::of_memory(down.get()), Argument::of_memory(sums.get()),
                      Argument::of(finish_of(c)), Argument::of(band), Argument::of(pitch_of(c)),
                      Argument::of_local(wide_bytes(c)), Argument::of_local(summed_bytes(c))});
}

}  // namespace sfumato
