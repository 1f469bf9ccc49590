# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Sourced by scripts whose tests need not run again if nothing they depend on has changed since they
# passed. ~/.cache/sfumato-tests/passed records passed tests, one file per stage.
passed=${XDG_CACHE_HOME:-$HOME/.cache}/sfumato-tests/passed

# inputs_of PATHSPEC...: a digest of these files in the working tree (except texts about the
# project), the installed packages, the environment variables for the tests, and the week, since
# Debian updates packages and some tests use those of a root of their own.
inputs_of() {
  {
    date +%G-%V
    echo "${SFUMATO_TEST_ALL:-}"
    dpkg-query -W 2>/dev/null
    git ls-files -co --exclude-standard -z -- "$@" ':!*.md' ':!.ci' ':!LICENSE' \
      ':!tests/bench/plots' | sort -z | xargs -0 sha256sum
  } | sha256sum | cut -d' ' -f1
}

# unless_passed STAGE COMMAND PATHSPEC...: runs COMMAND unless it passed with the same inputs, or if
# `always` is set.
unless_passed() {
  local stage=$1 command=$2 before
  shift 2
  before=$(inputs_of "$@")
  if [ -z "${always:-}" ] && [ "$(cat "$passed/$stage" 2>/dev/null)" = "$before" ]; then
    echo "== $stage: nothing has changed since this passed"
    return
  fi
  "$command"
  # Not recorded if something was edited meanwhile.
  [ "$(inputs_of "$@")" = "$before" ] || return 0
  mkdir -p "$passed"
  echo "$before" >"$passed/$stage"
}
