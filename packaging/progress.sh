# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Sourced by scripts: long commands that show their progress.

# end_group ID COMMAND: ends the processes of a group, even root's, and waits for them.
end_group() {
  if [ "$2" = sudo ]; then
    sudo -n kill -TERM -- "-$1" 2>/dev/null || true
  else
    kill -TERM -- "-$1" 2>/dev/null || true
  fi
  wait "$1" 2>/dev/null || true
}

# new_log: prints the name of an empty file for a command's output, on a disk with free space.
new_log() {
  local folder free
  for folder in "${TMPDIR:-/tmp}" /tmp /var/tmp .; do
    free=$(df --output=avail -m "$folder" 2>/dev/null | tail -n 1)
    [ "${free:-0}" -lt 16 ] || ! mktemp -p "$folder" sfumato-log.XXXXXX 2>/dev/null || return 0
  done
  echo "there is nowhere to write what commands print: TMPDIR, /tmp and /var/tmp are full or read-only" >&2
  return 1
}

# show_progress WHAT COMMAND...: runs the command and prints one short line every three seconds:
# WHAT, the elapsed seconds, and the last line of the command's output. On a terminal the line
# replaces the one before. If the command fails, its last lines are printed to stderr. Returns the
# command's status.
show_progress() {
  local what=$1 log status=0 pid last seconds start=$SECONDS
  shift
  log=$(new_log) || return 1
  # A group of its own, which ends as a whole if this script is interrupted.
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  set +m
  trap 'end_group "$pid" "$1"; rm -f "$log"; exit 130' HUP INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
      sleep 0.25
      kill -0 "$pid" 2>/dev/null || break 2
    done
    last=$(tail -c 400 "$log" | tr '\r' '\n' | grep -v '^ *$' | tail -n 1 | cut -c 1-100 || true)
    seconds=$((SECONDS - start))
    if [ -t 1 ]; then
      printf '\r\033[K%s (%d s) %.70s' "$what" "$seconds" "$last"
    else
      printf '%s (%d s) %s\n' "$what" "$seconds" "$last"
    fi
  done
  wait "$pid" || status=$?
  trap - HUP INT TERM
  [ ! -t 1 ] || printf '\r\033[K'
  if [ "$status" -eq 0 ]; then
    printf '%s: done (%d s)\n' "$what" $((SECONDS - start))
  else
    printf '%s: failed (%d s)\n' "$what" $((SECONDS - start))
    tail -n 40 "$log" >&2
  fi
  rm -f "$log"
  return "$status"
}
