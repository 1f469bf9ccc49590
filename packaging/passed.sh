# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Sourced by scripts whose tests need not run where nothing that they depend on has changed since
# they passed. What passed is kept in ~/.cache/sfumato-tests/passed, one file for each stage.
passed=${XDG_CACHE_HOME:-$HOME/.cache}/sfumato-tests/passed

# inputs_of PATHSPEC...: a digest of these files as they lie here (texts about the project are left
# out), of the packages installed, of what the environment asks of the tests, and of the week, since
# Debian mends its packages and some tests run those of a root of its own.
inputs_of() {
  {
    date +%G-%V
    echo "${SFUMATO_TEST_ALL:-}"
    dpkg-query -W 2>/dev/null
    git ls-files -co --exclude-standard -z -- "$@" ':!*.md' ':!.ci' ':!LICENSE' \
      ':!tests/bench/plots' | sort -z | xargs -0 sha256sum
  } | sha256sum | cut -d' ' -f1
}

# unless_passed STAGE COMMAND PATHSPEC...: runs COMMAND unless it passed with the same inputs, or
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
  # Not where something was edited meanwhile.
  [ "$(inputs_of "$@")" = "$before" ] || return 0
  mkdir -p "$passed"
  echo "$before" >"$passed/$stage"
}
