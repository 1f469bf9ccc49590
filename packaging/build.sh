#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Configures and builds a preset in build/PRESET, showing progress. Continues an interrupted build,
# but starts over after a change of compiler, folder or options.
# Usage: packaging/build.sh PRESET [-DNAME=VALUE...] [TARGET...]
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
. packaging/progress.sh

preset=${1:?usage: packaging/build.sh PRESET [-DNAME=VALUE...] [TARGET...]}
shift
options=()
targets=()
for word in "$@"; do
  case "$word" in
    -D*) options+=("$word") ;;
    *) targets+=("$word") ;;
  esac
done

build=build/$preset
mkdir -p build
exec 7>"build/$preset.lock"
flock -n 7 || {
  echo "Waiting for another build in $PWD/$build"
  flock 7
}
for program in cmake ninja; do
  command -v "$program" >/dev/null || {
    echo "packaging/build.sh: there is no $program; packaging/install-deps.sh run installs it" >&2
    exit 1
  }
done
read -ra compiler <<<"${CXX:-c++}"
compiled_by=$("${compiler[@]}" --version 2>/dev/null) || {
  echo "packaging/build.sh: there is no C++ compiler (${CXX:-c++})" >&2
  exit 1
}
made_by="$PWD
${compiled_by%%$'\n'*}
$(cmake --version)
${options[*]-}"
if [ -d "$build" ] && [ "$(cat "$build/made_by" 2>/dev/null)" != "$made_by" ]; then
  echo "$build was not finished, or made by other tools or options: it is rebuilt from scratch"
  rm -rf "$build"
fi

# When a build runs out of disk space, the compiler's messages hide the reason.
mkdir -p "$build"
free=$(df --output=avail -m "$build" | tail -n 1)
if [ "$free" -lt 600 ] && [ ! -e "$build/built_once" ]; then
  echo "packaging/build.sh: building takes 600 MB, and there are $free MB left in $PWD" >&2
  exit 1
fi
if [ ! -e "$build/made_by" ]; then
  show_progress "Configuring" cmake --fresh --preset "$preset" "${options[@]}" || exit 1
  printf '%s\n' "$made_by" >"$build/made_by"
fi

# A compiler process takes up to 1 GiB of memory.
jobs=$(nproc)
available=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
[ "$available" -ge "$jobs" ] || jobs=$((available > 0 ? available : 1))
show_progress "Building" cmake --build "$build" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$jobs}" \
  ${targets[@]+--target "${targets[@]}"} || exit 1
touch "$build/built_once"
