#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Checks the length, nesting and complexity of functions by clang-tidy, ten files at once as they
are compiled.

A unit is skipped if it passed before, and neither its files, its command, the limits nor clang-tidy
have changed (~/.cache/sfumato-tests/complexity). Fails if a function exceeds a limit.
Usage: complexity.py BUILD    a folder with compile_commands.json, by Clang
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = [str(ROOT / room) + "/" for room in ("core", "plugins", "gui")]
CHECKS = "-*,readability-function-cognitive-complexity,readability-function-size"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
PASSED = CACHE / "sfumato-tests" / "complexity"


def units(build):
    """Folder, file and command of each unit of the core, the plug-ins and the windows."""
    made = [f"{build}/{room}/" for room in ("core", "plugins", "gui")]
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = entry["file"]
        unity = "/Unity/" in file and file.startswith(tuple(made))
        if unity or file.startswith(tuple(ROOMS)):
            found.setdefault(file, (entry["directory"], file, shlex.split(entry["command"])))
    return sorted(found.values())


def files_of(folder, file, command):
    """The unit's files in the tree, by the compiler; None if it cannot say."""
    options = command[:command.index("-o")] + ["-MM", file]
    run = subprocess.run(options, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return None
    paths = shlex.split(run.stdout.partition(":")[2].replace("\\\n", " "))
    paths = [os.path.normpath(os.path.join(folder, path)) for path in paths]
    return sorted(path for path in set(paths) if path.startswith(str(ROOT) + "/"))


def record_of(unit, common):
    """Where the unit's success is recorded; None if its files are not known."""
    files = files_of(*unit)
    if files is None:
        return None
    digest = hashlib.sha256(common)
    digest.update("\0".join(unit[2]).encode())
    for path in files:
        digest.update(path.encode() + b"\0" + hashlib.sha256(pathlib.Path(path).read_bytes()).digest())
    return PASSED / digest.hexdigest()


def check(unit, build, common):
    """What clang-tidy says about a unit: (passed, its words, whether it was asked)."""
    record = record_of(unit, common)
    if record is not None and record.exists():
        return True, "", False
    rooms = "|".join(ROOMS)
    run = subprocess.run(
        ["clang-tidy", "--quiet", "-p", str(build), f"--checks={CHECKS}", "--extra-arg=-w",
         f"--header-filter=^({rooms})", unit[1]],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    # Not recorded if something was edited meanwhile.
    if run.returncode == 0 and record is not None and record == record_of(unit, common):
        PASSED.mkdir(parents=True, exist_ok=True)
        record.touch()
    return run.returncode == 0, run.stdout, True


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes() + pathlib.Path(__file__).read_bytes()
    all_units = units(build)
    if not all_units:
        sys.exit(f"{build}: no units of the core, the plug-ins or the windows")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda unit: check(unit, build, common), all_units))
    for passed, words, _ in results:
        if not passed:
            print(words)
    asked = sum(1 for result in results if result[2])
    print(f"{len(results)} units, {asked} checked, the others unchanged since they passed")
    sys.exit(0 if all(passed for passed, _, _ in results) else 1)


main()
