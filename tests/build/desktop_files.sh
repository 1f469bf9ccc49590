#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# What desktops and software centres read of the editor follows their rules, with and without
# addresses for its pictures and for readers, and names the last release.
# Usage: desktop_files.sh SOURCE_FOLDER
set -eu
packaging=$1/packaging
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

desktop-file-validate "$packaging"/desktop/*.desktop
# metainfo FOLDER HOMEPAGE PICTURES: written, validated and printed.
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
