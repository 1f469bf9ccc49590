#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Brings the translations' lists of texts up to date: those of the windows, and those of filters,
# parameters and presets, which the program itself prints. What is new is left unfinished. With
# --check, nothing is built or changed; it fails if something would be.
# Usage: gui/translations/update.sh [BUILD_FOLDER [--check]]
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/ci}
check=${2:-}
# Not a program of the same name that belongs to Qt 5.
for lupdate in lupdate6 /usr/lib/qt6/bin/lupdate lupdate; do
  ! command -v "$lupdate" >/dev/null || break
done

texts=$(mktemp -d)
trap 'rm -rf "$texts"' EXIT
[ "$check" = --check ] || cmake --build "$build" --target sfumato-texts
"$build/bin/sfumato-texts" >"$texts/model.cpp"
for language in de en; do
  list=gui/translations/sfumato_$language.ts
  cp "$list" "$texts/new.ts"
  # The include folders tell lupdate which classes the texts belong to.
  only=$([ "$language" = en ] && echo -pluralonly || true)  # English is what the sources speak
  "$lupdate" $only -no-obsolete -locations none -target-language "$language" -I gui -I core \
    gui/app gui/batch gui/dialog gui/document gui/params gui/preview gui/video plugins/dialog \
    "$texts/model.cpp" \
    -ts "$texts/new.ts"
  if [ "$check" != --check ]; then
    cp "$texts/new.ts" "$list"
  elif ! diff -u "$list" "$texts/new.ts"; then
    echo "run gui/translations/update.sh, and translate what is new" >&2
    exit 1
  fi
done
