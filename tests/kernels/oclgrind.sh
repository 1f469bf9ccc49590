#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Every kernel of every filter under Oclgrind: data races, accesses out of bounds, wrong results.
# Fails if the program does, or if Oclgrind reports anything.
# Usage: oclgrind.sh OCLGRIND SMALL_KERNELS
#
# Oclgrind 21.10 cannot be used with --uninitialized here: it crashes where a vector is made of
# narrower ones, and reports initialised memory once a buffer is used again.
set -u
oclgrind=$1
program=$2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
for form in cpu gpu; do
  # Each form within its own limit of local memory. It knows no llvm.experimental.noalias.scope.decl,
  # which inlining the GPU form's structs leaves behind.
  memory=1048576
  options=(--build-options "-DUNDER_OCLGRIND")
  if [ $form = gpu ]; then
    memory=49152
    options=(--build-options "-cl-opt-disable")
  fi
  SFUMATO_TEST_FORM=$form "$oclgrind" --data-races --local-mem-size $memory "${options[@]}" \
    --log "$log" "$program" || status=1
  if [ -s "$log" ]; then
    echo "Oclgrind reports, in the $form form:"
    head -n 60 "$log"
    status=1
  fi
done
exit $status
