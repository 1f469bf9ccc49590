#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Small faults for packaging/mutate.sh: one token of the core or of a kernel, changed.

mutations.py list COUNT SEED   prints COUNT faults, one a line: FILE<tab>OFFSET<tab>OLD<tab>NEW
mutations.py put TREE FAULT    puts such a line into a copy of the tree; prints the line it changed
"""
import random
import re
import subprocess
import sys

FOLDERS = ["core/text", "core/params", "core/image", "core/device", "core/filters", "core/engine", "cl"]
ENDINGS = (".cpp", ".cl", ".clh")

# What is no code, and what a change of is no fault: texts, includes, declarations of filters (ranges
# and help), logging.
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|#[^\n]*', re.S)
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


def faults_in(file):
    code = code_of(open(file, encoding="utf-8").read())
    for pattern, changes in FAULTS:
        for found in re.finditer(pattern, code):
            for new in changes:
                old = found.group(0)
                yield file, found.start(), old, str(int(old) + 1) if new == "+1" else new


def print_faults(count, seed):
    listed = subprocess.run(["git", "ls-files", "--", *FOLDERS], check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split()
    chosen = random.Random(seed)
    by_file = {f: list(faults_in(f)) for f in listed if f.endswith(ENDINGS)}
    everything = [fault for faults in by_file.values() for fault in faults]
    for fault in chosen.sample(everything, min(count, len(everything))):
        print(*fault, sep="\t")


def put(tree, fault):
    file, offset, old, new = fault.split("\t")
    path, at = f"{tree}/{file}", int(offset)
    text = open(path, encoding="utf-8").read()
    assert text.startswith(old, at), "the tree is not the one that the fault was found in"
    text = text[:at] + new + text[at + len(old):]
    open(path, "w", encoding="utf-8").write(text)
    line = text.count("\n", 0, at) + 1
    print(f"{file}:{line}: {text.splitlines()[line - 1].strip()}")


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print_faults(int(sys.argv[2]), sys.argv[3])
    else:
        put(sys.argv[2], sys.argv[3])
