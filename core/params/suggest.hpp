// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The nearest known name to one that is not known, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato {

/// Edits between two texts: insertions, deletions, replacements and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name nearest to `given` (letter case aside, `-` and `_` alike), or one that it begins
/// or that begins it; empty if none is near enough to be meant.
std::string nearest_name(std::string_view given, const std::vector<std::string>& known);

/// `; did you mean "sigma"?` for the nearest name, or nothing.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);

/// `given` without what would command a terminal: control characters and invalid UTF-8 are
/// replaced.
std::string printable(std::string_view given);

/// `given` for a message: quoted, control characters and invalid UTF-8 replaced, long text cut.
std::string in_quotes(std::string_view given);

}  // namespace sfumato
