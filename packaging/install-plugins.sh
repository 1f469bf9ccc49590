#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Installs the built plug-ins into the current user's folders of GIMP, Krita and GEGL, or removes
# them again. Needs no root; a host may be installed later.
# Usage: packaging/install-plugins.sh [--build DIR] [--remove]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

build=$root/build/release
remove=
while [ $# -gt 0 ]; do
  case "$1" in
    --build)
      [ $# -ge 2 ] || { echo "--build wants a folder" >&2; exit 2; }
      build=$2
      shift
      ;;
    --remove) remove=1 ;;
    *)
      echo "usage: install-plugins.sh [--build DIR] [--remove]" >&2
      exit 2
      ;;
  esac
  shift
done

: "${HOME:?the home folder is not known}"
# Relative folders do not count (XDG Base Directory Specification).
data=${XDG_DATA_HOME:-}
[[ $data == /* ]] || data=$HOME/.local/share
config=${XDG_CONFIG_HOME:-}
[[ $config == /* ]] || config=$HOME/.config
programs=$HOME/.local/lib/sfumato
# Records installed files, so that nothing else is removed; its place does not depend on settings.
list=$programs/plugins.list
# Places used by earlier versions.
lists=("$list" "$data/sfumato/plugins.list" "$HOME/.local/share/sfumato/plugins.list")

# GIMP's own folder for the version that the plug-in was built for. GIMP resolves relative ones
# against the home folder.
gimp_folder() {
  local own
  if grep -qa 'libgimp-3\.0' "$build/gimp/plug-ins/sfumato/sfumato"; then
    own=${GIMP3_DIRECTORY:-$config/GIMP/3.0}
  else
    own=${GIMP2_DIRECTORY:-$config/GIMP/2.10}
  fi
  [[ $own == /* ]] || own=$HOME/$own
  echo "$own"
}

# Removes what one list names: files, and folders created for them (with a trailing slash),
# outermost first.
take_listed_away() {
  local list=$1 path paths folders=() left=()
  [ -f "$list" ] || return 0
  mapfile -t paths <"$list" || return 1
  for path in "${paths[@]}"; do
    case "$path" in
      /*/) folders+=("$path") ;;
      [!/]* | "") ;;
      *)
        rm -f -- "$path" || left+=("$path")
        # Python's compiled copy.
        local compiled=${path%/*}/__pycache__ name=${path##*/}
        if [[ $name == *.py && -d $compiled && ! -L $compiled ]]; then
          rm -f -- "$compiled/${name%.py}".cpython-*.pyc || true
          rmdir --ignore-fail-on-non-empty -- "$compiled" || true
        fi
        ;;
    esac
  done
  if [ ${#left[@]} -gt 0 ]; then
    printf '%s\n' "${folders[@]}" "${left[@]}" >"$list"
    echo "These could not be taken away: ${left[*]}" >&2
    return 1
  fi
  rm -f -- "$list"  # its folder may be one of those
  local i
  for ((i = ${#folders[@]} - 1; i >= 0; --i)); do
    rmdir --ignore-fail-on-non-empty -- "${folders[i]}" 2>/dev/null || true
  done
}

take_away() {
  local one status=0
  for one in "${lists[@]}"; do
    take_listed_away "$one" || status=1
  done
  return $status
}

is_installed() {
  local one
  for one in "${lists[@]}"; do
    [ ! -f "$one" ] || return 0
  done
  return 1
}

# Creates a folder, recording the parts that did not exist before.
folder() {
  local missing=() at=$1
  while [ ! -d "$at" ]; do
    missing=("$at/" "${missing[@]}")
    at=$(dirname "$at")
  done
  mkdir -p "$1"
  [ ${#missing[@]} -eq 0 ] || printf '%s\n' "${missing[@]}" >>"$list"
}

if [ -n "$remove" ]; then
  if is_installed; then
    take_away
    echo "Sfumato's plug-ins are gone."
  else
    echo "No plug-ins of Sfumato are installed for this user."
  fi
  exit 0
fi

if [ ! -x "$build/bin/sfumato-worker" ]; then
  echo "$build holds no plug-ins: build them first, or name the folder with --build" >&2
  exit 1
fi
take_away  # of an older version
folder "$programs"

# put MODE FILE TARGET: never replaces a file that is not ours.
put() {
  if [ -e "$3" ] || [ -L "$3" ]; then
    echo "$3 is there already and is not ours: it stays" >&2
    return 0
  fi
  folder "$(dirname "$3")"
  echo "$3" >>"$list"
  install -m "$1" "$2" "$3"
}

put 755 "$build/bin/sfumato-worker" "$programs/sfumato-worker"
if [ -x "$build/bin/sfumato-dialog" ]; then
  put 755 "$build/bin/sfumato-dialog" "$programs/sfumato-dialog"
  put 644 "$build/lib/sfumato/sfumato-io-openimageio.so" "$programs/sfumato-io-openimageio.so"
  put 755 "$build/lib/sfumato/sfumato-decode" "$programs/sfumato-decode"
  for file in "$build"/lib/sfumato/stand-ins/*; do
    [ ! -e "$file" ] || put 755 "$file" "$programs/stand-ins/$(basename "$file")"
  done
  krita=$data/krita
  for file in "$root"/plugins/krita/sfumato/*; do
    [ -d "$file" ] || put 644 "$file" "$krita/pykrita/sfumato/$(basename "$file")"
  done
  put 644 "$root/plugins/krita/kritapykrita_sfumato.desktop" \
    "$krita/pykrita/kritapykrita_sfumato.desktop"
  put 644 "$root/plugins/krita/sfumato.action" "$krita/actions/sfumato.action"
  echo "Krita: switch Sfumato on in Settings, Configure Krita, Python Plugin Manager."
fi
if [ -f "$build/gegl-0.4/sfumato.so" ]; then
  put 644 "$build/gegl-0.4/sfumato.so" "$data/gegl-0.4/plug-ins/sfumato.so"
  echo "GEGL: operations sfumato:..., also in GIMP."
fi
if [ -x "$build/gimp/plug-ins/sfumato/sfumato" ]; then
  put 755 "$build/gimp/plug-ins/sfumato/sfumato" "$(gimp_folder)/plug-ins/sfumato/sfumato"
  # Translations of its menus.
  for file in "$build"/gimp/plug-ins/sfumato/locale/*/LC_MESSAGES/*.mo; do
    [ ! -f "$file" ] || put 644 "$file" "$(gimp_folder)/plug-ins/sfumato/${file#"$build"/gimp/plug-ins/sfumato/}"
  done
  echo "GIMP: Filters, Sfumato, from its next start on."
fi
