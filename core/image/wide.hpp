// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Functions that are compiled for wider vectors, too, and chosen when the program starts.
#pragma once

// Products and sums stay apart in both (-ffp-contract=off), so that the results are the same.
// Sanitizers start too late for such a choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SFUMATO_WIDE [[gnu::target_clones("avx2", "default")]]
#else
#define SFUMATO_WIDE
#endif

// What such functions call must become a part of each form.
#if defined(__GNUC__)
#define SFUMATO_PART [[gnu::always_inline]] inline
#else
#define SFUMATO_PART inline
#endif
