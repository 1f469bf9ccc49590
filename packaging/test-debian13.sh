#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The plug-ins and their tests on Debian 13, in a root of its own: GEGL 0.4.62, GIMP 3.0 and
# Krita 5.2, built by that release's compiler against its libraries. As root: it makes the root with
# debootstrap, or takes the one that is there, with what was installed in it. Nothing stays mounted.
# Usage: packaging/test-debian13.sh [FOLDER]   (build/debian13)
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" -ne 0 ]; then
  echo "packaging/test-debian13.sh: please run it as root: it makes a root of its own" >&2
  exit 1
fi
mkdir -p "${1:-build/debian13}"
root=$(realpath -- "${1:-build/debian13}")

# Mounts and processes of our own: whatever happens, they end with this script.
if [ -z "${SFUMATO_APART:-}" ]; then
  SFUMATO_APART=1 exec unshare --mount --propagation private --pid --fork --kill-child \
    "$PWD/packaging/test-debian13.sh" "$root"
fi

exec 9>"$root.lock"
flock 9  # one run at a time
[ ! -d "$root/debootstrap" ] || rm -rf --one-file-system "$root"  # one that was never finished
if [ ! -e "$root/etc/sfumato-ready" ]; then
  echo "== a root of Debian 13"
  command -v debootstrap >/dev/null || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
  }
  # Where this machine's own packages come from, if it is a Debian.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' |
    head -n 1)
  debootstrap --variant=minbase trixie "$root" ${mirror:+"$mirror"} >"$root.log" || {
    tail "$root.log" >&2
    exit 1
  }
  # A root that is lost is made again: nothing waits for the disk, and nobody reads in it.
  printf 'force-unsafe-io\npath-exclude=/usr/share/%s/*\n' doc man \
    >"$root/etc/dpkg/dpkg.cfg.d/sfumato"
  touch "$root/etc/sfumato-ready"
fi
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"  # PoCL asks it for the processors
mount --rbind /dev "$root/dev"
mkdir -p "$root/sfumato"
mount --bind -o ro . "$root/sfumato"
# Compiled objects outlast the root, as those of this machine's own compiler do.
objects=${CCACHE_DIR:-$HOME/.cache/ccache}-debian13
mkdir -p "$objects" "$root/objects"
mount --bind "$objects" "$root/objects"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"

# inside COMMAND...: without the caller's settings, which must not leak into the tests.
inside() {
  local name kept=()
  for name in http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || kept+=("$name=${!name}")
  done
  chroot "$root" env -i "${kept[@]}" HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    CCACHE_DIR=/objects QT_QPA_PLATFORM=offscreen QTEST_FUNCTION_TIMEOUT=1200000 \
    ${SFUMATO_TEST_ALL:+SFUMATO_TEST_ALL=1} "$@"
}

inside dpkg --configure -a  # what an earlier run left where it was ended
inside /sfumato/packaging/install-deps.sh hosts

echo "== build"
rm -rf "$root/build"  # another checkout's objects may be newer than this one's sources
# Built once and run once.
inside cmake --fresh -S /sfumato -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DSFUMATO_WERROR=ON -DSFUMATO_BENCH=OFF
tests=(test_worker test_worker_messages test_gegl test_gegl_messages test_gimp test_gimp_messages
  test_handover test_recipe_dialog test_krita)
inside cmake --build /build ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"} \
  --target sfumato-cli "${tests[@]}"

echo "== test"
pattern=$(IFS='|' && echo "${tests[*]}")
# Without the network, which names of screens belong to: another one's screen may have the same.
inside unshare --net ctest --test-dir /build --no-tests=error --output-on-failure -R "^($pattern)\$"
