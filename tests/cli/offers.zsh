#!/usr/bin/zsh -f
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# offers.zsh FOLDER LINE: what zsh offers behind LINE with the completion that lies in FOLDER, one
# a line, its description behind a tab. A shell of its own is worked through a terminal.
zmodload zsh/zpty || exit 3
offers=$(mktemp) setup=$(mktemp)
cat >$setup <<END
PROMPT=
LISTMAX=100000
fpath=(${(q)1} \$fpath)
autoload -Uz compinit
compinit -u -D
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
# What the completion adds is written down. Calls that only fill arrays are not meant.
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "\$@"
    return
  fi
  local -a found told
  local at=\${@[(i)-d]} name
  if (( at < \$# )); then
    name=\${@[at+1]}
    told=("\${(@P)name}")
  fi
  builtin compadd -A found -D told "\$@"
  local i
  for (( i = 1; i <= \$#found; ++i )); do
    print -r -- \$IPREFIX\$found[i]\$'\t'\${told[i]##*-- } >>$offers
  done
  builtin compadd "\$@"
}
comppostfuncs=(exit)
print ready
END
zpty shell zsh -f -i
zpty -w shell "source $setup"
zpty -r shell line '*ready*' || exit 4
zpty -n -w shell "$2"$'\t'
while zpty -r shell line; do :; done
sort -u $offers
rm -f $offers $setup
