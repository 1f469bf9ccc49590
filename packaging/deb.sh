#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Builds the Debian packages of the committed tree in a minimal root, checks them with lintian, and
# tries them in a second root: installed, tested, purged. As root. Packages and reports go to
# build/deb/SUITE. Bare roots, fetched packages and compiled objects are kept (~/.cache).
# Usage: packaging/deb.sh [--twice | --try | --arm64] [SUITE...]
#   --twice  builds a second time, in another folder, and compares every package byte for byte
#   --try    builds nothing, and tries the packages of build/deb/SUITE
#   --arm64  builds the packages for arm64 with a cross compiler, and runs tests of the core under
#            qemu; nothing is installed
#   SUITE    bookworm (Debian 12), trixie (Debian 13); default: both
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
. packaging/root.sh
. packaging/progress.sh
apart "$PWD/packaging/deb.sh" "$@"

mode=build
suites=()
for word in "$@"; do
  case "$word" in
    --twice) mode=twice ;;
    --try) mode=try ;;
    --arm64) mode=arm64 ;;
    bookworm | trixie) suites+=("$word") ;;
    *)
      sed -n 's/^# Usage: /usage: /p' "$0" >&2
      exit 2
      ;;
  esac
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
declare -A release=([bookworm]=12 [trixie]=13)

work=$(mktemp -d "${TMPDIR:-/tmp}/sfumato-deb.XXXXXX")
# Never deletes through a mount: the caches and this tree are mounted there.
finish() {
  leave_root || true
  if grep -qF " $work/" /proc/self/mountinfo; then
    echo "packaging/deb.sh: $work stays: something is still mounted in it" >&2
  else
    rm -rf --one-file-system "$work"
  fi
}
trap finish EXIT

fail() {
  echo "packaging/deb.sh: $1" >&2
  exit 1
}


leave_root() {
  local place
  for place in objects sfumato; do
    ! mountpoint -q "$work/root/$place" || umount "$work/root/$place"
  done
  close_root
}

apt() { inside env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -y -q -o Dpkg::Use-Pty=0 "$@"; }

# unpack SUITE FOLDER: unpacks the source package's tree, in Debian's layout, in that folder of the
# root.
unpack() {
  local tree=sfumato-$upstream
  mkdir -p "$root$2"
  git archive --prefix="$tree/" "$commit" >"$work/tree.tar"
  gzip -9n <"$work/tree.tar" >"$root$2/sfumato_$upstream.orig.tar.gz"
  tar -xf "$work/tree.tar" -C "$root$2"
  rm "$work/tree.tar"
  cp -a "$root$2/$tree/packaging/debian" "$root$2/$tree/debian"
  # Packages for different releases of Debian need different versions, and an upgrade of Debian must
  # also upgrade them. The date is the version's own plus a second.
  {
    printf 'sfumato (%s~deb%su1) %s; urgency=medium\n\n' "$version" "${release[$1]}" "$1"
    printf '  * Built for Debian %s.\n\n' "${release[$1]}"
    sed -n '/^ -- /{s/>  .*/>  /p;q}' packaging/debian/changelog | tr -d '\n'
    LC_ALL=C date -u -R -d "$(sed -n '/^ -- /{s/.*>  //p;q}' packaging/debian/changelog) + 1 second"
    echo
    cat packaging/debian/changelog
  } >"$root$2/$tree/debian/changelog"
}

# make_packages SUITE FOLDER PROFILES OPTIONS [NAME=VALUE...]: runs dpkg-buildpackage with these
# options and environment variables.
make_packages() {
  local suite=$1 folder=$2 profiles=$3 options=$4
  shift 4
  unpack "$suite" "$folder"
  show_progress "Building the packages of $suite in $folder" \
    inside env CCACHE_DIR=/objects ${CCACHE_DISABLE:+CCACHE_DISABLE=1} LC_ALL=C.UTF-8 \
    DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" \
    DEB_BUILD_PROFILES="$profiles" "$@" \
    sh -c 'cd "$1"/sfumato-*/ && shift && dpkg-buildpackage -us -uc "$@"' sh "$folder" $options || exit 1
}

# building_root SUITE KIND: opens a root with this tree and the compiled objects of that kind.
building_root() {
  local objects=${CCACHE_DIR:-$HOME/.cache/ccache}-deb-$2
  fresh_root "$1" "$work/root"
  mkdir -p "$objects" "$root/objects" "$root/sfumato"
  mount --bind "$objects" "$root/objects"
  mount --bind -o ro . "$root/sfumato"
}

build() { # SUITE
  local out=build/deb/$1 deb
  building_root "$1" "$1"
  inside /sfumato/packaging/install-deps.sh package

  make_packages "$1" /build nocheck ""
  if [ "$mode" = twice ]; then
    make_packages "$1" /another/place nocheck "" TZ=Pacific/Chatham LC_ALL=C HOME=/nonexistent
    for deb in "$root"/build/*.deb; do
      cmp "$deb" "$root/another/place/${deb##*/}" || fail "two builds differ in ${deb##*/}"
    done
    echo "== two builds: $(ls "$root"/build/*.deb | wc -l) packages, the same byte for byte"
  fi

  rm -rf "$out"
  mkdir -p "$out"
  find "$root/build" -maxdepth 1 -type f -exec cp {} "$out" \;
  # (With --fail-on, overridden tags count too.)
  show_progress "Looking the packages over" inside env LC_ALL=C.UTF-8 sh -c 'cd /build &&
    lintian --allow-root --pedantic --show-overrides --fail-on none sfumato_*.changes >lintian.txt' ||
    fail "lintian failed"
  cp "$root/build/lintian.txt" "$out"
  cat "$out/lintian.txt"
  ! grep -q '^[EW]:' "$out/lintian.txt" || fail "lintian objects"
  leave_root
}

# arm64_driver: PoCL for arm64, in /driver. It depends on that architecture's binutils, which
# conflict with the cross compiler, so it is only unpacked; it uses this machine's own compiler and
# linker.
arm64_driver() {
  inside sh -ec '
    mkdir -p /driver/debs /driver/bin
    cd /driver/debs
    needs_of() {
      apt-cache depends --important -o APT::Cache::ShowOnlyFirstOr=1 "$1" |
        sed -n "s/^  Depends: \([a-z].*\)/\1/p"
    }
    pocl=$(needs_of pocl-opencl-icd:arm64 | grep "^libpocl2")
    needs=$(needs_of "$pocl")
    clang=$(echo "$needs" | sed -n "s/^\(clang-[0-9]*\):arm64/\1/p")
    apt-get download -qq ocl-icd-libopencl1:arm64 pocl-opencl-icd:arm64 "$pocl" libpocl2-common \
      $(echo "$needs" | grep "^lib\(clang\|llvm\|hwloc\)") 2>/dev/null
    for deb in *.deb; do dpkg -x "$deb" /driver; done
    apt-get install -y -qq --no-install-recommends "$clang" >/dev/null
    ln -s /usr/bin/aarch64-linux-gnu-ld /driver/bin/ld
    find /driver/usr/lib -name "libpocl.so.*.*" >/driver/pocl.icd'
}

# Tests of the core that finish within minutes although each instruction is translated; those that
# use a device compile only a few kernels.
arm64_tests="test_abi test_difference test_pace test_params_declarations test_params_json test_params_text \
test_program_cache test_recipes test_reduce test_roles test_user_presets example_blur_c example_blur_cpp"
# Those of the built-in device, whose kernels are compiled already: every one of them is run.
native_tests="small_kernels test_built_in test_native_driver"

# test_arm64 BUILD TESTS [NAME=VALUE...]: runs tests with these environment variables.
test_arm64() {
  local build=$1 tests=$2
  shift 2
  inside env LC_ALL=C.UTF-8 QTEST_FUNCTION_TIMEOUT=7200000 "$@" \
    ctest --test-dir "$build" -j "$(nproc)" --no-tests=error --output-on-failure \
    -R "^($(tr ' ' '|' <<<"$tests"))\$" || fail "tests fail on arm64"
}

# cross SUITE: builds for arm64 on another architecture. Hosts and windows are not tried.
cross() {
  local out=build/deb/$1-arm64 tree=/build/sfumato-$upstream build=/build/tests
  building_root "$1" "$1-arm64"
  inside dpkg --add-architecture arm64
  show_progress "Fetching the lists of packages" apt update || exit 1
  unpack "$1" /build
  show_progress "Installing the cross compiler" \
    apt install --no-install-recommends crossbuild-essential-arm64 ccache || exit 1
  show_progress "Installing libraries for arm64" \
    apt --no-install-recommends -a arm64 -P cross,nocheck --arch-only build-dep "$tree" || exit 1
  make_packages "$1" /build "cross nocheck" "-a arm64 -B"
  rm -rf "$out"
  mkdir -p "$out"
  find "$root/build" -maxdepth 1 -name '*_arm64.*' -exec cp {} "$out" \;
  ls -l "$out"

  show_progress "Fetching an OpenCL driver for arm64" arm64_driver || exit 1
  show_progress "Building the core's tests for arm64" inside env CCACHE_DIR=/objects sh -c "
    cmake -S /sfumato -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
      -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
      -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
      -DCMAKE_CROSSCOMPILING_EMULATOR=/usr/bin/qemu-aarch64 -DQT_HOST_PATH=/usr \
      -DQT_HOST_PATH_CMAKE_DIR=/usr/lib/x86_64-linux-gnu/cmake \
      -DPKG_CONFIG_EXECUTABLE=/usr/bin/aarch64-linux-gnu-pkg-config \
      -DSFUMATO_IO=OFF -DSFUMATO_CLI=OFF -DSFUMATO_GUI=OFF -DSFUMATO_HOSTS=OFF -DSFUMATO_BENCH=OFF &&
    cmake --build $build" || exit 1
  # Without the driver, the built-in device is the only one.
  test_arm64 "$build" "$native_tests"
  test_arm64 "$build" "$arm64_tests" OCL_ICD_VENDORS=/driver/pocl.icd \
    LD_LIBRARY_PATH=/driver/usr/lib/aarch64-linux-gnu PATH=/driver/bin:/usr/bin:/bin
  leave_root
}

# every_file FILE: lists everything in the root except the files that apt, dpkg and the system
# maintain, Python's caches of other packages' scripts, and root's home.
every_file() {
  local place kept=()
  for place in /proc /sys /dev /run /tmp /debs /root /var/lib/dpkg /var/lib/apt /var/log /var/cache/apt \
    /var/cache/fontconfig /var/cache/ldconfig /var/cache/man /var/cache/debconf; do
    kept+=(-path "$place" -o)
  done
  inside find / -xdev \( "${kept[@]}" -name __pycache__ -not -path '*sfumato*' \) -prune \
    -o -printf '%y %p\n' | sort >"$1"
}

ours() { (cd "$root/debs" && ls -- *.deb) | sed 's/_.*//'; }

# files_of NAME: the package files whose names begin with NAME, as apt sees them.
files_of() { (cd "$root" && printf '/%s\n' debs/"$1"*.deb); }

first_picture() {
  python3 -c 'import sys
sys.stdout.buffer.write(b"P6\n600 400\n255\n" +
                        bytes((x * y + c * 80) % 256 for y in range(400) for x in range(600) for c in range(3)))' \
    >"$root/tmp/before.ppm"
  inside sfumato gaussian /tmp/before.ppm /tmp/after.png --sigma 8 --overwrite && [ -s "$root/tmp/after.png" ]
}

# seconds COMMAND...: runs the command and prints its duration.
seconds() {
  local start end
  start=$(date +%s%N)
  "$@" >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    return 1
  }
  end=$(date +%s%N)
  awk "BEGIN { printf \"%.1f\", ($end - $start) / 1e9 }"
}

# From a bare system to a picture, following the README, including recommended packages.
measure() {
  local install picture again
  apt install --download-only $(files_of sfumato_) >/dev/null
  install=$(seconds apt install $(files_of sfumato_)) || fail "sfumato cannot be installed"
  picture=$(seconds first_picture) || fail "the first picture failed"
  again=$(seconds first_picture) || fail "the second picture failed"
  echo "== sfumato installed in $install s (all it needs, already fetched), the first picture" \
    "after $picture s more, the next in $again s"
  again=$(seconds apt install --reinstall $(files_of sfumato_)) || fail "sfumato cannot be reinstalled"
  echo "== sfumato alone, where the libraries are there: $again s"
  size=$(for deb in "$root"/debs/sfumato_*.deb "$root"/debs/libsfumato1_*.deb; do
    dpkg-deb -f "$deb" Installed-Size
  done | awk '{ sum += $1 } END { print sum }')
  echo "== installed size of sfumato and libsfumato1: $size KiB"
  apt purge sfumato >/dev/null
  rm -rf "$root/tmp/before.ppm" "$root/tmp/after.png" "$root"/root/.cache
}

# run_tests: runs the tests of debian/tests according to their format, except those that need
# Debian's machines.
run_tests() {
  local test failed=()
  for test in $(sed -n 's/^Tests: *//p' packaging/debian/tests/control | tr ',' ' '); do
    mkdir -p "$root/tmp/tests/$test"
    # Without the network, since abstract X sockets belong to it and another root's screen may have
    # the same name.
    if inside env AUTOPKGTEST_TMP="/tmp/tests/$test" LC_ALL=C.UTF-8 unshare --net timeout 900 \
      "/debs/tests/$test" >"$work/test.log" 2>&1 </dev/null; then
      echo "  $test: passed"
    else
      failed+=("$test")
      echo "  $test: failed" >&2
      tail -n 60 "$work/test.log" >&2
    fi
    cp "$work/test.log" "build/deb/$suite/test-$test.log"
    rm -rf "$root/tmp/tests/$test"
  done
  [ ${#failed[@]} -eq 0 ] || fail "these tests failed: ${failed[*]}"
}

try() { # SUITE
  local suite=$1 needs others package size
  [ -n "$(ls "build/deb/$suite"/*.deb 2>/dev/null)" ] || fail "build/deb/$suite holds no packages"
  fresh_root "$suite" "$work/root"
  mkdir -p "$root/debs"
  cp "build/deb/$suite"/*.deb "$root/debs"
  rm -f "$root"/debs/*-dbgsym_*
  cp -r packaging/debian/tests "$root/debs/tests"
  apt update >/dev/null
  measure

  # Our dependencies without our packages: the purge must restore exactly this state.
  needs=$(sed -n 's/^Depends: *//p' packaging/debian/tests/control | paste -sd ,)
  for package in $(ours); do
    needs=$(sed -E "s/(^|,) *$package *(,|\$)/\1\2/" <<<"$needs")
  done
  needs=$(sed -E 's/(, *)+/, /g; s/^, //; s/, $//' <<<"$needs")
  others=$(apt install --no-install-recommends --simulate $(files_of "") | awk '/^Inst / { print $2 }' |
    grep -vxF "$(ours)" || true)
  show_progress "Installing what the packages need" apt install --no-install-recommends $others ||
    exit 1
  show_progress "Installing what their tests need" apt satisfy --no-install-recommends "$needs" ||
    exit 1
  every_file "$work/before"
  show_progress "Installing the packages" apt install --no-install-recommends $(files_of "") || exit 1
  for package in $(ours); do
    inside dpkg-query -W -f '  ${Package} ${Version} ${Installed-Size} KiB\n' "$package"
  done
  echo "== tests of $suite"
  run_tests
  # Files in the tests' home belong to them, and root's to root.
  show_progress "Purging the packages" apt purge $(ours) || exit 1
  every_file "$work/after"
  diff "$work/before" "$work/after" >"$work/left" || {
    cat "$work/left" >&2
    fail "purged, the packages leave more or less than there was"
  }
  echo "== purged: nothing is left"
  # 15 MB and the kernels' 12.
  [ "$size" -le $((27 * 1000 * 1000 / 1024)) ] || fail "sfumato and libsfumato1 take more than 27 MB"
  leave_root
}

[ -z "$(git status --porcelain --untracked-files=no)" ] ||
  echo "packaging/deb.sh: what is not committed is not in the packages" >&2
commit=$(git rev-parse HEAD)  # which may go on meanwhile
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' packaging/debian/changelog)
upstream=${version%-*}
for suite in "${suites[@]}"; do
  echo "== packages for Debian ${release[$suite]} ($suite)"
  if [ "$mode" = arm64 ]; then
    cross "$suite"
    continue
  fi
  [ "$mode" = try ] || build "$suite"
  try "$suite"
done
