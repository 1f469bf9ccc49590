// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A list that a test loops over: an empty one would let the test pass without checking anything.
#pragma once

#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace sfumato::testing {

/// The list it was given. Throws std::runtime_error if that is empty, and so fails any test; `what`
/// says in the plural what the list holds.
template <typename List>
List not_empty(List&& list, const char* what) {
  if (std::empty(list)) {
    throw std::runtime_error("There are no " + std::string(what) + ": nothing was checked.");
  }
  return std::forward<List>(list);
}

}  // namespace sfumato::testing
