#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# What desktops and software centres read of the editor follows their rules, with and without an
# address for its pictures.
# Usage: desktop_files.sh SOURCE_FOLDER
set -eu
packaging=$1/packaging
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

desktop-file-validate "$packaging"/desktop/*.desktop
validate() {
  cmake "-DSFUMATO_SCREENSHOT_URL=$1" "-DOUTPUT=$work/$2/org.sfumato.Editor.metainfo.xml" \
    -P "$packaging/cmake/SfumatoMetainfo.cmake"
  appstreamcli validate --no-net --no-color "$work/$2/org.sfumato.Editor.metainfo.xml"
}
validate "" without
! grep -q screenshot "$work/without/org.sfumato.Editor.metainfo.xml"
validate "https://example.org/pictures" with
grep -q "https://example.org/pictures/split-light.png" "$work/with/org.sfumato.Editor.metainfo.xml"
