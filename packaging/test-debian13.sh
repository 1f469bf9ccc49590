#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The plug-ins and their tests on Debian 13, in a root of its own: GEGL 0.4.62, GIMP 3.0 and Krita
# 5.2, built by that release's compiler against its libraries. As root. The root is kept with its
# installed packages; nothing stays mounted. The tests are skipped if they passed in the same week
# with everything they depend on unchanged; --always runs them.
# Usage: packaging/test-debian13.sh [--always] [FOLDER]   (~/.cache/sfumato-roots/debian13)
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
. packaging/root.sh
. packaging/passed.sh
apart "$PWD/packaging/test-debian13.sh" "$@"

always=
[ "${1:-}" != --always ] || {
  always=yes
  shift
}
folder=${1:-$roots/debian13}
mkdir -p "$folder"
folder=$(realpath -- "$folder")
exec 9>"$folder.lock"
flock 9  # one run at a time

test_in_root() {
  make_root trixie "$folder"
  open_root "$folder"
  mkdir -p "$root/sfumato"
  mount --bind -o ro . "$root/sfumato"
  # Compiled objects outlive the root, as those of this machine's own compiler do.
  objects=${CCACHE_DIR:-$HOME/.cache/ccache}-debian13
  mkdir -p "$objects" "$root/objects"
  mount --bind "$objects" "$root/objects"

  # run COMMAND...: runs inside, with the tests' environment.
  run() {
    inside LANG=C.UTF-8 CCACHE_DIR=/objects QT_QPA_PLATFORM=offscreen QTEST_FUNCTION_TIMEOUT=1200000 \
      ${SFUMATO_TEST_ALL:+SFUMATO_TEST_ALL=1} "$@"
  }

  run dpkg --configure -a  # what an earlier run left where it was ended
  run /sfumato/packaging/install-deps.sh hosts

  echo "== build"
  rm -rf "$root/build"  # another checkout's objects may be newer than this one's sources
  # Built once and run once.
  run cmake --fresh -S /sfumato -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DSFUMATO_WERROR=ON -DSFUMATO_BENCH=OFF \
    -DSFUMATO_INSTRUCTION_SETS=native
  tests=(test_worker test_worker_messages test_gegl test_gegl_messages test_gimp test_gimp_layers
    test_gimp_messages test_pixel_file test_recipe_dialog test_krita)
  run cmake --build /build ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"} \
    --target sfumato-cli "${tests[@]}"

  echo "== test"
  pattern=$(IFS='|' && echo "${tests[*]}")
  # Without the network, since abstract X sockets belong to it and another screen may have the same
  # name.
  run unshare --net ctest --test-dir /build --no-tests=error --output-on-failure \
    --output-junit /build/junit.xml -R "^($pattern)\$"
  packaging/test-times.py "Debian 13" "$root/build/junit.xml"
}
unless_passed "Debian 13" test_in_root .
