#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Takes pictures of the editor's windows, light and dark, at 1x and 2x, on a screen of their own, and
# makes the guide's comparison sheet and difference map.
# Usage: packaging/screenshots.sh FOLDER [PICTURE]
set -euo pipefail

[ $# -ge 1 ] && [ $# -le 2 ] || {
  echo "usage: packaging/screenshots.sh FOLDER [PICTURE]" >&2
  exit 2
}
mkdir -p -- "$1"
folder=$(realpath -- "$1")
picture=${2:+$(realpath -- "$2")}
cd -- "$(dirname -- "$0")/.."

cmake --preset ci >/dev/null
cmake --build --preset ci --target sfumato-screenshots sfumato-scene sfumato-cli
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$picture" ]; then
  build/ci/bin/sfumato-scene "$work/scene.exr"
  picture=$work/scene.exr
fi

unset QT_QPA_PLATFORM
export XDG_CONFIG_HOME=$work XDG_RUNTIME_DIR=$work
for theme in light dark; do
  for scale in 1 2; do
    echo "$theme, ${scale}x"
    QT_SCALE_FACTOR=$scale xvfb-run -a -s "-screen 0 2720x1800x24" \
      build/ci/bin/sfumato-screenshots "$picture" "$folder/$theme-${scale}x" "$theme"
  done
done

echo "comparison sheet and difference map"
sfumato() { build/ci/bin/sfumato "$@"; }
sfumato bilateral "$picture" "$work/scene.png" --bits 8 --sigma 2 --range-sigma 0.15 2>/dev/null
sfumato compare sepia "$work/scene.png" "$work/sheet.png" --renders 3 \
  --recipes cyanotype,faded_film,glow,comic,black_and_white
sfumato gaussian "$work/scene.png" "$work/soft.png" --sigma 3
sfumato diff "$work/scene.png" "$work/soft.png" "$work/map.png" --show map --gain 5
# With palettes, they are small enough for the repository.
convert "$work/sheet.png" -dither FloydSteinberg -colors 256 "PNG8:$folder/comparison-sheet.png"
convert "$work/map.png" -dither FloydSteinberg -colors 256 "PNG8:$folder/difference-map.png"
