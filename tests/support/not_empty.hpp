// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Checks lists that a test loops over: with an empty one, the test would pass without checking
// anything.
#pragma once

#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace sfumato::testing {

/// Returns the list. Throws std::runtime_error, which fails any test, if it is empty; `what` is the
/// plural noun for its content.
template <typename List>
List not_empty(List&& list, const char* what) {
  if (std::empty(list)) {
    throw std::runtime_error("There are no " + std::string(what) + ": nothing was checked.");
  }
  return std::forward<List>(list);
}

}  // namespace sfumato::testing
