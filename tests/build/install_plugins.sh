#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Plug-ins are installed into an empty home, found there by the installed hosts, and removed again
# without a trace. Also tests the package's own places below a prefix.
# Usage: install_plugins.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME=$home/user
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME GIMP2_DIRECTORY GIMP3_DIRECTORY DISPLAY
unset SFUMATO_WORKER SFUMATO_DIALOG
export SFUMATO_DEVICE=reference

fail() {
  echo "$1" >&2
  exit 1
}
files() {
  find "$HOME" | sort
}

mkdir -p "$HOME/.local/share/krita/pykrita" "$HOME/.local/share/gegl-0.4/plug-ins"
echo theirs >"$HOME/.local/share/krita/pykrita/other.desktop"
before=$(files)
"$source/packaging/install-plugins.sh" --build "$build" >/dev/null
installed=$(files)
"$source/packaging/install-plugins.sh" --build "$build" >/dev/null  # again: the same
[ "$(files)" = "$installed" ] || fail "a second installation changed something"
[ -x "$HOME/.local/lib/sfumato/sfumato-worker" ] || fail "no worker was installed"

# The operation's message about computing without a worker goes to standard error.
compute() {
  gegl -o "$home/out.png" -- gegl:checkerboard gegl:crop width=32 height=32 sfumato:box \
    2>"$home/said" >/dev/null
  [ -s "$home/out.png" ] || fail "gegl does not compute: $(cat "$home/said")"
  ! grep -q 'sfumato-worker' "$home/said" || fail "gegl finds no worker: $(cat "$home/said")"
  rm "$home/out.png"
}
if command -v gegl >/dev/null && [ -f "$build/gegl-0.4/sfumato.so" ]; then
  compute
  gegl --list-all >"$home/operations" 2>/dev/null
  grep -q '^sfumato:gaussian$' "$home/operations" || fail "gegl finds no operation"
fi
if [ -d "$HOME/.local/share/krita/pykrita/sfumato" ]; then
  [ -f "$HOME/.local/share/krita/actions/sfumato.action" ] || fail "Krita's part is not whole"
  "$HOME/.local/lib/sfumato/sfumato-dialog" --version >/dev/null || fail "the dialog does not start"
fi
if command -v gimp-console-2.10 >/dev/null &&
  [ -x "$HOME/.config/GIMP/2.10/plug-ins/sfumato/sfumato" ]; then
  said=$(gimp-console-2.10 --no-interface --no-data --no-fonts -b '
    (let* ((image (car (gimp-image-new 8 8 RGB)))
           (layer (car (gimp-layer-new image 8 8 RGB-IMAGE "a" 100 LAYER-MODE-NORMAL))))
      (gimp-image-insert-layer image layer 0 0)
      (gimp-drawable-fill layer FILL-WHITE)
      (plug-in-sfumato RUN-WITH-LAST-VALS image layer))' -b '(gimp-quit 1)' 2>&1 || true)
  case "$said" in
    *"No filter has been applied yet"*) ;;
    *) fail "GIMP does not run the plug-in: $said" ;;
  esac
  rm -rf "$HOME/.config/GIMP" "$HOME/.cache" "$HOME/.local/share/recently-used.xbel" "$HOME/.gimp"*
  "$source/packaging/install-plugins.sh" --build "$build" >/dev/null
fi

# Files that cannot be removed stay on the list.
worker=$HOME/.local/lib/sfumato/sfumato-worker
rm "$worker"
mkdir -p "$worker/in-the-way"
! "$source/packaging/install-plugins.sh" --remove >/dev/null 2>&1 || fail "nothing was said of what stays"
[ -d "$worker" ] || fail "a folder was taken away"
rm -r "$worker"

"$source/packaging/install-plugins.sh" --remove >/dev/null

# Krita's Python compiles what it runs.
"$source/packaging/install-plugins.sh" --build "$build" >/dev/null
if [ -d "$HOME/.local/share/krita/pykrita/sfumato" ]; then
  env -u PYTHONDONTWRITEBYTECODE python3 -m compileall -q "$HOME/.local/share/krita/pykrita/sfumato"
fi
"$source/packaging/install-plugins.sh" --remove >/dev/null
rm -rf "$HOME/.cache"
nothing_left() {
  local left
  left=$(files)
  [ "$left" = "$before" ] ||
    fail "more or less is left than there was: $(diff <(echo "$before") <(echo "$left"))"
}
nothing_left
install() {
  "$source/packaging/install-plugins.sh" --build "$build" "$@" 2>&1
}

# With another data folder than before: our files are still recognised.
XDG_DATA_HOME=$home/one install >/dev/null
said=$(XDG_DATA_HOME=$home/two install)
[[ $said != *"is not ours"* ]] || fail "what is ours is not known: $said"
[ ! -e "$home/one" ] || fail "what was in the old data folder stays"
[ ! -x "$build/bin/sfumato-dialog" ] || [ -f "$home/two/krita/actions/sfumato.action" ] ||
  fail "nothing is in the new data folder"
install --remove >/dev/null
[ ! -e "$home/two" ] || fail "what is in another data folder stays"
nothing_left

# Lists written elsewhere by earlier versions.
for data in "$HOME/.local/share" "$home/three"; do
  for how in "" --remove; do
    XDG_DATA_HOME=$data install >/dev/null
    mkdir "$data/sfumato"
    { echo "$data/sfumato/" && cat "$HOME/.local/lib/sfumato/plugins.list"; } >"$home/list"
    mv "$home/list" "$data/sfumato/plugins.list"
    rm "$HOME/.local/lib/sfumato/plugins.list"
    said=$(XDG_DATA_HOME=$data install $how)
    [[ $said != *"is not ours"* && $said != *"No plug-ins"* ]] ||
      fail "an old list is not read: $said"
    [ ! -e "$data/sfumato" ] || fail "an old list stays"
    [ -n "$how" ] || install --remove >/dev/null
    nothing_left
  done
done

# GIMP resolves a relative folder against the home.
if [ -x "$build/gimp/plug-ins/sfumato/sfumato" ]; then
  (cd "$home" && GIMP2_DIRECTORY=own/gimp GIMP3_DIRECTORY=own/gimp install >/dev/null)
  [ -x "$HOME/own/gimp/plug-ins/sfumato/sfumato" ] || fail "GIMP's own folder has no plug-in"
  install --remove >/dev/null
  nothing_left
fi

# The user's own files of the same name.
mkdir -p "$HOME/.local/lib/sfumato"
echo theirs >"$HOME/.local/lib/sfumato/sfumato-worker"
said=$(install)
[[ $said == *"sfumato-worker is there already and is not ours"* ]] || fail "nothing was said: $said"
install --remove >/dev/null
[ "$(cat "$HOME/.local/lib/sfumato/sfumato-worker")" = theirs ] || fail "the user's own is gone"
rm -r "$HOME/.local/lib"
nothing_left

# A package's places: the module finds the worker from there.
cmake --install "$build" --prefix "$home/prefix" >/dev/null
worker=$(find "$home/prefix" -name sfumato-worker)
[ "$worker" = "$home/prefix/libexec/sfumato/sfumato-worker" ] || fail "the worker lies at $worker"
module=$(find "$home/prefix" -path '*gegl-0.4/sfumato.so')
if command -v gegl >/dev/null && [ -n "$module" ]; then
  GEGL_PATH=$(pkg-config --variable=pluginsdir gegl-0.4):$(dirname "$module") compute
fi
