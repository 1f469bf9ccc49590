#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# A filter's room without its counterpart stops the configure step with a message that names it; a
# pair of rooms is found without being listed anywhere. So is a preset, whose name must be typeable.
# Usage: filter_pairs.sh SOURCE_FOLDER
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree/packaging" "$work/tree/tests"
cp -r "$source"/{CMakeLists.txt,core,cl} "$work/tree/"
cp -r "$source/packaging/cmake" "$work/tree/packaging/"
cp -r "$source"/tests/{kernels,support} "$work/tree/tests/"
failed=0

configure() {
  cmake -S "$work/tree" -B "$work/build" -DSFUMATO_IO=OFF -DSFUMATO_CLI=OFF -DSFUMATO_TESTS=OFF \
    -DSFUMATO_BENCH=OFF -DSFUMATO_HOSTS=OFF >"$work/log" 2>&1
}
# A message may be broken over several lines.
says() {
  tr -s ' \n' '  ' <"$work/log" | grep -qF "$1"
}
check() {
  if "${@:2}"; then echo "ok: $1"; else
    echo "FAILED: $1"
    cat "$work/log"
    failed=1
  fi
}
refuses() {
  ! configure && says "$1"
}
lists_ripple() {
  configure && grep -q '"ripple"' "$work/build/core/kernels/registry_table.cpp"
}

check "the tree as it is" configure

filters=$work/tree/core/filters
kernels=$work/tree/cl
mkdir "$filters/ripple"
cp "$filters/grayscale/grayscale.cpp" "$filters/ripple/ripple.cpp"
check "a filter without kernels" refuses \
  "The filter core/filters/ripple has no kernels: cl/ripple/ripple.cl is missing."

mkdir "$kernels/ripple"
cp "$kernels/grayscale/grayscale.cl" "$kernels/ripple/ripple.cl"
check "a pair is found" lists_ripple

mv "$filters/ripple/ripple.cpp" "$filters/ripple/plan.cpp"
check "a room without its filter" refuses \
  "The room core/filters/ripple has no filter: ripple.cpp is missing in it."

rm -r "$filters/ripple"
check "kernels without a filter" refuses \
  "The kernels cl/ripple have no filter: core/filters/ripple/ripple.cpp is missing."

rm -r "$kernels/ripple"
embeds_ripple() {
  configure && grep -rqE 'IDS=[a-z0-9_,]*,ripple,' "$work/build/core/CMakeFiles"
}
cp "$work/tree/core/presets/sepia.json" "$work/tree/core/presets/ripple.json"
check "a preset is found" embeds_ripple

mv "$work/tree/core/presets/ripple.json" "$work/tree/core/presets/Ripple 2.json"
check "a preset with a name that is no id" refuses \
  "The preset core/presets/Ripple 2.json has no snake_case name."
exit $failed
