// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages about values that a parameter does not accept.
#pragma once

#include <string_view>

#include "params/parameter.hpp"
#include "text/message.hpp"

namespace sfumato {

/// A parameter by its name, or by its label in windows.
MessageValue named(const Parameter& parameter);
/// The same for a choice. Throws std::logic_error if there is none with this id.
MessageValue named(const Parameter& parameter, std::string_view choice);

/// A number with its unit: "2 px", "1 degree".
MessageValue with_unit(double value, Unit unit);

/// "give a number from 0 to 1000 px", with whichever limits the range has.
Message wanted_number(const Range& range, Unit unit);

/// "sigma: nan is not allowed; give a number from 0 to 1000 px".
Message not_allowed(const Parameter& parameter, MessageValue given, const Range& range);

/// "sigma: 2000 px is outside 0 to 1000 px"; `given` is the number as the user wrote it.
Message outside_range(const Parameter& parameter, MessageValue given, const Range& range);

/// "n: 9223372036854775808 is beyond what a number can hold; give a number of at least 0".
Message beyond_numbers(const Parameter& parameter, MessageValue given);

/// For a whole number that no integer holds; like outside_range() if the range has both limits.
Message beyond_integers(const Parameter& parameter, MessageValue given);

/// "sigma: its kind is real, not choice".
Message wrong_kind(const Parameter& parameter, Kind given);

}  // namespace sfumato
