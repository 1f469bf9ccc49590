// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Looks up prepared filters by what they were prepared for.
#include "engine/prepared_filters.hpp"

#include <algorithm>

namespace sfumato {

std::shared_ptr<const PreparedFilter> PreparedFilters::of(const Filter& filter,
                                                          const Values& values,
                                                          const Picture& picture,
                                                          const Target& target) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.filter == &filter && e.picture == picture && e.target == target && e.values == values;
  });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
  } else {
    std::shared_ptr<const PreparedFilter> prepared = filter.prepare(values, picture, target);
    entries_.push_front({&filter, values, picture, target, std::move(prepared)});
    if (entries_.size() > most) entries_.pop_back();
  }
  return entries_.front().prepared;
}

}  // namespace sfumato
