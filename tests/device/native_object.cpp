// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// An object of kernels as packaging/native_kernels.py makes them, for the tests of what runs them.
#include <cstddef>

#include "device/native_kernels.hpp"

namespace {

// Writes the number of each item to its place.
void number_items(void* const* arguments, const sfumato_native_items* items) {
  auto* to = static_cast<int*>(arguments[0]);
  const int width = *static_cast<const int*>(arguments[1]);
  for (std::size_t y = items->begin[1]; y < items->end[1]; ++y) {
    for (std::size_t x = items->begin[0]; x < items->end[0]; ++x) {
      to[y * static_cast<std::size_t>(width) + x] += static_cast<int>(10 * y + x + 1);
    }
  }
}

// Adds up the group's items in its local memory, and writes the sum to the group's place.
void sum_groups(void* const* arguments, const sfumato_native_items* items) {
  auto* to = static_cast<int*>(arguments[0]);
  auto* local = static_cast<int*>(arguments[1]);
  local[0] = 0;
  for (std::size_t x = items->begin[0]; x < items->end[0]; ++x) local[0] += static_cast<int>(x);
  to[items->begin[0] / items->local[0]] = local[0];
}

constexpr sfumato_native_argument numbered[] = {{sfumato_native_memory, 0},
                                                {sfumato_native_value, sizeof(int)}};
constexpr sfumato_native_argument summed[] = {{sfumato_native_memory, 0},
                                              {sfumato_native_local, 0}};
constexpr sfumato_native_kernel kernels[] = {
    {"alpha", "A B=2", "number_items", 2, numbered, number_items},
    {"alpha", "A B=2", "sum_groups", 2, summed, sum_groups},
    {"beta", "", "number_items", 2, numbered, number_items},
};

}  // namespace

#ifndef VERSION
#define VERSION sfumato_native_version
#endif
extern "C" __attribute__((visibility("default")))
const sfumato_native_table sfumato_native_kernels = {VERSION, 3, kernels};
