#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Runs clang-tidy on the sources of the core, the plug-ins and the windows, with Clang's compile
# commands.
# Usage: packaging/lint.sh                each file by itself, with all checks: takes its time
#        packaging/lint.sh --complexity   only the length, nesting and complexity of functions; ten files
#                                         at once, as compiled, skipping files that passed before
set -euo pipefail
cd "$(dirname "$0")/.."

command -v clang-tidy >/dev/null || {
  echo "packaging/lint.sh: there is no clang-tidy here; install it" >&2
  exit 1
}

# tidy OPTION...: clang-tidy on the files named on standard input.
tidy() {
  xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build/lint "$@" 2>/dev/null
}

all_checks() {
  cmake --preset clang -B build/lint -DSFUMATO_UNITY=OFF >/dev/null
  git ls-files 'core/*.cpp' 'plugins/*.cpp' 'gui/*.cpp' | grep -v 'core/device/fft.cpp' | tidy
}

complexity() {
  cmake --preset clang -B build/lint -DSFUMATO_UNITY=ON >/dev/null
  cmake --build build/lint --target core/presets_table.cpp core/tuning_table.cpp >/dev/null
  packaging/complexity.py build/lint
}

case ${1:-} in
  "") all_checks ;;
  --complexity) complexity ;;
  *)
    sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2
    exit 2
    ;;
esac
