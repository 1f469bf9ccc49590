# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Sourced by scripts that run as root: Debian systems in folders of their own.

# apart SCRIPT ARGUMENT...: runs the script again in its own mount and process namespaces, so that
# its mounts and processes always end with it. In the second run it returns at once.
apart() {
  if [ "$(id -u)" -ne 0 ]; then
    echo "$1: please run it as root: it makes a system of its own in a folder" >&2
    exit 1
  fi
  # Lets git accept the tree whoever owns it.
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
  [ -z "${SFUMATO_APART:-}" ] || return 0
  SFUMATO_APART=1 exec unshare --mount --propagation private --pid --fork --kill-child "$@"
}

# Where roots and their fetched packages are kept.
roots=${SFUMATO_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/sfumato-roots}

# make_root SUITE FOLDER: a minimal Debian (debootstrap's minbase), made once and kept.
make_root() {
  local suite=$1 folder=$2 mirror
  mkdir -p "$(dirname "$folder")"
  [ ! -d "$folder/debootstrap" ] || rm -rf --one-file-system "$folder"  # one that was never finished
  [ ! -e "$folder/etc/sfumato-ready" ] || return 0
  echo "== a root of Debian's $suite"
  command -v debootstrap >/dev/null || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
  }
  # The mirror of this machine's own packages, if it is a Debian.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' |
    head -n 1)
  debootstrap --variant=minbase "$suite" "$folder" ${mirror:+"$mirror"} >"$folder.log" || {
    tail "$folder.log" >&2
    exit 1
  }
  # A lost root is simply made again, so writes need not wait for the disk.
  echo force-unsafe-io >"$folder/etc/dpkg/dpkg.cfg.d/sfumato"
  touch "$folder/etc/sfumato-ready"
}

# fresh_root SUITE FOLDER: an unmodified copy of the bare root of that suite. Packages fetched by
# earlier copies are kept beside it and reused.
fresh_root() {
  local bare=$roots/$1
  mkdir -p "$roots"
  # Two concurrent runs would compete for apt's lock on the fetched packages.
  exec 8>"$roots/$1-packages.lock"
  flock -n 8 || {
    echo "Waiting for another run in a root of $1"
    flock 8
  }
  (
    flock 9
    make_root "$1" "$bare"
  ) 9>"$bare.lock"
  rm -rf --one-file-system "$2"
  cp -a --reflink=auto "$bare" "$2"
  open_root "$2"
  mkdir -p "$roots/$1-packages/partial"
  mount --bind "$roots/$1-packages" "$2/var/cache/apt/archives"
}

# open_root FOLDER: provides what programs inside expect of a system; `inside` then runs there.
open_root() {
  root=$1
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"  # OpenCL drivers ask it for the processors
  mount --rbind /dev "$root/dev"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
}

# close_root: unmounts everything in the last root. May be called repeatedly.
close_root() {
  local place
  [ -n "${root:-}" ] || return 0
  for place in dev sys proc var/cache/apt/archives; do
    ! mountpoint -q "$root/$place" || umount -R "$root/$place"
  done
  root=
  exec 8>&-  # the next run may begin
}

# inside COMMAND...: runs in the root opened last, without the caller's settings.
inside() {
  local name kept=()
  for name in http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || kept+=("$name=${!name}")
  done
  chroot "$root" env -i "${kept[@]}" HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
