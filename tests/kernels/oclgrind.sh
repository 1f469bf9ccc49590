#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Runs a filter's kernels under Oclgrind to detect data races, reads of unwritten memory, accesses
# out of bounds and wrong results. Fails if the program does, or if Oclgrind reports anything. It
# is skipped if the kernels, the code that launches them and the tests are unchanged since it
# passed (~/.cache/sfumato-tests).
# Usage: oclgrind.sh OCLGRIND SMALL_KERNELS SOURCES cpu|gpu FILTER|transforms
#
# Conditions for a correct check of uninitialised memory (21.10):
# - UNDER_OCLGRIND: cl/shared/vectors.clh builds vectors lane by lane, and the padding of rows is
#   set where it would be read;
# - no optimisation, which would turn that back into shuffles, and leaves intrinsics behind that
#   Oclgrind does not know;
# - small_kernels uses new buffers only: of a reused one, Oclgrind remembers the size of the host's
#   first write, and takes everything after it for uninitialised.
set -uo pipefail
oclgrind=$1
program=$2
sources=$3
form=$4
filter=$5
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0

# The embedded kernels, the sources that launch and test them (of the filters' own files only those
# of this one), the build options, and the libraries that create or run kernels.
cases=$sources/tests/filters/$filter/cases.json
files() {
  find "$build"/core/kernels -name 'engine_*.cl' -o -name gaussian.cl -o -name "$filter.cl" &&
    find "$sources"/core "$sources"/tests/kernels "$sources"/tests/support "$sources"/packaging/cmake \
      -type f \( -not -path '*/core/filters/*/*' -o -path '*/core/filters/shared/*' -o \
      -path "*/core/filters/$filter/*" \) \
      -not -path '*/core/io/*' -not -path '*/core/batch/*' -not -name de.json &&
    { [ ! -e "$cases" ] || echo "$cases"; }
}
build=$(cd "$(dirname "$program")/.." && pwd) || exit 1
inputs=$( (
  set -e
  "$oclgrind" --version
  dpkg-query -W libvkfft-dev 'libllvm*' 'liboclgrind*' 2>/dev/null || true
  echo "$form $filter ${SFUMATO_TEST_ALL:-}"
  grep '^CMAKE_BUILD_TYPE\|^CMAKE_CXX_FLAGS\|^SFUMATO_' "$build/CMakeCache.txt"
  files | LC_ALL=C sort | xargs -d '\n' sha256sum
) | sha256sum | cut -d' ' -f1) || exit 1
passed=${XDG_CACHE_HOME:-$HOME/.cache}/sfumato-tests/oclgrind/$inputs
# A program older than its sources proves nothing about them.
stale=$(files | while IFS= read -r file; do [ ! "$file" -nt "$program" ] || echo "$file"; done)
if [ -e "$passed" ] && [ -z "$stale" ]; then
  echo "Passed before, and nothing has changed since."
  exit 0
fi

# The reports in $log except two kinds. VkFFT's kernels, which are not ours, are reported to use
# unwritten values at some small sizes; their results are compared instead. Oclgrind has no shadow
# memory for images and judges their samples by unrelated memory; `fetch` in gaussian/bilinear.clh
# passes each sample through copysign, where such reports may appear and end.
unexpected() {
  awk 'BEGIN { RS = ""; ORS = "\n\n" }
    /^[^\n]*[Uu]ninitialized/ && /\n\tKernel: VkFFT_main\n/ { next }
    /^Controlflow depends on uninitialized value\n/ &&
      /\n\tKernel: gaussian_image_(rows|columns)\n/ &&
      /\n\t +%[a-z0-9]+ = call spir_func <4 x float> @_Z8copysignDv4_fS_\(/ { next }
    { print }' "$log"
}

# Each form within its own limit of local memory.
memory=$([ "$form" = gpu ] && echo 49152 || echo 1048576)
SFUMATO_TEST_FORM=$form "$oclgrind" --data-races --uninitialized --max-errors 1000000 \
  --local-mem-size "$memory" --build-options "-cl-opt-disable -DUNDER_OCLGRIND" \
  --log "$log" "$program" "$filter" || status=1
if [ -n "$(unexpected | head -c 1)" ]; then
  echo "Oclgrind reports, in the $form form:"
  unexpected | head -n 60
  status=1
fi
if [ "$status" -eq 0 ] && [ -z "$stale" ]; then
  mkdir -p "$(dirname "$passed")" && touch "$passed"
fi
exit $status
