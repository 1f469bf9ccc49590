#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Runs a program under Oclgrind; fails if it does, or if Oclgrind reports anything.
# Usage: oclgrind.sh OCLGRIND PROGRAM [ARGUMENTS]
set -u
oclgrind=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$oclgrind" --data-races --uninitialized --log "$log" "$@"
status=$?
if [ -s "$log" ]; then
  echo "Oclgrind reports:"
  head -n 60 "$log"
  exit 1
fi
exit $status
