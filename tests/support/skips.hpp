// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Skips of tests for want of something that a machine may lack.
#pragma once

#include <QTest>

/// Whether this build has a sanitizer, which uses memory and descriptors of its own.
#ifdef SFUMATO_SANITIZED
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// QSKIP, saying what is missing; a failure if SFUMATO_TEST_NO_SKIP is set, as where all tests must
/// run. Not for tests that rightly do not apply.
#define SKIP_WITHOUT(what)                                                          \
  do {                                                                              \
    if (qEnvironmentVariableIsSet("SFUMATO_TEST_NO_SKIP")) QFAIL("missing: " what); \
    QSKIP("missing: " what);                                                        \
  } while (false)
