// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// See Intel's optimization manual on mixing SSE and AVX code.
#include "image/vector_state.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace sfumato {

#if defined(__x86_64__) && defined(__GNUC__)
namespace {

__attribute__((target("avx"))) void zero_upper() noexcept {
  _mm256_zeroupper();
}

}  // namespace

void reset_vector_state() noexcept {
  static const bool has_avx = __builtin_cpu_supports("avx") != 0;
  if (has_avx) zero_upper();
}
#else
void reset_vector_state() noexcept {}
#endif

}  // namespace sfumato
