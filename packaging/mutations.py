#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Small faults for packaging/mutate.sh: one operator, number or word of the core or its kernels.

Usage: mutations.py TREE SEED
         prints all faults, shuffled: file, line, column, what stands there, what takes its place
       mutations.py TREE --apply FILE LINE COLUMN BEFORE AFTER
"""
import random
import re
import sys
from pathlib import Path

FOLDERS = ("core/text", "core/params", "core/image", "core/device", "core/filters", "core/engine", "cl")
# What chooses how fast something is computed, and never what, is not a fault that tests can see.
SPEED_ONLY = re.compile(r"tun|pace|work|budget|patience", re.IGNORECASE)
FAULTS = [
    (re.compile(r"(?<![<>=!\-+*/&|])<(?![<=>])(?= )"), "<="),
    (re.compile(r"(?<![<>=!\-])>(?![>=])(?= )"), ">="),
    (re.compile(r"<=(?!>)"), "<"),
    (re.compile(r"(?<!=)>="), ">"),
    (re.compile(r"=="), "!="),
    (re.compile(r"!="), "=="),
    (re.compile(r"&&"), "||"),
    (re.compile(r"\|\|"), "&&"),
    (re.compile(r"(?<=[\w)\]] )\+(?= [\w(])"), "-"),
    (re.compile(r"(?<=[\w)\]] )-(?= [\w(])"), "+"),
    (re.compile(r"(?<=[\w)\]] )\*(?= [\w(])"), "+"),
    (re.compile(r"\bmin\("), "max("),
    (re.compile(r"\bmax\("), "min("),
    (re.compile(r"\btrue\b"), "false"),
    (re.compile(r"\bfalse\b"), "true"),
    (re.compile(r"(?<![\w.])[1-9](?![\w.])"), "0"),
    (re.compile(r"(?<![\w.])0(?![\w.])"), "1"),
]
NO_CODE = re.compile(r"^\s*(//|#|\*|static_assert|template\b|using\b|namespace\b|\.)")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*')


def places_in(text):
    """Each line's faults: line and column from 1, what stands there, what takes its place."""
    for number, line in enumerate(text.split("\n"), 1):
        if NO_CODE.match(line) or SPEED_ONLY.search(line):
            continue
        code = QUOTED.sub(lambda m: " " * len(m[0]), line)
        for pattern, after in FAULTS:
            for found in pattern.finditer(code):
                yield number, found.start() + 1, found[0], after


def all_faults(tree):
    for folder in FOLDERS:
        for file in sorted((tree / folder).rglob("*")):
            if file.suffix not in (".cpp", ".hpp", ".cl", ".clh"):
                continue
            name = file.relative_to(tree).as_posix()
            for place in places_in(file.read_text(encoding="utf-8")):
                yield (name, *place)


def apply(file, line, column, before, after):
    lines = file.read_text(encoding="utf-8").split("\n")
    text = lines[line - 1]
    if not text.startswith(before, column - 1):
        sys.exit(f"{file}:{line}:{column} is not {before}")
    lines[line - 1] = text[:column - 1] + after + text[column - 1 + len(before):]
    file.write_text("\n".join(lines), encoding="utf-8")


def main():
    tree = Path(sys.argv[1])
    if sys.argv[2] == "--apply":
        name, line, column, before, after = sys.argv[3:]
        apply(tree / name, int(line), int(column), before, after)
        return
    faults = list(all_faults(tree))
    random.Random(int(sys.argv[2])).shuffle(faults)
    for fault in faults:
        print(*fault, sep="\t")


if __name__ == "__main__":
    main()
