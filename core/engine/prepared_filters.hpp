// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Prepared filters, kept for the next render with the same values, picture and target.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "filters/filter.hpp"

namespace sfumato {

/// The prepared filters of a session's most recent plans, reused by the next frame of a preview and
/// the next picture of equal size. Not thread-safe.
class PreparedFilters {
 public:
  /// The filter prepared for these values, picture and target, preparing it now if necessary.
  /// Throws what Filter::prepare() throws.
  std::shared_ptr<const PreparedFilter> of(const Filter& filter, const Values& values,
                                           const Picture& picture, const Target& target);

 private:
  static constexpr std::size_t most = 32;

  struct Entry {
    const Filter* filter;
    Values values;
    Picture picture;
    Target target;
    std::shared_ptr<const PreparedFilter> prepared;
  };
  std::list<Entry> entries_;  // most recently used first
};

}  // namespace sfumato
