#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Shows whether tests notice faults: puts small ones into the core and the kernels, one at a time, in
# copies of the committed tree, builds each and runs the core's tests until one fails. The same SEED
# gives the same faults. build/mutants/results has a line for each: what became of it, the tests that
# noticed it, the fault, its place. Stopped and started again, it goes on from there; survivors whose
# lines are taken out are tried again. Faults that packaging/equivalent-faults.txt explains count as
# neither. Fails where fewer than 95 of 100 others are noticed.
# Usage: packaging/mutate.sh [COUNT [SEED [TREES]]]     a fault takes a minute or two in each tree
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."

count=${1:-100} seed=${2:-1} trees=${3:-1}
work=$PWD/build/mutants results=$PWD/build/mutants/results
jobs=$((($(nproc) + trees - 1) / trees))
export QT_QPA_PLATFORM=offscreen QTEST_FUNCTION_TIMEOUT=3600000 POCL_MAX_PTHREAD_COUNT=$jobs
unset SFUMATO_DEVICE SFUMATO_TEST_DEVICE SFUMATO_TEST_FORM

# Tests may change between two runs, but not the code that the faults are in.
commit=$(git rev-parse HEAD)
code="$(git rev-parse HEAD:core HEAD:cl | paste -sd ' ') $seed"
mkdir -p "$work"
if [ "$(cat "$work/code" 2>/dev/null)" != "$code" ]; then
  rm -f "$results" && echo "$code" >"$work/code"
fi
touch "$results"

# enter N: from here on in that tree, whose caches are its own.
enter() {
  place=$work/$1 tree=$work/$1/tree build=$work/$1/build log=$work/$1/log
  mkdir -p "$place/home"
  export HOME=$place/home XDG_CACHE_HOME=$place/home/cache POCL_CACHE_DIR=$place/pocl
}

# restore FILE: takes the fault out.
restore() {
  git show "$commit:$1" >"$tree/$1"
}

# built: whether the tree compiles, warnings aside.
built() {
  cmake --build "$build" -j "$jobs" >"$log" 2>&1
}

# prepare N: the tree is the commit's and is built.
prepare() {
  enter "$1"
  if [ "$(cat "$place/commit" 2>/dev/null)" != "$commit" ]; then
    rm -rf "$tree" && mkdir "$tree"
    git archive "$commit" | tar -x -C "$tree"
    echo "$commit" >"$place/commit"
  elif [ -s "$place/fault" ]; then
    restore "$(cut -f 1 "$place/fault")"
  fi
  : >"$place/fault"
  cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DSFUMATO_UNITY=OFF -DSFUMATO_IO=OFF -DSFUMATO_CLI=OFF -DSFUMATO_GUI=OFF -DSFUMATO_HOSTS=OFF \
    -DSFUMATO_BENCH=OFF >"$place/configure.log"
  built || { tail -30 "$log" && exit 1; }
}

# tests ARGUMENT...: those that are chosen, until one fails.
tests() {
  ctest --test-dir "$build" --no-tests=ignore --stop-on-failure -j "$jobs" --timeout "$limit" "$@" \
    >>"$log" 2>&1
}

# program PATH ROW...: a test for some of its rows, or all.
program() {
  timeout "$limit" "$build/$1" "${@:2}" >>"$log" 2>&1 ||
    { printf '\t0 - %s\n' "${1##*/}" >>"$log" && false; }
}

# pass FILE: whether all tests do, first those of the file's own room, then fast ones. What lies in a
# filter's room is no other filter's: their tests are left out for it. What they share may write
# beyond its memory in any of them.
pass() {
  local folder=${1%/*} name own others checked rows=() later='^(test_every_filter|oclgrind_.*)$'
  name=${folder##*/}
  checked=$name
  [[ $folder != */shared* ]] || checked='.*'
  own="(^|/)$name\$" others=$own
  : >"$log"
  if [ -e "$tree/cl/$name/$name.cl" ]; then program bin/small_kernels "$name" || return; fi
  tests -L "$own" -E "$later" || return
  if [[ -e $tree/cl/$name/$name.cl && $folder != */shared/* ]]; then
    others='^filters/[^/]*$'
    mapfile -t rows < <("$build/tests/test_every_filter" -datatags |
      awk -v id="$name" '$3 == id {print $2 ":" id}')
    program tests/test_every_filter "${rows[@]}" || return
  fi
  tests -LE "slow|$own" -E "$later" && tests -L slow -LE "$others" -E "$later" &&
    { [ ${#rows[@]} -gt 0 ] || program tests/test_every_filter; } && tests -R "^oclgrind_${checked}_"
}

# next_fault: prints the first that nobody has judged or has in work; fails where those are enough.
# Some do not compile: others take their place, the same with any number of trees.
next_fault() {
  exec 9>"$work/lock" && flock 9
  for n in $(seq "$trees"); do cat "$work/$n/fault"; done >"$work/in_work"
  [ "$(cat "$results" "$work/in_work" | grep -cv '^does not compile')" -lt "$count" ] || return
  cut -f 3-6 "$results" >>"$work/in_work"
  grep -m 1 -vxFf "$work/in_work" "$work/faults" | tee "$place/fault"
}

# try_faults N: one after the other in that tree.
try_faults() {
  enter "$1"
  local fault line verdict
  while fault=$(next_fault); do
    line=$(packaging/mutations.py put "$tree" "$fault")
    if grep -qxF "${fault%%$'\t'*}: ${line#*: }" "$tree/packaging/equivalent-faults.txt"; then
      verdict=equivalent$'\t'
    elif ! built; then
      verdict="does not compile"$'\t'
    elif pass "${fault%%$'\t'*}"; then
      verdict=survived$'\t'
    else
      verdict=noticed$'\t'$(sed -nE 's/^\t *[0-9]+ - //p' "$log" | paste -sd ,)
    fi
    cp "$log" "$place/last_log"
    restore "${fault%%$'\t'*}"
    flock "$work/lock" tee -a "$results" <<<"$verdict"$'\t'"$fault"$'\t'"$line"
    : >"$place/fault"
  done
}

# in_all FUNCTION: in every tree at the same time; all must succeed.
in_all() {
  local n running=()
  for n in $(seq "$trees"); do
    "$1" "$n" &
    running+=($!)
  done
  for n in "${running[@]}"; do wait "$n"; done
}

in_all prepare
enter 1
packaging/mutations.py list "$tree" "$((count * 2))" "$seed" >"$work/faults"
if [ "$(cut -f 1 "$work/clean" 2>/dev/null)" != "$commit" ]; then
  echo "testing without a fault"
  : >"$log"
  limit=3600 jobs=$(nproc) tests -E '^oclgrind_' || { tail -30 "$log" && exit 1; }
  # What takes several times as long as the longest of them runs for ever. What the driver has
  # compiled serves every tree.
  limit=$(sed -nE 's/.* Passed +([0-9]+)\..*/\1/p' "$log" | sort -n | tail -n 1)
  for n in $(seq 2 "$trees"); do cp -r "$POCL_CACHE_DIR" "$work/$n"; done
  printf '%s\t%s\n' "$commit" "$((60 + 4 * limit))" >"$work/clean"
fi
limit=$(cut -f 2 "$work/clean")
in_all try_faults
lines_of() { grep -c "^$1" "$results" || true; }
found=$(lines_of noticed) survived=$(lines_of survived)
echo "$found of $((found + survived)) noticed, $(lines_of equivalent) more change nothing"
[ "$((found * 100))" -ge "$(((found + survived) * 95))" ]
