// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Parameters and tunable sizes of a convolution.
#include "filters/shared/convolution/convolution.hpp"
#include "params/vocabulary.hpp"

namespace sfumato {

Parameter convolution_method_word() {
  return vocabulary("method").with_choices(
      {{"auto", "Automatic", "the cheapest for this matrix on this device"},
       {"direct", "Direct", "every product"},
       {"factored", "Factored", "as a few products of a column and a row"},
       {"fft", "Fourier", "through the frequency domain, the whole picture at once"}});
}

const std::vector<Tunable>& convolution_tunables() {
  // A matrix whose rows are compiled in, and one whose rows are not.
  static const std::vector<TuningCase> cases{
      {{"matrix", "0 -1 0; -1 5 -1; 0 -1 0"}, {"method", "direct"}},
      {{"row", "1 2 3 4 5 6 5 4 3 2 1"},
       {"column", "1 2 3 4 5 6 5 4 3 2 1"},
       {"method", "direct"}}};
  static const std::vector<Tunable> all{
      {"results", "results per item, one below another", {1, 2, 4, 8, 16}, 8, 0, cases},
      {"group_columns", "columns per group", {16, 32, 64}, 32, 0, cases},
      {"group_rows", "rows of items per group", {1, 2, 4}, 4, 0, cases},
      {"strip_vectors", "vectors across a strip", {4, 8, 16, 32}, 0, 16, cases},
      {"strip_rows", "rows of a strip", {64, 128, 256, 512}, 0, 256, cases}};
  return all;
}

}  // namespace sfumato
