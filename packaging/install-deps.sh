#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs missing Debian packages without asking, as root or as a user with sudo. The lists are
# those of packaging/debian/control; no package is named here.
#   run      for building and running the command line, the worker and the editor
#   test     the same, plus the needs of .ci/run
#   hosts    for building the plug-ins and testing them in their hosts
#   package  for building and checking the Debian packages
# With SFUMATO_DEPS=present nothing is checked or installed.
# Usage: packaging/install-deps.sh run|test|hosts|package
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
. packaging/progress.sh

fail() { # LINE...
  printf 'packaging/install-deps.sh: ' >&2
  printf '%s\n' "$@" >&2
  exit 1
}

case "${1:-}" in
  run) profiles=nocheck,pkg.sfumato.nohosts,pkg.sfumato.nodoc ;;
  test) profiles=pkg.sfumato.ci,pkg.sfumato.hosttest,pkg.sfumato.nodoc ;;
  hosts) profiles=nocheck,pkg.sfumato.hosttest,pkg.sfumato.nodoc ;;
  package) profiles=nocheck,pkg.sfumato.package ;;
  *)
    echo "usage: packaging/install-deps.sh run|test|hosts|package" >&2
    exit 2
    ;;
esac
[ "${SFUMATO_DEPS:-}" != present ] || exit 0

# Build dependencies under the profiles: apt and dpkg read them from a folder with debian/control.
folder=$(mktemp -d 2>/dev/null || TMPDIR=/var/tmp mktemp -d) || fail "there is no room in TMPDIR or /var/tmp"
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/debian"
if [ "$1" = package ]; then
  cp packaging/debian/control "$folder/debian/control"
else
  sed '/^ debhelper-compat/d' packaging/debian/control >"$folder/debian/control"
fi

# Run dependencies: one set of alternatives per line, such as "mesa-opencl-icd | opencl-icd".
run_dependencies() {
  awk -v RS='' '/(^|\n)Package: sfumato(-editor)?(\n|$)/' packaging/debian/control |
    awk '/^(Depends|Recommends):/ { sub(/^[^:]*:/, ""); print }' | tr ',' '\n' |
    sed 's/([^)]*)//g; s/^ *//; s/ *$//' | grep -Ev '^(\$|sfumato|$)' | sort -u
}

# is_installed PACKAGE: whether it, or a package that provides it, is installed.
is_installed() {
  [ -n "${installed:-}" ] || installed=$(dpkg-query -W \
    -f='${db:Status-Status} ${Package}, ${Provides}\n' | sed -n 's/^installed / /p')
  grep -Eq "[ ,]$1(,| |\$)" <<<"$installed"
}

# The distribution in words, if it is not one that this was tried on.
unsupported() {
  local ID='' ID_LIKE='' VERSION_ID='' PRETTY_NAME='this system'
  [ ! -r /etc/os-release ] || . /etc/os-release
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "$PRETTY_NAME has no apt"
  elif [ "$ID" = debian ] && [ -n "$VERSION_ID" ] && [ "${VERSION_ID%%.*}" -lt 12 ]; then
    echo "$PRETTY_NAME is too old"
  elif [ "$ID" != debian ] && ! printf '%s' " $ID_LIKE " | grep -q ' debian '; then
    echo "$PRETTY_NAME is not Debian"
  fi
}

why=$(unsupported)
if [ -n "$why" ]; then
  fail "$why; Sfumato is made for Debian 12 and 13." \
    "Elsewhere, install by hand what packaging/debian/control names under Build-Depends" \
    "(g++ 12 or later, CMake 3.25, Ninja, OpenCL headers, OpenImageIO 2.4, Qt 6.4, ...)," \
    "then run this again with SFUMATO_DEPS=present in the environment."
fi

missing=()
while read -r line; do
  found=
  for alternative in ${line//|/ }; do
    ! is_installed "$alternative" || found=yes
  done
  [ -n "$found" ] || missing+=("${line%% *}")
done < <(run_dependencies)
[ "$1" != package ] || missing=()

# Without dpkg-dev, nothing can have been built here.
built_from=missing
if command -v dpkg-checkbuilddeps >/dev/null &&
  dpkg-checkbuilddeps -P "$profiles" "$folder/debian/control" 2>/dev/null; then
  built_from=there
fi
[ "$built_from" = missing ] || [ ${#missing[@]} -gt 0 ] || exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "packages are missing: please run it once as root, or install sudo"
  sudo=(sudo)
  # If sudo needs a password, asks for it before doing anything.
  sudo -v || fail "packages are missing, and sudo does not let this user install them"
fi
apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -y
  -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold)
# Completes an interrupted installation first.
if [ -n "$(dpkg --audit 2>/dev/null)" ]; then
  show_progress "Finishing an interrupted installation" \
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --configure -a --force-confdef --force-confold
fi
# A third-party archive that does not answer must not stop this: the lists may be good enough.
show_progress "Fetching the lists of packages" "${apt[@]}" -o APT::Update::Error-Mode=any update ||
  echo "The lists of packages could not all be fetched; trying with those that are there."
no_packages="packages could not be installed; apt's reason is above. Where it could not fetch them: is
there a network, is there room on the disk, and are Debian's archives in /etc/apt? Where a version is
too old: Sfumato is made for Debian 12 and 13. What was done so far is kept: run the same command again."
if [ "$built_from" = missing ]; then
  show_progress "Installing what it is built from" \
    "${apt[@]}" --no-install-recommends -P "$profiles" build-dep "$folder" || fail "$no_packages"
fi
if [ ${#missing[@]} -gt 0 ]; then
  # sudo's credentials may have expired meanwhile, and the next step cannot ask.
  [ "$(id -u)" -eq 0 ] || sudo -v
  show_progress "Installing what it runs with" \
    "${apt[@]}" --no-install-recommends install "${missing[@]}" || fail "$no_packages"
fi
