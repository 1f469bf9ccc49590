// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Division of whole numbers, as grids of samples and of work-items need it.
#pragma once

#include <algorithm>
#include <cstddef>

namespace sfumato {

/// a / b, rounded down, for b > 0.
inline int floor_div(int a, int b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/// a / b, rounded up, for b > 0.
inline int ceil_div(int a, int b) {
  return -floor_div(-a, b);
}

/// The smallest multiple of b that is not below a, for b > 0.
inline int round_up(int a, int b) {
  return ceil_div(a, b) * b;
}

/// How many work-items compute `count` results, `each` of them; at least 1.
inline std::size_t items(int count, int each) {
  return static_cast<std::size_t>(std::max(1, ceil_div(count, each)));
}

}  // namespace sfumato
