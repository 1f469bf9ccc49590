// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pixels that the last renders took in, for renders of the same pixels with other values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>

#include "engine/backend.hpp"

namespace sfumato {

/// The input of a tile: as its first step takes it and, if they are needed in the end, the stored
/// samples it was made of.
struct LoadedInput {
  BackendImagePtr pixels, samples;
};

/// The most recent inputs of one backend, up to 64 MiB. Filters never write to their input, so that
/// it can be used again. Not thread-safe.
class LoadedInputs {
 public:
  struct Key {
    std::uint64_t content = 0;  ///< PixelSource::content(), not 0
    Rect window;
    PictureFormat format;
    std::optional<PixelState> state;  ///< nullopt: as stored
    int channels = 4;
    bool with_samples = false;
    bool operator==(const Key&) const = default;
  };

  /// Null if it is not kept.
  const LoadedInput* find(const Key& key);
  /// Older ones give way; one that is too large is not kept.
  void keep(const Key& key, const LoadedInput& input);
  /// Required before their backend ends, and sensible if its memory is short.
  /// Returns whether there were any.
  bool clear();

 private:
  struct Entry {
    Key key;
    LoadedInput input;
    std::size_t bytes;
  };
  std::list<Entry> entries_;  // most recently used first
  std::size_t held_ = 0;      // bytes
};

}  // namespace sfumato
