// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Prepared filters, kept for the next render that is equal in all they were prepared for.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "filters/filter.hpp"

namespace sfumato {

/// The prepared filters of a session's latest plans. The next frame of a preview, and the next
/// picture of equal size, find theirs here. Not thread-safe.
class PreparedFilters {
 public:
  /// The filter prepared for equal values, picture and target, or prepares it now. Throws what
  /// Filter::prepare() throws.
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
  std::list<Entry> entries_;  // the latest used first
};

}  // namespace sfumato
