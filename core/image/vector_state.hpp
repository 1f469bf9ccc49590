// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Vector registers as code for every processor of the architecture expects them.
#pragma once

namespace sfumato {

/// Ends the use of the upper halves of AVX registers, which libraries may leave in use (painting
/// by Qt does) and which new threads inherit. As long as they are in use, every step between our
/// instructions (SSE) and those of the mathematical functions (VEX) is slow: exp() was seen at 159
/// ns instead of 7. Nearly free; nothing where the processor has no AVX.
void reset_vector_state() noexcept;

}  // namespace sfumato
