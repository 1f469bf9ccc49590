// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Looks up loaded inputs by what they were loaded from.
#include "engine/loaded_inputs.hpp"

#include <algorithm>

namespace sfumato {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::size_t bytes_of(const LoadedInputs::Key& key) {
  const std::size_t stored = key.format.pixel_bytes();
  std::size_t pixel = key.state ? sizeof(float) * static_cast<std::size_t>(key.channels) : stored;
  if (key.state && key.with_samples) pixel += stored;
  return static_cast<std::size_t>(key.window.area()) * pixel;
}

}  // namespace

const LoadedInput* LoadedInputs::find(const Key& key) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return &entries_.front().input;
}

void LoadedInputs::keep(const Key& key, const LoadedInput& input) {
  const std::size_t bytes = bytes_of(key);
  if (bytes > most_bytes) return;
  while (held_ + bytes > most_bytes) {
    held_ -= entries_.back().bytes;
    entries_.pop_back();
  }
  entries_.push_front({key, input, bytes});
  held_ += bytes;
}

bool LoadedInputs::clear() {
  const bool held = !entries_.empty();
  entries_.clear();
  held_ = 0;
  return held;
}

}  // namespace sfumato
