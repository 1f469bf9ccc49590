#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs what is missing, builds with warnings as errors, and runs every test.
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
