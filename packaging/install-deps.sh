#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs what is missing of Debian's packages, without asking. As root, or as a user with sudo.
# Usage: install-deps.sh run|test|hosts
set -euo pipefail

run=(g++ cmake ninja-build pkg-config ocl-icd-opencl-dev opencl-headers opencl-clhpp-headers
  pocl-opencl-icd nlohmann-json3-dev libvkfft-dev libcli11-dev libopenimageio-dev liblcms2-dev
  libwebp-dev libheif-dev libpng-dev)
# The labels of comparison sheets.
run+=(fonts-dejavu-core)
# Debian's OpenImageIO names these libraries in its CMake files without depending on them.
run+=(libopencv-dev)
test=("${run[@]}" qt6-base-dev clang clang-format clang-tidy oclgrind libimage-exiftool-perl
  openimageio-tools libheif-examples ccache)
# The editor's translations, and Qt's own.
test+=(qt6-tools-dev qt6-l10n-tools qt6-translations-l10n)
# Its movies, the screen's profile, its notifications, and the checks of its desktop files.
test+=(qt6-multimedia-dev ffmpeg libxcb1-dev dbus-daemon desktop-file-utils appstream)
# Hosts: here Debian 12's; alone, with what they are tested by, Debian 13's.
hosts=(libgegl-dev gegl gimp krita python3-pyqt5 xvfb xauth)
test+=("${hosts[@]}" libgimp2.0-dev)
hosts+=("${run[@]}" libgimp-3.0-dev openimageio-tools qt6-base-dev libxcb1-dev ccache)

case "${1:-}" in
  run) wanted=("${run[@]}") ;;
  test) wanted=("${test[@]}") ;;
  hosts) wanted=("${hosts[@]}") ;;
  *)
    echo "usage: install-deps.sh run|test|hosts" >&2
    exit 2
    ;;
esac

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "Installing: ${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "Please install as root: ${missing[*]}" >&2
    exit 1
  }
  sudo=(sudo)
fi
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  "${missing[@]}" >/dev/null
