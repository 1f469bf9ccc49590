// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What has become of the outputs that a journal records.
#include "batch/journal.hpp"

namespace sfumato {

bool Journal::is_unchanged(const Record& record) {
  const auto there = stamp_of(record.target);
  return there && (there == record.output || is_marked(record));
}

bool Journal::is_marked(const Record& record) {
  return !record.file_id.empty() && persistent_id_of(record.target) == record.file_id;
}

// Nobody edits a picture down to nothing: it was lost, as by a power cut or a full disk.
bool Journal::is_emptied(const Record& record) {
  const auto there = stamp_of(record.target);
  return there && there->size == 0 && record.output && record.output->size > 0;
}

// Whether the file at the target may be replaced: we made it, or were allowed to replace it.
bool Journal::is_ours(const Record& record) {
  const auto there = stamp_of(record.target);
  return there && (there == record.replaced || is_unchanged(record) || is_emptied(record));
}

bool Journal::is_superseded(const Record& record, const std::string& key) const {
  const auto made = made_.find(places_.of(record.target));
  if (made == made_.end() || made->second.key.empty() || made->second.key == key) return false;
  const Record& last = known_.at(made->second.key);
  return places_.of(last.target) == made->first && is_unchanged(last) && !is_unchanged(record);
}

// The file is what we made of the source, or the source as it was, or another file.
PriorResult::State Journal::state_in_place(const Record& record, bool is_known) {
  if (is_marked(record) || stamp_of(record.target) == record.output)
    return PriorResult::State::done;
  return is_known ? PriorResult::State::started : PriorResult::State::unknown;
}

PriorResult::State Journal::state_of(const Record& record, const std::string& key) const {
  // The temporary was renamed, but the run ended before it wrote "done".
  const bool was_renamed = record.state == PriorResult::State::started && is_marked(record);
  const PriorResult::State state = was_renamed ? PriorResult::State::done : record.state;
  if (state == PriorResult::State::done && is_emptied(record)) return PriorResult::State::started;
  return state == PriorResult::State::done && is_superseded(record, key)
             ? PriorResult::State::unknown
             : state;
}

}  // namespace sfumato
