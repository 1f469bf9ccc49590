// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Integer division for grids of samples and work-items.
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

/// The number of work-items that compute `count` results, `each` per item; at least 1.
inline std::size_t items(int count, int each) {
  return static_cast<std::size_t>(std::max(1, ceil_div(count, each)));
}

}  // namespace sfumato
