#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs what is missing, builds with warnings as errors, and runs every test, then those of the
# core again under the address and undefined-behaviour sanitizers.
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

echo "== sanitizers"
cmake --preset asan -DSFUMATO_BENCH=OFF
cmake --build --preset asan
# OpenCL drivers and OpenImageIO keep memory to the end and are not built with sanitizers; one form
# of the kernels is enough here, since it is our own code that is watched.
ASAN_OPTIONS=detect_leaks=0 SFUMATO_TEST_FORM=cpu \
  ctest --preset asan --no-tests=error -LE slow
