// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The environment in which one call of the program fails (failing_calls.cpp).
#pragma once

#include <QStringList>

struct Failure {
  QString call;
  QString path = {};       ///< only calls about files whose paths contain this
  int at = 0;              ///< the number of the call, from 1; 0: every one
  int error = 0;           ///< 0: the call is cut short
  QString said = {};       ///< a file that is written to when the call has failed
  QString in = "sfumato";  ///< the program
};

/// For CliTest::run(); only the program that is named is concerned, not those that start it or that
/// it starts.
inline QStringList failing(const Failure& failure) {
  // Where the program is built with a sanitizer, its runtime does not come first.
  return {"LD_PRELOAD=" SFUMATO_FAILING_CALLS,
          "ASAN_OPTIONS=verify_asan_link_order=0:use_sigaltstack=0:detect_leaks=0",
          "SFUMATO_FAIL_IN=" + failure.in,
          "SFUMATO_FAIL_CALL=" + failure.call,
          "SFUMATO_FAIL_PATH=" + failure.path,
          "SFUMATO_FAIL_AT=" + QString::number(failure.at),
          "SFUMATO_FAIL_WITH=" +
              (failure.error == 0 ? QString("short") : QString::number(failure.error)),
          "SFUMATO_FAIL_SAID=" + failure.said};
}
