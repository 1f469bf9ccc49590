#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs what is missing, builds a release, and filters a photograph, or the sample scene.
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
cd -- "$(dirname -- "$0")/.."

packaging/install-deps.sh run
echo "Building..."
cmake --preset release -DSFUMATO_TESTS=OFF -DSFUMATO_BENCH=OFF >/dev/null
cmake --build --preset release
sfumato=build/release/bin/sfumato
out=out
mkdir -p "$out"

if [ -n "$photo" ]; then
  name=$(basename -- "${photo%.*}")
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
  build/release/bin/sfumato-scene "$out/scene.exr"
  roles=(--normal "$out/scene.exr" --depth "$out/scene.exr")
  "$sfumato" geometry_blur "$out/scene.exr" "$out/scene_geometry_blur.exr" "${roles[@]}" \
    --sigma 5 --overwrite --verbose
  "$sfumato" geometry_blur "$out/scene.exr" "$out/scene_edges.png" "${roles[@]}" \
    --show discontinuities --bits 8 --overwrite --verbose
  "$sfumato" gaussian "$out/scene.exr" "$out/scene_gaussian.png" --sigma 8 --bits 8 --overwrite \
    --verbose
  "$sfumato" bilateral "$out/scene.exr" "$out/scene_bilateral.png" --bits 8 --overwrite --verbose
  # Pictures to look at beside the EXR files, which few viewers open.
  "$sfumato" grayscale "$out/scene.exr" "$out/scene.png" --mix 0 --bits 8 --overwrite
  "$sfumato" grayscale "$out/scene_geometry_blur.exr" "$out/scene_geometry_blur.png" --mix 0 \
    --bits 8 --overwrite
  made=("$out"/scene*.exr "$out"/scene*.png)
fi
echo
echo "Done. The results:"
printf '  %s\n' "${made[@]/#/$PWD/}"
echo "Next: $PWD/$sfumato help"
