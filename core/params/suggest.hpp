// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The nearest known name to an unknown one, for "did you mean".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato {

/// Edit distance: insertions, deletions, replacements and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name nearest to `given`, ignoring letter case and `-` versus `_`; also matches
/// prefixes in either direction. Empty if no name is close enough.
std::string nearest_name(std::string_view given, const std::vector<std::string>& known);

/// `; did you mean "sigma"?` for the nearest name, or an empty string.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);

/// `given` made safe for a terminal: control characters and invalid UTF-8 are replaced.
std::string printable(std::string_view given);

/// `given` for a message: quoted, made safe as by printable(), and shortened if long.
std::string in_quotes(std::string_view given);

}  // namespace sfumato
