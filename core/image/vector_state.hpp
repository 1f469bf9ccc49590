// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Resets the vector registers to the state that compiled code expects.
#pragma once

namespace sfumato {

/// Clears the upper halves of the AVX registers, which libraries may leave dirty (Qt's painting
/// does) and which new threads inherit. While they are dirty, every transition between our SSE
/// instructions and the VEX code of the math library is slow: exp() took 159 ns instead of 7.
/// Almost free; does nothing on a processor without AVX.
void reset_vector_state() noexcept;

}  // namespace sfumato
