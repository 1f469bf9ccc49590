// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What sfumato diff compares of files with several layers: what has the same name in both.
#pragma once

#include <string>
#include <vector>

#include "io/io.hpp"

namespace sfumato::cli {

/// Channels of both files with the same names, as ReadOptions::channels takes them.
struct MatchedChannels {
  std::string name;        ///< of the layer or the channel; empty: the picture itself
  std::string in_a, in_b;  ///< empty: the picture itself
  bool single = false;     ///< a channel that belongs to no colours: depth, a mask
};

struct Matching {
  std::vector<MatchedChannels> all;         ///< the picture first
  std::vector<std::string> only_a, only_b;  ///< layers and channels without a counterpart
};

/// Matches the pictures, the layers, and the channels that are in neither, whatever the case of
/// their letters. A picture of other channels than the other file's picture, such as a depth, is
/// compared with the channels of these names, if the other file has them. Gray counts as colours.
/// Throws FileError.
Matching match_channels(const std::filesystem::path& a, const std::filesystem::path& b,
                        const ReadOptions& options);

}  // namespace sfumato::cli
