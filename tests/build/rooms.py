#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Whether each file of a filter lies where its users say that it belongs.

What one filter alone uses lies in the rooms of that filter, core/filters/<id> and cl/<id>; what two
or more users have in common lies in core/filters/shared and cl/shared. A user is a filter, the
engine's kernels, or a program that shows what a filter computes. Tests of filters lie in
tests/filters/<id>, or in tests/filters/shared/<family>. Every filter has an oracle: a test in its
room, or one of a family whose code it uses, by which it is named.

Usage: rooms.py SOURCE_FOLDER
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def files_below(folder, *suffixes):
    return sorted(f for f in folder.rglob("*") if f.suffix in suffixes)


def included_by(file, roots):
    """The files of the tree that `file` includes by a path from one of `roots`."""
    paths = INCLUDE.findall(file.read_text(encoding="utf-8"))
    return [root / path for path in paths for root in roots if (root / path).is_file()]


class Rooms:
    """The files below a folder of rooms, and who uses them."""

    def __init__(self, folder, root, suffixes, outsiders=()):
        self.folder = folder
        self.files = files_below(folder, *suffixes)
        self.includes = {f: included_by(f, [root]) for f in [*self.files, *outsiders]}
        self.outsiders = list(outsiders)

    def room(self, file):
        """The filter's id, "shared", or None for the contract that lies beside the rooms."""
        parts = file.relative_to(self.folder).parts
        return parts[0] if len(parts) > 1 else None

    def reached_from(self, file):
        """All files that `file` needs: what it includes, and what defines what that declares."""
        seen, to_do = set(), [file]
        while to_do:
            f = to_do.pop()
            if f in seen or f not in self.includes:
                continue
            seen.add(f)
            to_do += self.includes[f]
            to_do += [d for d in self.files if d.suffix == ".cpp" and self.defines(d, f)]
        return seen

    def defines(self, source, header):
        """Whether the room's `source` includes the room's `header`, or a header that does."""
        near = [f for f in self.includes[source] if f.parent == header.parent]
        return source.parent == header.parent and (
            header in near or any(header in self.includes[f] for f in near))

    def faults(self):
        users = defaultdict(set)
        for file in self.files:
            room = self.room(file)
            if room not in (None, "shared"):
                for reached in self.reached_from(file):
                    users[reached].add(room)
        for file in self.outsiders:
            for reached in self.reached_from(file):
                users[reached].add(str(file.parent))
        for file in self.files:
            room, who = self.room(file), users[file]
            if room == "shared" and len(who) < 2:
                yield f"{file} is shared, but used by {', '.join(who) or 'nobody'} alone."
            elif room not in (None, "shared") and who - {room}:
                yield f"{file} is used by {', '.join(sorted(who - {room}))} too: it is not {room}'s."


def test_faults(tests, filters):
    for file in files_below(tests, ".cpp"):
        place = file.relative_to(tests).parent
        if not (filters / place).is_dir():
            yield f"{file} tests no filter: there is no {filters / place}."


def without_oracle(tests, rooms):
    """Filters that no test compares with numbers of its own, as far as places and names tell."""
    shared = rooms.folder / "shared"
    for room in sorted(f for f in rooms.folder.iterdir() if f.is_dir() and f != shared):
        if list((tests / room.name).glob("test_*.cpp")):
            continue
        used = {r for f in rooms.files if f.parent == room for r in rooms.reached_from(f)}
        families = {f.parent.name for f in used if f.parent.parent == shared}
        texts = [t.read_text(encoding="utf-8") for family in sorted(families)
                 for t in (tests / "shared" / family).glob("test_*.cpp")]
        if not any(f'"{room.name}"' in text for text in texts):
            yield (f"{room.name} has no oracle: there is no {tests / room.name}/test_*.cpp, and no "
                   f"test of {', '.join(sorted(families)) or 'a family'} names it.")


def main(source):
    filters, cl = source / "core/filters", source / "cl"
    programs = [f for part in ("core/engine", "core/io", "core/batch", "core/abi", "gui", "plugins")
                for f in files_below(source / part, ".cpp", ".hpp")]
    rooms = [Rooms(filters, source / "core", (".cpp", ".hpp"), programs),
             Rooms(cl, cl, (".cl", ".clh"))]
    if not all(r.files for r in rooms):
        return ["There are no filters in " + str(source) + "."]
    faults = [fault for r in rooms for fault in r.faults()]
    tests = source / "tests/filters"
    return [*faults, *test_faults(tests, filters), *without_oracle(tests, rooms[0])]


if __name__ == "__main__":
    found = main(Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
