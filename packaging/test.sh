#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs missing packages, builds with warnings as errors, and runs every test; then, built by
# Clang, all but the slowest under the address and undefined-behaviour sanitizers; then the core
# alone, with its multi-threaded parts under the thread sanitizer. Times of all tests are written to
# build/<preset>/junit.xml. A stage that passed with the same inputs is skipped; --always runs it.
# --each-once leaves out with GCC what the sanitizers run.
# Usage: packaging/test.sh [--always] [--without-sanitizers | --each-once]
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
. packaging/passed.sh

always= sanitizers=yes each_once=
for option; do
  case $option in
    --always) always=yes ;;
    --without-sanitizers) sanitizers= ;;
    --each-once) each_once=yes ;;
    *)
      sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2
      exit 2
      ;;
  esac
done
packaging/install-deps.sh test

# The caller's settings must not leak into the tests.
unset SFUMATO_DEVICE SFUMATO_TEST_DEVICE SFUMATO_TEST_FORM
export QT_QPA_PLATFORM=offscreen

# test_preset PRESET TITLE CTEST-OPTION...
test_preset() {
  local preset=$1 title=$2 status=0
  shift 2
  ctest --preset "$preset" --no-tests=error --output-junit "$PWD/build/$preset/junit.xml" "$@" ||
    status=$?
  packaging/test-times.py "$title" "build/$preset/junit.xml"
  return "$status"
}

all_tests() {
  echo "== build and test"
  # What tests need are packages, which are installed by now: none may be skipped for want of one.
  local -x SFUMATO_TEST_NO_SKIP=1
  cmake --preset ci
  cmake --build --preset ci
  test_preset ci GCC "$@"
}

configure_sanitized() {
  cmake --preset asan -DSFUMATO_BENCH=OFF -DSFUMATO_GUI=OFF
}

tests_without_sanitizers() {
  local names
  configure_sanitized
  names=$(ctest --preset asan -N | sed -n 's/^ *Test *#[0-9]*: //p' | paste -sd'|')
  all_tests --exclude-regex "^($names)\$"
}

sanitized_tests() {
  echo "== Clang: addresses and undefined behaviour"
  configure_sanitized
  cmake --build --preset asan
  test_preset asan "sanitizers"
}

# Multi-threaded tests: sessions, devices, the C interface. No unity build here, so that each file
# must include what it uses.
threads_tests() {
  echo "== the core alone, and its threads"
  cmake --preset tsan -DSFUMATO_IO=OFF -DSFUMATO_CLI=OFF -DSFUMATO_UNITY=OFF
  cmake --build --preset tsan --target sfumato-bench test_engine test_fallback test_abi
  # Qt's own threads are not built for this: a report counts only if our code is in it.
  reports=$(mktemp -d)
  trap 'rm -rf "$reports"' EXIT
  TSAN_OPTIONS="exitcode=0 log_path=$reports/race" test_preset tsan "threads" \
    -R '^test_(engine|fallback|abi)$'
  if grep -lsq 'sfumato::' "$reports"/race*; then
    cat "$reports"/race*
    exit 1
  fi
}

build=(CMakeLists.txt CMakePresets.json packaging core cl)
if [ -n "$each_once" ]; then
  unless_passed "tests without sanitizers" tests_without_sanitizers .
else
  unless_passed "all tests" all_tests .
fi
[ -z "$sanitizers" ] ||
  unless_passed "sanitizers" sanitized_tests "${build[@]}" plugins gui/translations tests ':!tests/gui'
unless_passed "threads" threads_tests "${build[@]}" ':!core/io' ':!core/batch' \
  tests/CMakeLists.txt tests/support tests/engine tests/abi tests/bench
