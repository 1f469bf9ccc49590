#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Updates the lists of the windows' texts for translation. New texts are left unfinished. With
# --check, nothing is changed, and the script fails if something would be. (Texts of filters,
# parameters and presets are translated in the files de.json beside them.)
# Usage: gui/translations/update.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/../.."
check=${1:-}
# Not Qt 5's program of the same name.
for lupdate in lupdate6 /usr/lib/qt6/bin/lupdate lupdate; do
  ! command -v "$lupdate" >/dev/null || break
done

texts=$(mktemp -d)
trap 'rm -rf "$texts"' EXIT
for language in de en; do
  list=gui/translations/sfumato_$language.ts
  cp "$list" "$texts/new.ts"
  # The include folders tell lupdate which classes the texts belong to.
  only=$([ "$language" = en ] && echo -pluralonly || true)  # English is what the sources speak
  "$lupdate" $only -no-obsolete -locations none -target-language "$language" -I gui -I core \
    gui/app gui/batch gui/compare gui/dialog gui/document gui/params gui/preview gui/video plugins/dialog \
    -ts "$texts/new.ts"
  if [ "$check" != --check ]; then
    cp "$texts/new.ts" "$list"
  elif ! diff -u "$list" "$texts/new.ts"; then
    echo "run gui/translations/update.sh, and translate what is new" >&2
    exit 1
  fi
done
