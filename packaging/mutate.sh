#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Shows whether tests notice faults: puts small ones into the core and the kernels, one at a time, in
# a copy of the committed tree, builds it and runs the core's tests until one fails. Prints what
# became of each fault; the same SEED gives the same faults. A fault takes a minute or two.
# Usage: packaging/mutate.sh [COUNT [SEED]]     results in build/mutants/results
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."

count=${1:-100} seed=${2:-1}
work=$PWD/build/mutants
tree=$work/tree build=$work/build
mkdir -p "$work"
rm -rf "$tree" && mkdir "$tree"
git archive HEAD | tar -x -C "$tree"
export QT_QPA_PLATFORM=offscreen QTEST_FUNCTION_TIMEOUT=600000
unset SFUMATO_DEVICE SFUMATO_TEST_DEVICE SFUMATO_TEST_FORM

cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DSFUMATO_UNITY=OFF -DSFUMATO_IO=OFF -DSFUMATO_CLI=OFF -DSFUMATO_GUI=OFF -DSFUMATO_HOSTS=OFF \
  -DSFUMATO_BENCH=OFF >"$work/configure.log"

# tests ARGUMENT...: those that are chosen, until one fails.
tests() {
  ctest --test-dir "$build" --stop-on-failure -j2 --timeout 600 "$@" >>"$work/tests.log" 2>&1
}

# noticed FILE: whether a test fails; those of the file's own room first, the slow ones last.
noticed() {
  local room
  room=$(basename "$(dirname "$1")")
  : >"$work/tests.log"
  ! { tests --no-tests=ignore -L "(^|/)$room\$" && tests -R '^(small_kernels|test_every_filter)$' &&
    tests -LE "(^|/)$room\$" -E '^(small_kernels|test_every_filter|oclgrind_.*)$'; }
}

# built: whether the tree compiles with the fault, warnings aside.
built() {
  cmake --build "$build" >"$work/build.log" 2>&1
}

echo "building"
built || { tail -30 "$work/build.log" && exit 1; }
echo "testing without a fault"
! noticed core/engine/none || { tail -30 "$work/tests.log" && exit 1; }

: >"$work/results"
found=0 survived=0
# Some do not compile: more are listed than are asked for.
while [ "$((found + survived))" -lt "$count" ] && IFS= read -r fault <&3; do
  file=${fault%%$'\t'*}
  place=$(packaging/mutations.py put "$tree" "$fault")
  what=$(cut -f 3,4 <<<"$fault" | sed "s/\t/' becomes '/")
  if ! built; then
    verdict="does not compile"
  elif noticed "$file"; then
    verdict="noticed" found=$((found + 1))
  else
    verdict="SURVIVED" survived=$((survived + 1))
  fi
  echo "$verdict: '$what' in $place" | tee -a "$work/results"
  git show "HEAD:$file" >"$tree/$file"
done 3< <(packaging/mutations.py list "$((count * 2))" "$seed")
echo "$found of $((found + survived)) noticed" | tee -a "$work/results"
