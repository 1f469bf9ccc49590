#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""Whether every #include points from a layer to itself or to one below, and a drawing of them all.

A layer is one row of LAYERS, the highest first. Layers of one rank do not know each other. Inside a
layer its own folders may include each other.

Usage: layers.py SOURCE_FOLDER [--draw FILE.svg | --check FILE.svg]
  --draw   writes the drawing
  --check  fails if the drawing in FILE.svg is not the one that --draw would write
"""
import re
import sys
from collections import namedtuple
from pathlib import Path

Layer = namedtuple("Layer", "rank name purpose folders")

LAYERS = [
    Layer(8, "plugins", "command line, GIMP, GEGL, Krita, the worker", ("plugins",)),
    Layer(7, "gui", "windows of the editor and of the filter dialog", ("gui",)),
    Layer(6, "core/batch", "many files: planned, run, resumed, reported", ("core/batch",)),
    Layer(6, "core/compare", "results side by side: rendered, measured, drawn", ("core/compare",)),
    Layer(5, "core/io", "pictures and movies in files", ("core/io",)),
    Layer(5, "core/abi", "the C interface", ("core/abi", "core/include")),
    Layer(4, "core/engine", "a recipe, a picture, its tiles", ("core/engine",)),
    Layer(3, "core/filters", "a folder for each filter", ("core/filters",)),
    Layer(2, "core/device", "OpenCL: devices, programs, launches", ("core/device",)),
    Layer(1, "core/params", "parameters, values, recipes", ("core/params",)),
    Layer(1, "core/image", "pixel formats, light, colour", ("core/image",)),
    Layer(0, "core/text", "what the core says, as data", ("core/text",)),
]

# Layers that only some of the folders above may include. The other plug-ins have no Qt widgets.
ONLY_FROM = {"gui": ["gui", "plugins/dialog"]}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
SUFFIXES = (".c", ".cpp", ".h", ".hpp")
TOP_FOLDERS = ("core", "gui", "plugins")


def lies_in(path, folder):
    return path.parts[:len(Path(folder).parts)] == Path(folder).parts


def layer_of(path):
    """The layer of a file, whose path is relative to the source folder, or None."""
    return next((a for a in LAYERS for f in a.folders if lies_in(path, f)), None)


def included_by(source, file):
    """The files of the tree that `file` includes. Its own top-level folder is searched first, as
    gui/params and core/params have the same name."""
    roots = [file.parent, source / file.relative_to(source).parts[0],
             *(source / f for f in TOP_FOLDERS), source / "core/include"]
    for path in INCLUDE.findall(file.read_text(encoding="utf-8")):
        found = next((root / path for root in roots if (root / path).is_file()), None)
        if found is not None:
            yield found.resolve().relative_to(source)


def all_includes(source):
    """Each file of the layers, and what it includes."""
    files = sorted(f for top in TOP_FOLDERS for f in (source / top).rglob("*")
                   if f.suffix in SUFFIXES)
    return {f.relative_to(source): list(included_by(source, f)) for f in files}


def objection(file, own, layer):
    """What is wrong with an include of `layer` from `file`, which lies in `own`; None: nothing."""
    if layer is None or layer == own:
        return None
    if layer.rank > own.rank:
        return f"{layer.name} lies above {own.name}"
    if layer.rank == own.rank:
        return f"{layer.name} lies beside {own.name}"
    if not any(lies_in(file, f) for f in ONLY_FROM.get(layer.name, [file.parent])):
        return f"only {', '.join(ONLY_FROM[layer.name][1:])} may include {layer.name}"
    return None


def faults(includes):
    for file, others in includes.items():
        own = layer_of(file)
        if own is None:
            yield f"{file} lies in no layer: give {file.parent} a row in {Path(__file__).name}."
            continue
        yield from (f"{file} includes {other}, but {wrong}." for other in others
                    if (wrong := objection(file, own, layer_of(other))))


def edges_between_layers(includes):
    pairs = {(layer_of(file), layer_of(other)) for file in includes for other in includes[file]}
    return {(a, b) for a, b in pairs if a is not None and b is not None and a != b}


def without_implied(edges):
    """The edges that do not follow from others: no way through a third layer leads there."""
    def reaches(a, b):
        return any(x == a and (y == b or reaches(y, b)) for x, y in edges)
    return {(a, b) for a, b in edges
            if not any(x == a and y != b and reaches(y, b) for x, y in edges)}


# The drawing: a box for each layer with arrows on the left, a table of all includes on the right.
WIDTH, TOP, ROW, BOX = 900, 112, 54, 38
BOX_LEFT, BOX_RIGHT, TABLE_LEFT, CELL = 84, 536, 572, 28
INK, LINE, PALE = "#1f2933", "#52606d", "#e4e7eb"
COLORS = {"plugins": "#fde9d9", "gui": "#fde9d9", "core": "#e3eefb"}


class Drawing:
    def __init__(self, includes):
        self.layers = [a for a in LAYERS if any(layer_of(f) == a for f in includes)]
        self.edges = edges_between_layers(includes)
        self.lines = []

    def middle(self, layer):
        return TOP + self.layers.index(layer) * ROW + ROW // 2

    def column(self, layer):
        return TABLE_LEFT + self.layers.index(layer) * CELL + CELL // 2

    def add(self, line):
        self.lines.append("  " + line)

    def box(self, layer):
        y = self.middle(layer)
        color = COLORS[layer.name.split("/")[0]]
        self.add(f'<rect x="{BOX_LEFT}" y="{y - BOX // 2}" width="{BOX_RIGHT - BOX_LEFT}" '
                 f'height="{BOX}" rx="6" fill="{color}" stroke="{LINE}"/>')
        self.add(f'<text x="{BOX_LEFT + 14}" y="{y + 5}" font-weight="bold" font-size="15">'
                 f'{layer.name}</text>')
        self.add(f'<text x="{BOX_LEFT + 136}" y="{y + 5}">{layer.purpose}</text>')

    def arrow(self, upper, lower, lane):
        """Straight to the next row; past other rows on the left, in a lane of its own."""
        y0, y1 = self.middle(upper), self.middle(lower)
        if self.layers.index(lower) == self.layers.index(upper) + 1:
            x = (BOX_LEFT + BOX_RIGHT) // 2
            way = f"M {x} {y0 + BOX // 2} V {y1 - BOX // 2 - 1}"
        else:
            x = BOX_LEFT - 20 - 14 * lane
            way = f"M {BOX_LEFT} {y0 + 8} H {x} V {y1 - 8} H {BOX_LEFT - 1}"
        self.add(f'<path d="{way}" fill="none" stroke="{INK}" stroke-width="1.6" '
                 'marker-end="url(#head)"/>')

    def arrows(self):
        order = sorted(without_implied(self.edges), key=lambda e: [self.middle(a) for a in e])
        busy = []  # of each lane the lowest row that it is taken to
        for upper, lower in order:
            lane = 0
            if self.middle(lower) - self.middle(upper) > ROW:
                free = (i for i, end in enumerate(busy) if end <= self.middle(upper))
                lane = next(free, len(busy))
                busy[lane:lane + 1] = [self.middle(lower)]
            self.arrow(upper, lower, lane)

    def table(self):
        right = TABLE_LEFT + len(self.layers) * CELL
        for layer in self.layers:
            x, y = self.column(layer), self.middle(layer)
            self.add(f'<path d="M {TABLE_LEFT} {y} H {right}" stroke="{PALE}"/>')
            self.add(f'<path d="M {x} {TOP} V {TOP + len(self.layers) * ROW}" stroke="{PALE}"/>')
        for layer in self.layers:
            x, y = self.column(layer), self.middle(layer)
            self.add(f'<rect x="{x - 7}" y="{y - 7}" width="14" height="14" fill="{PALE}"/>')
            self.add(f'<text transform="translate({x + 4} {TOP - 8}) rotate(-50)">'
                     f'{layer.name.split("/")[-1]}</text>')
        for a, b in sorted(self.edges, key=lambda e: (self.middle(e[0]), self.column(e[1]))):
            self.add(f'<circle cx="{self.column(b)}" cy="{self.middle(a)}" r="6" fill="#2b6cb0"/>')

    def text(self):
        height = TOP + len(self.layers) * ROW + 62
        self.add(f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>')
        self.add('<text x="24" y="38" font-size="20" font-weight="bold">'
                 'The layers of Sfumato</text>')
        self.add('<text x="24" y="62">'
                 'Each may include what lies below it, and nothing else.</text>')
        for layer in self.layers:
            self.box(layer)
        self.arrows()
        self.table()
        for y, words in [(height - 38, "Arrows: includes that do not follow from other arrows."),
                         (height - 18, "Dots: all includes. The layer of the row includes files of "
                          "the layer of the column; wrong ones would lie left of the squares.")]:
            self.add(f'<text x="24" y="{y}" font-size="12.5" fill="{LINE}">{words}</text>')
        head = ('<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
                f'markerHeight="8" orient="auto"><path d="M 0 0 L 8 4 L 0 8 Z" fill="{INK}"/>'
                '</marker></defs>')
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" font-family="DejaVu Sans, Arial, sans-serif" '
            f'font-size="13" fill="{INK}">',
            "  <!-- SPDX-License-Identifier: Apache-2.0 -->",
            "  <!-- SPDX-FileCopyrightText: The Sfumato authors -->",
            "  <!-- Made by tests/build/layers.py from the #includes: not to be edited. -->",
            "  " + head, *self.lines, "</svg>", ""])


def main(arguments):
    if len(arguments) not in (1, 3) or (len(arguments) == 3 and
                                        arguments[1] not in ("--draw", "--check")):
        return [__doc__]
    includes = all_includes(Path(arguments[0]).resolve())
    if not any(includes.values()):
        return [f"There are no layers in {arguments[0]}."]
    found = list(faults(includes))
    if found or len(arguments) == 1:
        return found
    drawing, file = Drawing(includes).text(), Path(arguments[2])
    if arguments[1] == "--draw":
        file.write_text(drawing, encoding="utf-8")
    elif not file.is_file() or file.read_text(encoding="utf-8") != drawing:
        return [f"{file} is out of date: tests/build/layers.py {arguments[0]} --draw {file}"]
    return []


if __name__ == "__main__":
    messages = main(sys.argv[1:])
    for message in messages:
        print(message)
    sys.exit(1 if messages else 0)
