#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Prints how long a run of ctest took, and its ten slowest tests, from its JUnit file.

With --costs it prints every test's seconds as tests/costs.txt holds them: CTest begins with the
longest, so that none of them is left for the end.
Usage: test-times.py TITLE JUNIT.xml
       test-times.py --costs JUNIT.xml...
"""
import sys
import xml.etree.ElementTree


def times(file):
    """Name and seconds of each test that ran."""
    cases = xml.etree.ElementTree.parse(file).getroot().iter("testcase")
    return [(case.get("name"), float(case.get("time"))) for case in cases]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--costs":
        longest = {}
        for file in sys.argv[2:]:
            for name, seconds in times(file):
                longest[name] = max(seconds, longest.get(name, 0))
        for name, seconds in sorted(longest.items(), key=lambda entry: (-entry[1], entry[0])):
            if seconds >= 1:
                print(name, round(seconds))
        return
    found = sorted(times(sys.argv[2]), key=lambda entry: -entry[1])
    print(f"== {sys.argv[1]}: {len(found)} tests, {sum(t for _, t in found):.0f} s; the slowest:")
    for name, seconds in found[:10]:
        print(f"  {seconds:8.1f} s  {name}")


main()
