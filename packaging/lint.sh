#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# clang-tidy over the core's and the command line's own sources, with the Clang build's commands.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files 'core/*.cpp' 'plugins/*.cpp' | grep -v 'core/device/fft.cpp' |
  xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/clang 2>/dev/null
