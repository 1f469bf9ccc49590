#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Small faults for packaging/mutate.sh: one token of the core or of a kernel, changed.

mutations.py list TREE COUNT SEED   prints COUNT faults, one a line: FILE<tab>OFFSET<tab>OLD<tab>NEW
mutations.py put TREE FAULT         puts such a line into the tree; prints the line it changed
"""
import pathlib
import random
import re
import sys

# Reading files, batches and the C interface have tests that need more than the core.
FOLDERS = ["core/text", "core/params", "core/image", "core/device", "core/filters", "core/engine", "cl"]
ENDINGS = (".cpp", ".cl", ".clh")

# What is no code: comments, texts, includes. Ranges, defaults and versions of filters are code.
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
    r'|#\s*(?:include|pragma|error)\b[^\n]*', re.S)
FAULTS = [
    (r" < ", [" <= ", " >= "]),
    (r" > ", [" >= ", " <= "]),
    (r" <= ", [" < ", " > "]),
    (r" >= ", [" > ", " < "]),
    (r" == ", [" != "]),
    (r" != ", [" == "]),
    (r" && ", [" || "]),
    (r" \|\| ", [" && "]),
    (r" \+ ", [" - "]),
    (r" - ", [" + "]),
    (r" \* (?=[\w(])", [" + "]),
    (r" \+= ", [" -= "]),
    (r"\btrue\b", ["false"]),
    (r"\bfalse\b", ["true"]),
    (r"\bmin\(", ["max("]),
    (r"\bmax\(", ["min("]),
    (r"(?<![\w.])[1-9]\d?(?![\w.])", ["+1"]),
]


def code_of(text):
    """The text with blanks for what is no code."""
    return NO_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def faults_in(tree, file):
    code = code_of((tree / file).read_text(encoding="utf-8"))
    for pattern, changes in FAULTS:
        for found in re.finditer(pattern, code):
            for new in changes:
                old = found.group(0)
                yield file, found.start(), old, str(int(old) + 1) if new == "+1" else new


def print_faults(tree, count, seed):
    files = sorted(path.relative_to(tree).as_posix() for folder in FOLDERS
                   for path in (tree / folder).rglob("*") if path.suffix in ENDINGS)
    everything = [fault for file in files for fault in faults_in(tree, file)]
    random.Random(seed).shuffle(everything)
    for fault in everything[:count]:
        print(*fault, sep="\t")


def put(tree, fault):
    file, offset, old, new = fault.split("\t")
    path, at = tree / file, int(offset)
    text = path.read_text(encoding="utf-8")
    assert text.startswith(old, at), "the tree is not the one that the fault was found in"
    text = text[:at] + new + text[at + len(old):]
    path.write_text(text, encoding="utf-8")
    line = text.count("\n", 0, at) + 1
    print(f"{file}:{line}: {text.splitlines()[line - 1].strip()}")


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print_faults(pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        put(pathlib.Path(sys.argv[2]), sys.argv[3])
