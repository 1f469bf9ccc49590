// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A prepared filter made of its functions, for filters that need no class of their own.
#pragma once

#include <string>
#include <utility>

#include "filters/filter.hpp"

namespace sfumato {

template <typename Run, typename Reference>
class PreparedOf final : public PreparedFilter {
 public:
  PreparedOf(const Needs& needs, Run run, Reference reference, std::string how)
      : needs_(needs),
        run_(std::move(run)),
        reference_(std::move(reference)),
        how_(std::move(how)) {}

  Needs needs() const override { return needs_; }
  void run(const TileJob& job, Passes& passes) const override { run_(job, passes); }
  void reference(const ReferenceJob& job) const override { reference_(job); }
  std::string explain() const override { return how_; }

 private:
  const Needs needs_;
  const Run run_;
  const Reference reference_;
  const std::string how_;
};

/// `run(job, passes)` and `reference(job)` hold by value what was chosen for the picture; `how`
/// explains it.
template <typename Run, typename Reference>
PreparedPtr prepared_of(const Needs& needs, Run run, Reference reference, std::string how = {}) {
  return std::make_unique<PreparedOf<Run, Reference>>(needs, std::move(run), std::move(reference),
                                                      std::move(how));
}

}  // namespace sfumato
