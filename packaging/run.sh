#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs missing packages, builds the command line, the worker and the editor, filters a
# photograph or the sample scene, and opens the editor on it if there is a display.
# Usage: packaging/run.sh [PHOTO]
set -euo pipefail

photo=""
if [ $# -gt 1 ]; then
  echo "usage: packaging/run.sh [PHOTO]" >&2
  exit 2
elif [ $# -eq 1 ]; then
  [ -f "$1" ] || {
    echo "packaging/run.sh: there is no file \"$1\"" >&2
    exit 2
  }
  photo=$(realpath -- "$1")
fi
unset CDPATH
cd -P -- "$(dirname -- "$0")/.."
. packaging/progress.sh

packaging/install-deps.sh run
packaging/build.sh run -DSFUMATO_TESTS=OFF -DSFUMATO_BENCH=OFF -DSFUMATO_PLUGINS=OFF \
  -DSFUMATO_INSTRUCTION_SETS=native sfumato-cli sfumato-worker sfumato-editor sfumato-scene
sfumato=build/run/bin/sfumato
out=out
mkdir -p "$out"

echo "Filtering"
if [ -n "$photo" ]; then
  picture=$photo
  name=$(basename -- "$photo")
  name=${name%.*}
  case "${photo,,}" in
    *.jpg | *.jpeg | *.png | *.tif | *.tiff | *.exr | *.webp) kind=${photo##*.} ;;
    *) kind=tif ;;
  esac
  "$sfumato" gaussian "$photo" "$out/${name}_gaussian.$kind" --sigma 8 --overwrite --verbose
  "$sfumato" bilateral "$photo" "$out/${name}_bilateral.$kind" --sigma 3 --range-sigma 0.1 \
    --overwrite --verbose
  "$sfumato" grayscale "$photo" "$out/${name}_grayscale.$kind" --overwrite --verbose
  made=("$out/${name}_gaussian.$kind" "$out/${name}_bilateral.$kind" "$out/${name}_grayscale.$kind")
else
  picture=$PWD/$out/scene.exr
  build/run/bin/sfumato-scene "$picture"
  roles=(--normal "$picture" --depth "$picture")
  "$sfumato" geometry_blur "$picture" "$out/scene_geometry_blur.exr" "${roles[@]}" \
    --sigma 5 --overwrite --verbose
  "$sfumato" geometry_blur "$picture" "$out/scene_edges.png" "${roles[@]}" \
    --show discontinuities --bits 8 --overwrite --verbose
  "$sfumato" gaussian "$picture" "$out/scene_gaussian.png" --sigma 8 --bits 8 --overwrite --verbose
  "$sfumato" bilateral "$picture" "$out/scene_bilateral.png" --bits 8 --overwrite --verbose
  # Viewable pictures beside the EXR files, which few viewers open.
  "$sfumato" grayscale "$picture" "$out/scene.png" --mix 0 --bits 8 --overwrite
  "$sfumato" grayscale "$out/scene_geometry_blur.exr" "$out/scene_geometry_blur.png" --mix 0 \
    --bits 8 --overwrite
  made=("$out"/scene*.exr "$out"/scene*.png)
fi
"$sfumato" recipe bilateral --sigma 3 --range-sigma 0.1 >"$out/smooth.json"

echo
echo "Done. The results:"
printf '  %s\n' "${made[@]/#/$PWD/}"
editor=("$PWD/build/run/bin/sfumato-editor" "$picture" "$PWD/$out/smooth.json")
if [ -n "${WAYLAND_DISPLAY:-}${DISPLAY:-}" ]; then
  echo "The editor opens the picture with a recipe; what it says goes to $PWD/$out/editor.log"
  setsid -f "${editor[@]}" >"$out/editor.log" 2>&1 </dev/null
else
  echo "There is no display here. On a desktop, this opens the editor:"
  printf ' %q' "${editor[@]}"
  echo
fi
echo "Next: $PWD/$sfumato help"
