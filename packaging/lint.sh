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
. packaging/passed.sh

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
  sed -n 's/^ *"file": "\(.*\)",*$/\1/p' build/lint/compile_commands.json | sort -u |
    grep -E "^$PWD/((core|plugins|gui)/|build/lint/(core|plugins|gui)/.*/Unity/).*\.(cpp|cxx)$" |
    tidy --checks='-*,readability-function-cognitive-complexity,readability-function-size' \
      --extra-arg=-w --header-filter="^$PWD/(core|plugins|gui)/"
}

case ${1:-} in
  "") all_checks ;;
  --complexity)
    unless_passed "complexity" complexity .clang-tidy CMakeLists.txt CMakePresets.json \
      packaging/lint.sh packaging/cmake core plugins gui
    ;;
  *)
    sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2
    exit 2
    ;;
esac
