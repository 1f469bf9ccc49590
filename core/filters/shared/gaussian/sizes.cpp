// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The tunable sizes of a Gaussian's passes, and the sigma at which each matters.
#include "filters/shared/gaussian/sizes.hpp"

namespace sfumato {

const std::vector<Tunable>& gaussian_tunables() {
  static const std::vector<TuningCase> fused{{{"sigma", "1"}}, {{"sigma", "3"}}},
      decimated{{{"sigma", "8"}}, {{"sigma", "32"}}},
      wide{{{"sigma", "30"}, {"method", "separable"}}};
  static const std::vector<Tunable> all{
      {"strip_items", "items per group, rows and columns fused", {64, 128, 256}, 256, 0, fused},
      {"strip_waves",
       "groups per compute unit, rows and columns fused",
       {2, 4, 6, 8, 12},
       6,
       0,
       fused},
      {"decimate_waves",
       "groups per compute unit, decimation",
       {4, 8, 12, 16, 24},
       12,
       0,
       decimated},
      {"row_results", "results per item, wide rows", {1, 2, 4, 8}, 4, 0, wide},
      {"row_items", "items per group, wide rows", {64, 128, 256}, 256, 0, wide},
      {"column_results", "results per item, wide columns", {1, 2, 4, 8, 16}, 8, 0, wide},
      {"column_items", "items per group, wide columns", {64, 128, 256}, 256, 0, wide},
      {"strip_vectors",
       "vectors across a strip, rows and columns fused",
       {4, 8, 16, 32},
       0,
       16,
       fused},
      {"strip_rows",
       "most rows per band, rows and columns fused",
       {64, 128, 256, 512, 1024},
       0,
       512,
       fused},
      {"decimate_rows", "most rows per band, decimation", {32, 64, 128, 256}, 0, 128, decimated}};
  return all;
}

GaussianSizes gaussian_sizes(const Target& target) {
  const auto size = [&](const char* name) {
    return target.tuned("gaussian", gaussian_tunables(), name);
  };
  GaussianSizes sizes;
  if (target.form == Form::gpu) {
    sizes.strip_items = size("strip_items");
    sizes.strip_waves = size("strip_waves");
    sizes.decimate_waves = size("decimate_waves");
    sizes.row_results = size("row_results");
    sizes.row_items = size("row_items");
    sizes.column_results = size("column_results");
    sizes.column_items = size("column_items");
  } else {
    sizes.strip_vectors = size("strip_vectors");
    sizes.strip_rows = size("strip_rows");
    sizes.decimate_rows = size("decimate_rows");
  }
  return sizes;
}

}  // namespace sfumato
