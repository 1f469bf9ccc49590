// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The weights that turn colour to gray. Sources: ITU-R BT.601 and BT.709 luma; the mean; and those
// of the Night Vision article in ShaderX2 (2003), where blue is printed as 0.1 but must be 0.11 for
// the sum to be 1.
#pragma once

#include <array>

#include "params/parameter_set.hpp"

namespace sfumato {

/// The parameter `weights` with all its choices.
Parameter weights_word();

/// The chosen weights of red, green and blue, and 0; they sum to 1.
std::array<float, 4> gray_weights(const Values& values);

}  // namespace sfumato
