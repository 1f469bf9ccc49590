#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Tries the README's run command on bare Debian systems, on a clone of the committed tree, as root
# and as a user with sudo. Fails on a missing package, on a question, or if a result is not a
# picture. As root. Bare roots and fetched packages are kept (~/.cache/sfumato-roots).
# Usage: packaging/test-fresh.sh [CASE...]
#   bookworm       Debian 12 as root (part of .ci/run)
#   bookworm-user  Debian 12 as a user with sudo whose home has a space and an umlaut in its name
#   trixie         Debian 13 as root
#   refusals       no network, no room, another distribution, an older Debian
# Without CASE: all.
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
. packaging/root.sh
apart "$PWD/packaging/test-fresh.sh" "$@"

work=$(mktemp -d "${TMPDIR:-/tmp}/sfumato-fresh.XXXXXX")
# The mounts end with this process's namespace; the folder must not be removed through them.
trap 'close_root || true; rm -rf --one-file-system "$work"' EXIT
tree=$PWD

fail() {
  echo "packaging/test-fresh.sh: $1" >&2
  exit 1
}

# as_user USER COMMAND: runs it in a login shell of that user, in the clone, without a terminal.
as_user() {
  inside su - "$1" -c "cd sfumato && $2" </dev/null
}

# The first command of the README, verbatim.
readme_says() {
  grep -Fqx -e "$1" <(sed 's/ *#.*//' README.md) || fail "the README does not say: $1"
}

# check_pictures FOLDER: each PNG there is complete and not empty.
check_pictures() {
  python3 - "$1" <<'CHECK'
import pathlib, struct, sys, zlib

pictures = sorted(pathlib.Path(sys.argv[1]).glob("*.png"))
if not pictures:
    sys.exit("there is no picture in " + sys.argv[1])
for file in pictures:
    data = file.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit(f"{file.name} is no PNG")
    width, height = struct.unpack(">II", data[16:24])
    at, packed, end = 8, b"", False
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        packed += data[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
        end = kind == b"IEND"
        at += size + 12
    pixels = zlib.decompress(packed)
    if not end or len(pixels) < width * height or len(set(pixels)) < 8:
        sys.exit(f"{file.name} shows nothing")
    print(f"  {file.name}: {width} x {height}")
CHECK
}

# prepare SUITE: a bare root with a clone in the home of each user that will try it.
prepare() {
  fresh_root "$1" "$work/root"
  inside apt-get update -qq
  inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    git ca-certificates >/dev/null  # what the README names
  git clone -q --bare "$tree" "$root/origin.git"
  clone_for root /root
}

clone_for() {
  inside git clone -q /origin.git "$2/sfumato"
  inside chown -R "$1" "$2/sfumato"
}

# try USER HOME: the run command twice; the second time it goes straight to the result.
try() {
  local start=$SECONDS
  as_user "$1" packaging/run.sh 2>&1 | tee "$work/log" || fail "the run command failed"
  echo "== first result after $((SECONDS - start)) s"
  ! grep -Eiq '\[y/n\]|unable to initialize frontend' "$work/log" || fail "a question was asked"
  check_pictures "$root$2/sfumato/out"
  start=$SECONDS
  as_user "$1" packaging/run.sh >"$work/log" 2>&1 || fail "the second run failed"
  ! grep -q 'Installing\|Configuring' "$work/log" || fail "the second run prepares again"
  echo "== second result after $((SECONDS - start)) s"
}

case_bookworm() {
  prepare bookworm
  try root /root
}

case_bookworm_user() {
  prepare bookworm
  inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq sudo >/dev/null
  inside useradd -m -d '/home/Jörg Ä' -s /bin/bash joerg
  echo 'joerg ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/joerg"
  clone_for joerg '/home/Jörg Ä'
  try joerg '/home/Jörg Ä'
}

case_trixie() {
  prepare trixie
  try root /root
}

# refused SENTENCE: the run command fails with this message.
refused() {
  ! as_user root packaging/run.sh >"$work/log" 2>&1 || fail "it was not refused: $1"
  grep -q "$1" "$work/log" || {
    cat "$work/log" >&2
    fail "it does not say: $1"
  }
  echo "  refused: $1"
}

case_refusals() {
  prepare bookworm
  cp "$root/etc/os-release" "$work/os-release"
  printf 'ID=fedora\nPRETTY_NAME="Fedora Linux 41"\n' >"$root/etc/os-release"
  refused 'Fedora Linux 41 is not Debian; Sfumato is made for Debian 12 and 13'
  printf 'ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian GNU/Linux 11"\n' >"$root/etc/os-release"
  refused 'Debian GNU/Linux 11 is too old; Sfumato is made for Debian 12 and 13'
  cp "$work/os-release" "$root/etc/os-release"
  cp "$root/etc/apt/sources.list" "$work/sources"
  echo 'deb http://localhost:9 bookworm main' >"$root/etc/apt/sources.list"
  refused 'there a network'
  cp "$work/sources" "$root/etc/apt/sources.list"
  mount -t tmpfs -o size=20m tmpfs "$root/var/cache/apt/archives"
  refused 'packages could not be installed'
  umount "$root/var/cache/apt/archives"
}

cases=("$@")
[ $# -gt 0 ] || cases=(bookworm bookworm-user trixie refusals)
for case in "${cases[@]}"; do
  declare -F "case_${case//-/_}" >/dev/null || fail "there is no case \"$case\""
done
readme_says 'packaging/run.sh [PHOTO]'
for case in "${cases[@]}"; do
  echo "== $case"
  "case_${case//-/_}"
  close_root
done
