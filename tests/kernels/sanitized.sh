#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Every kernel's CPU form with Clang's sanitizers, on memory that is exactly as large as asked for:
#   sanitized.sh address|memory CLANG PROJECT CACHE PARTS...
# PARTS are the objects and libraries of small_kernels, which is linked again with the sanitizer's
# functions. Before the kernels, mistakes that are planted must be found.
set -euo pipefail
kind=$1 clang=$2 project=$3 cache=$4
shift 4
planted=(GLOBAL_BEHIND GLOBAL_BEFORE LOCAL_BEHIND PRIVATE_BEHIND OVERFLOWN)
sanitizers=address,undefined
if [ "$kind" = memory ]; then
  planted=(GLOBAL_UNKNOWN LOCAL_UNKNOWN PRIVATE_UNKNOWN)
  sanitizers=memory
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() { # KERNELS OUTPUT
  python3 "$project/packaging/native_kernels.py" --clang "$clang" --kernels "$1" \
    --prelude "$project/cl/native/prelude.clh" --include "$project/core" --march x86-64-v3 \
    --sanitize "$sanitizers" --cache "$cache" --output "$2"
}
"$clang" --driver-mode=g++ "-fsanitize=$sanitizers" -o "$work/small_kernels" "$@"
compile "$project/tests/kernels/planted" "$work/planted.so"

# Only the kernels are compiled with it: what others write is known.
export MSAN_OPTIONS=poison_in_malloc=0:poison_in_free=0:intercept_memcmp=0:intercept_strlen=0
MSAN_OPTIONS+=:intercept_strchr=0:intercept_tls_get_addr=0
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1

"$work/small_kernels" --planted "$work/planted.so" RIGHT
for mistake in "${planted[@]}"; do
  if "$work/small_kernels" --planted "$work/planted.so" "$mistake" > "$work/said" 2>&1 ||
    ! grep -Eq "Sanitizer|runtime error" "$work/said"; then
    cat "$work/said"
    echo "the sanitizer does not find $mistake"
    exit 1
  fi
done

compile "$project/cl" "$work/kernels.so"
"$work/small_kernels" --native "$work/kernels.so" > "$work/said" 2>&1 || {
  tail -n 60 "$work/said"
  exit 1
}
tail -n 1 "$work/said"
