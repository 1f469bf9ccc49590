#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The editor's data for desktops and software centres is valid, with and without addresses for
# screenshots and homepage, and names the latest release.
# Usage: desktop_files.sh SOURCE_FOLDER
set -eu
packaging=$1/packaging
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

desktop-file-validate "$packaging"/desktop/*.desktop
# metainfo FOLDER HOMEPAGE PICTURES: writes, validates and prints it.
metainfo() {
  local file=$work/$1/org.sfumato.Editor.metainfo.xml
  cmake "-DSFUMATO_HOMEPAGE=$2" "-DSFUMATO_SCREENSHOT_URL=$3" "-DOUTPUT=$file" \
    -P "$packaging/cmake/SfumatoMetainfo.cmake" >&2
  appstreamcli validate --no-net --no-color "$file" >&2
  cat "$file"
}
without=$(metainfo without "" "")
case "$without" in *example.org* | *screenshot* | *homepage*) exit 1 ;; esac
with=$(metainfo with https://example.org https://example.org/pictures)
grep -q '<url type="homepage">https://example.org</url>' <<<"$with"
grep -q "https://example.org/pictures/split-light.png" <<<"$with"
release=$(sed -n 's/^## \[\([0-9][^]]*\)\] - \(.*\)/version="\1" date="\2"/p' "$1/CHANGELOG.md" | head -n 1)
grep -q "<release $release/>" <<<"$with"
