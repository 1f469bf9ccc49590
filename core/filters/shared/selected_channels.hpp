// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Transfer functions on selected channels: all colours, or one of them.
#pragma once

#include <string>

#include "params/parameter_set.hpp"
#include "params/vocabulary.hpp"

namespace sfumato {

/// The parameter `channels` with its choices all, red, green and blue.
inline Parameter channels_word() {
  return vocabulary("channels")
      .with_choices({{"all", "All", "red, green and blue alike"},
                     {"red", "Red", ""},
                     {"green", "Green", ""},
                     {"blue", "Blue", ""}});
}

struct ChannelChoice {
  int only = -1;  ///< -1: all colours

  /// Whether channel `c` of a pixel with 1 or 4 channels is changed. Alpha never is; gray counts as
  /// every colour.
  bool takes(int c, int channels) const {
    return channels == 1 || (c < 3 && (only < 0 || only == c));
  }
};

inline ChannelChoice chosen_channels(const Values& values) {
  const std::string& name = values.choice("channels");
  return {name == "red" ? 0 : name == "green" ? 1 : name == "blue" ? 2 : -1};
}

/// The corresponding build option for cl/shared/selected_channels.clh.
inline std::string channel_options(const ChannelChoice& chosen, int channels) {
  const int only = channels == 1 ? -1 : chosen.only;
  return only < 0 ? "" : " -DONLY=" + std::to_string(only);
}

}  // namespace sfumato
