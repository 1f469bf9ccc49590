#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Brings the translations' lists of texts up to date: those of the windows, and those of filters,
# parameters and presets, which the program itself prints.
# Usage: gui/translations/update.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/ci}
lupdate=$(command -v lupdate6 || command -v /usr/lib/qt6/bin/lupdate || command -v lupdate)

cmake --build "$build" --target sfumato-texts
"$build/bin/sfumato-texts" >gui/translations/model_texts.inc
for language in de; do
  "$lupdate" -no-obsolete -locations none -target-language "$language" gui/app gui/dialog \
    gui/document gui/params gui/preview gui/video gui/translations/model_texts.inc \
    -ts "gui/translations/sfumato_$language.ts"
done
