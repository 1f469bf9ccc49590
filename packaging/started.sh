# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Sourced by scripts that start programs and wait for them: a folder $work and the processes in
# $started, which end with the script; wait_until, which calls the script's own fail MESSAGE.
work=$(mktemp -d)
started=()
finish() {
  local pid i
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  # A host with an open dialog may wait for it forever.
  for ((i = 0; i < 50; ++i)); do
    kill -0 "${started[@]}" 2>/dev/null || break
    sleep 0.1
  done
  for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT
# wait_until SECONDS WHAT COMMAND...: retries the command until it succeeds.
wait_until() {
  local seconds=$1 what=$2 i
  shift 2
  for ((i = 0; i < 10 * seconds; ++i)); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "$what did not come about"
}
