#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Drives GIMP 2.10 and Krita like a user, on a screen and with a home of their own: opens the dialog
# from the menu, moves a slider, accepts, undoes in one step, cancels in the dialog, and cancels
# during filtering. FOLDER receives a screenshot of every stage for inspection.
# Usage: packaging/drive-hosts.sh FOLDER [gimp|krita]
set -euo pipefail

[ $# -ge 1 ] && [ $# -le 2 ] && [[ ${2:-gimp} =~ ^(gimp|krita)$ ]] || {
  echo "usage: packaging/drive-hosts.sh FOLDER [gimp|krita]" >&2
  exit 2
}
mkdir -p -- "$1"
folder=$(realpath -- "$1")
hosts=(${2:-gimp krita})
cd -- "$(dirname -- "$0")/.."

# Each program and its Debian package.
for pair in Xvfb:xvfb openbox:openbox xdotool:xdotool import:imagemagick gimp-2.10:gimp krita:krita; do
  command -v "${pair%:*}" >/dev/null || {
    echo "packaging/drive-hosts.sh: please install ${pair#*:}: there is no ${pair%:*}" >&2
    exit 1
  }
done
cmake --preset ci >/dev/null
cmake --build --preset ci --target sfumato-gegl sfumato-gimp sfumato-dialog sfumato-worker \
  sfumato-io-openimageio sfumato-cli sfumato-scene

. packaging/started.sh
stage=
fail() {
  echo "packaging/drive-hosts.sh: $stage: $1" >&2
  import -window root "$folder/$stage-failed.png" || true
  tail -n 20 "$work"/*.log >&2 || true
  exit 1
}

build/ci/bin/sfumato-scene "$work/scene.exr"
build/ci/bin/sfumato grayscale "$work/scene.exr" "$work/scene.png" --mix 0 --bits 8 2>/dev/null
# A home of our own.
unset QT_QPA_PLATFORM SFUMATO_DEVICE SFUMATO_WORKER SFUMATO_DIALOG GEGL_PATH WAYLAND_DISPLAY
unset GIMP2_DIRECTORY
export HOME=$work/home LC_ALL=C.UTF-8 LANGUAGE=en
export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_CACHE_HOME=$HOME/.cache
export XDG_RUNTIME_DIR=$work/run
mkdir -m 700 -p "$XDG_CONFIG_HOME" "$XDG_RUNTIME_DIR"
packaging/install-plugins.sh --build build/ci >/dev/null
printf '[python]\nenable_sfumato=true\n' >"$XDG_CONFIG_HOME/kritarc"

Xvfb -displayfd 3 -screen 0 1600x1000x24 3>"$work/display" 2>/dev/null &
started+=($!)
stage=screen
wait_until 20 "a screen" test -s "$work/display"
DISPLAY=:$(<"$work/display")
export DISPLAY
openbox >"$work/openbox.log" 2>&1 &
started+=($!)

# shot NAME: takes a screenshot of a stage.
shot() {
  import -window root "$folder/$stage-$1.png"
  echo "$stage: $1"
}
visible() { xdotool search --onlyvisible --name "$1"; }
# window SECONDS TITLE: waits for the window; `id` is its number.
window() {
  wait_until "$1" "a window \"$2\"" visible "$2"
  id=$(visible "$2" | tail -n 1)
}
# The title of a host's window has a star while there are unsaved changes.
is_changed() { [[ $(xdotool getwindowname "$main") == *\** ]]; }
is_unchanged() { ! is_changed; }
# view ID AREA FILE: saves a part of a window (WIDTHxHEIGHT+X+Y) as it is now.
view() { import -window "$1" -crop "$2" +repage "$3"; }
# pixels_changed A B: prints how many.
pixels_changed() { compare -metric AE -fuzz 2% "$1" "$2" null: 2>&1 || true; }
is_same() { [ "$(pixels_changed "$1" "$2")" -eq 0 ]; }
is_other() { [ "$(pixels_changed "$1" "$2")" -gt 10 ]; }
# shows ID AREA is_same|is_other FILE: compares the area with the saved one.
shows() { view "$1" "$2" "$work/now.png" && "$3" "$work/now.png" "$4"; }
# rests ID AREA: nothing has changed there for a while.
rests() { view "$1" "$2" "$work/then.png" && sleep 0.7 && shows "$1" "$2" is_same "$work/then.png"; }
is_gone() { ! visible "$1"; }
keys() { xdotool key --clearmodifiers --delay 60 "$@"; }

click() { xdotool mousemove --window "$1" "$2" "$3" click 1; }
# In the dialog, which is 1240 pixels wide and 720 high: searches for Bloom, moves its first slider,
# waits for the preview, and presses OK.
use_dialog() {
  local preview=600x400+250+120 number=60x20+1135+113
  wait_until 60 "a preview that is done" rests "$id" "$preview"
  shot "opened"
  click "$id" 110 28
  xdotool type --delay 60 bloom
  keys Return
  wait_until 30 "the filter" visible '^Sfumato: Bloom'
  wait_until 60 "a preview that is done" rests "$id" "$preview"
  shot "dialog"
  view "$id" "$preview" "$work/preview.png"
  view "$id" "$number" "$work/number.png"
  xdotool mousemove --window "$id" 967 122 mousedown 1 mousemove --window "$id" 905 122 mouseup 1
  wait_until 30 "another number" shows "$id" "$number" is_other "$work/number.png"
  wait_until 60 "another preview" shows "$id" "$preview" is_other "$work/preview.png"
  wait_until 60 "a preview that is done" rests "$id" "$preview"
  shot "slider-moved"
  click "$id" 973 698
  wait_until 60 "the end of the dialog" is_gone '^Sfumato: '
}

# From here on without a device, so that the progress of the repeated filter can be observed.
be_slow() {
  mkdir -p "$XDG_CONFIG_HOME/sfumato"
  printf '[General]\ndevice=reference\n' >"$XDG_CONFIG_HOME/sfumato/sfumato-editor.conf"
}

drive_gimp() {
  local canvas=500x380+260+200 button=140x28+930+738
  gimp-2.10 --no-splash --no-data --no-fonts "$work/scene.png" >"$work/gimp.log" 2>&1 &
  started+=($!)
  window 120 'scene.*GIMP$'
  main=$id
  wait_until 60 "a picture" rests "$main" "$canvas"
  shot "picture"
  view "$main" "$canvas" "$work/before.png"
  # The third entry from the end of the menu Filters.
  open_dialog() {
    keys alt+r
    keys Up Up Up Right
    [ -z "${1:-}" ] || shot "$1"
    keys Return
    window 60 '^Sfumato: '
  }

  open_dialog menu
  use_dialog
  wait_until 60 "the result" is_changed
  wait_until 60 "another picture" shows "$main" "$canvas" is_other "$work/before.png"
  shot "result"
  keys ctrl+z
  wait_until 30 "an image without changes after one step back" is_unchanged
  wait_until 30 "the picture as it was" shows "$main" "$canvas" is_same "$work/before.png"
  shot "undone"

  open_dialog
  keys Escape
  wait_until 30 "the end of the dialog" is_gone '^Sfumato: '
  is_unchanged || fail "the image changed though its user cancelled"
  wait_until 30 "the picture as it was" shows "$main" "$canvas" is_same "$work/before.png"
  shot "dialog-cancelled"

  be_slow
  view "$main" "$button" "$work/no-button.png"
  keys ctrl+f
  wait_until 30 "a button beside the bar" shows "$main" "$button" is_other "$work/no-button.png"
  shot "progress"
  click "$main" 996 753
  wait_until 30 "the end of the filter" shows "$main" "$button" is_same "$work/no-button.png"
  is_unchanged || fail "the image changed though its user cancelled"
  wait_until 30 "the picture as it was" shows "$main" "$canvas" is_same "$work/before.png"
  shot "progress-cancelled"
}

drive_krita() {
  krita --nosplash "$work/scene.png" >"$work/krita.log" 2>&1 &
  started+=($!)
  window 120 'scene\.png'
  main=$id
  local canvas=500x380+400+250
  wait_until 60 "a picture" rests "$main" "$canvas"
  shot "picture"
  view "$main" "$canvas" "$work/before.png"
  # The last entry but one of the menu Filter.
  filter_menu() {
    click "$main" 310 10
    sleep 1  # a menu that has just come up takes no keys
    keys "$@"
  }
  filter_menu Up Up
  shot "menu"
  keys Return
  window 60 '^Sfumato: '
  use_dialog
  wait_until 60 "a change" is_changed
  wait_until 60 "another picture" shows "$main" "$canvas" is_other "$work/before.png"
  shot "result"
  keys ctrl+z
  wait_until 30 "the picture as it was" shows "$main" "$canvas" is_same "$work/before.png"
  wait_until 30 "a picture without changes after one step back" is_unchanged
  shot "undone"

  filter_menu Up Up Return
  window 60 '^Sfumato: '
  keys Escape
  wait_until 30 "the end of the dialog" is_gone '^Sfumato: '
  is_unchanged || fail "the picture changed though its user cancelled"
  shot "dialog-cancelled"

  be_slow
  filter_menu Up Return
  window 60 '^Sfumato( |$)'
  shot "progress"
  xdotool windowfocus --sync "$id"
  keys Escape
  wait_until 30 "the end of the progress" is_gone '^Sfumato( |$)'
  sleep 1
  is_unchanged || fail "the picture changed though its user cancelled"
  wait_until 30 "the picture as it was" shows "$main" "$canvas" is_same "$work/before.png"
  shot "progress-cancelled"
}

for stage in "${hosts[@]}"; do
  rm -rf "$XDG_CONFIG_HOME/sfumato"
  "drive_$stage"
  kill "${started[-1]}"
done
echo "Done. The pictures: $folder"
