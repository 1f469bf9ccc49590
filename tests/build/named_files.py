#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Whether the files and folders that a page names are there.

Names are what stands between backticks and looks like a path. One without a folder may lie anywhere,
since pages name the folder once and then what lies in it.

Usage: named_files.py SOURCE_FOLDER PAGE.md...
"""
import re
import sys
from pathlib import Path

TOP_FOLDERS = ("cl", "core", "gui", "packaging", "plugins", "tests")
NAMED = re.compile(r"`([\w./-]+)`")
FILE = re.compile(r"[\w-]+\.(?:cpp|hpp|h|cl|clh|py|sh|md|svg|json|ts)")


def main(source, pages):
    files = [f for top in TOP_FOLDERS for f in (source / top).rglob("*")]
    names = {f.name for f in files}
    for page in pages:
        named = set(NAMED.findall((source / page).read_text(encoding="utf-8")))
        if not named:
            yield f"{page} names no files."
        for name in sorted(named):
            if name.split("/")[0] in TOP_FOLDERS and "/" in name:
                there = (source / name).exists()
            else:
                there = name in names or not FILE.fullmatch(name)
            if not there:
                yield f"{page} names {name}, which is not there."


if __name__ == "__main__":
    messages = list(main(Path(sys.argv[1]), sys.argv[2:]))
    for message in messages:
        print(message)
    sys.exit(1 if messages else 0)
