#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Whether the tests notice small faults: puts one after another into a copy of the core and its
# kernels, builds it, and runs the tests of what is below core/io and small_kernels. Says which
# faults nobody noticed. Takes minutes for each fault; begun again, it goes on where it ended.
# Usage: packaging/mutate.sh [COUNT [SEED]]   (100 faults, seed 1; build/mutate)
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
count=${1:-100}
seed=${2:-1}
work=$PWD/build/mutate
tree=$work/tree
mkdir -p "$work"
export QT_QPA_PLATFORM=offscreen QTEST_FUNCTION_TIMEOUT=600000

# The tree as it is here, without what was built; files keep their dates. Where the last run was
# ended, one was faulty.
rm -rf "$tree"
mkdir -p "$tree"
git ls-files -co --exclude-standard -z | tar -c --null -T - | tar -x -C "$tree"
[ ! -e "$work/faulty" ] || touch "$tree/$(cat "$work/faulty")"

build() {
  cmake --build "$work/build" >"$work/build.log" 2>&1
}

run_tests() {
  ctest --test-dir "$work/build" --no-tests=error --stop-on-failure -j 2 "$@" >"$work/tests.log" 2>&1
}

# Those that take longest come last: a fault that is noticed ends the run.
notice() {
  ! {
    run_tests -L '^(text|params|image|device|engine|filters/.*)$' -LE slow &&
      "$work/build/bin/small_kernels" >"$work/kernels.log" 2>&1 &&
      run_tests -L slow -E oclgrind
  }
}

cmake -S "$tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSFUMATO_IO=OFF \
  -DSFUMATO_CLI=OFF -DSFUMATO_GUI=OFF -DSFUMATO_HOSTS=OFF -DSFUMATO_BENCH=OFF >"$work/cmake.log"
build || {
  tail -n 20 "$work/build.log"
  exit 1
}
if notice; then
  echo "The tests fail without a fault: see $work/kernels.log and $work/tests.log." >&2
  exit 1
fi

# A fault a line: file, line, column, what stands there, what takes its place.
packaging/mutations.py "$tree" "$seed" >"$work/faults"
touch "$work/results"
tried=$(wc -l <"$work/results")
while IFS=$'\t' read -r file line column before after; do
  [ "$tried" -lt "$count" ] || break
  where="$file:$line:$column: $before -> $after"
  ! grep -qF -- "$where" "$work/results" "$work/uncompiled" 2>/dev/null || continue
  cp -p "$tree/$file" "$work/kept"
  echo "$file" >"$work/faulty"
  packaging/mutations.py "$tree" --apply "$file" "$line" "$column" "$before" "$after"
  if ! build; then
    echo "$where" >>"$work/uncompiled"  # no fault that could be delivered
  else
    tried=$((tried + 1))
    if notice; then verdict=noticed; else verdict=SURVIVED; fi
    echo "$verdict $where" | tee -a "$work/results"
  fi
  cp -p "$work/kept" "$tree/$file"
  touch "$tree/$file"
  rm "$work/faulty"
done <"$work/faults"

noticed=$(grep -c '^noticed' "$work/results" || true)
echo "$noticed of $tried faults were noticed."
grep '^SURVIVED' "$work/results" || true
[ $((noticed * 100)) -ge $((tried * 95)) ]
