#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs what is missing, builds with warnings as errors, and runs every test; then, built by
# Clang, all but the slowest under the address and undefined-behaviour sanitizers; then the core
# alone, and what of it runs on several threads under the thread sanitizer.
# Usage: packaging/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-deps.sh test

# Settings of the caller's must not leak into the tests.
unset SFUMATO_DEVICE SFUMATO_TEST_DEVICE SFUMATO_TEST_FORM
export QT_QPA_PLATFORM=offscreen

echo "== build and test"
cmake --preset ci
cmake --build --preset ci
ctest --preset ci --no-tests=error

echo "== Clang: addresses and undefined behaviour"
cmake --preset asan -DSFUMATO_BENCH=OFF -DSFUMATO_GUI=OFF
cmake --build --preset asan
ctest --preset asan --no-tests=error

echo "== the core alone, and its threads"
# What runs on several threads: sessions, devices, the C interface.
cmake --preset tsan -DSFUMATO_IO=OFF -DSFUMATO_CLI=OFF
cmake --build --preset tsan --target sfumato-bench test_engine test_fallback test_abi
# Qt's own threads are not built for this: a report counts if our code is in it.
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
TSAN_OPTIONS="exitcode=0 log_path=$reports/race" ctest --preset tsan --no-tests=error \
  -R '^test_(engine|fallback|abi)$'
if grep -lsq 'sfumato::' "$reports"/race*; then
  cat "$reports"/race*
  exit 1
fi
