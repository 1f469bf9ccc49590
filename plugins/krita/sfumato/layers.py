# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Krita's layers: what can be filtered, and how its pixels lie.
import os

from . import handover
from .handover import Header

_DEPTHS = {"U8": handover.U8, "U16": handover.U16, "F16": handover.F16, "F32": handover.F32}
_CHANNELS = {"RGBA": 4, "GRAYA": 2}
_MODELS = {"CMYKA": "CMYK", "LABA": "Lab", "XYZA": "XYZ", "YCbCrA": "YCbCr", "A": "alpha"}
_KINDS = {
    "grouplayer": "A group layer", "filelayer": "A file layer", "clonelayer": "A clone layer",
    "filterlayer": "A filter layer", "filllayer": "A fill layer", "vectorlayer": "A vector layer",
    "transparencymask": "A transparency mask", "filtermask": "A filter mask",
    "transformmask": "A transform mask", "selectionmask": "A selection mask",
    "colorizemask": "A colorize mask",
}


class Refusal(Exception):
    """One sentence for the user; nothing was changed."""


def filterable(document, node=None):
    """The layer, or the active one; Refusal where its pixels cannot be filtered."""
    node = node or document.activeNode()
    if node is None:
        raise Refusal("There is no active layer to filter.")
    if node.type() != "paintlayer":
        raise Refusal("%s has no pixels of its own to filter: choose a paint layer."
                      % _KINDS.get(node.type(), "This layer"))
    if node.locked():
        raise Refusal("The layer is locked: unlock it to filter it.")
    check_colors(node)
    return node


def check_colors(node):
    if node.colorModel() not in _CHANNELS:
        raise Refusal("%s pixels cannot be filtered: convert the layer to RGB or gray."
                      % _MODELS.get(node.colorModel(), node.colorModel()))
    if node.colorDepth() not in _DEPTHS:
        raise Refusal("Pixels of %s bits cannot be filtered." % node.colorDepth())


def profile_bytes(name):
    """The ICC profile that Krita calls so, where its file is found."""
    data = [os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")]
    data += (os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    if not name or os.path.basename(name) != name:
        return b""
    for folder in data:
        for place in ("krita/profiles", "color/icc/krita", "color/icc"):
            path = os.path.join(folder, place, name)
            if os.path.isfile(path) and os.path.getsize(path) < 1 << 24:
                with open(path, "rb") as file:
                    return file.read()
    return b""


def curve_of(name):
    """The tone curve of a profile, by the endings that Krita's own have."""
    lower = name.lower()
    if "-g10" in lower or "linear" in lower:
        return handover.LINEAR, 1.0
    for ending, gamma in (("-g18", 1.8), ("-g22", 2.2)):
        if ending in lower:
            return handover.POWER, gamma
    return handover.SRGB, 1.0


def region_of(document, node):
    """What is handed over: the canvas, and the layer where it reaches beyond."""
    region = document.bounds()
    bounds = node.bounds()
    return region if bounds.isEmpty() else region.united(bounds)


def header_of(document, node, region):
    curve, gamma = curve_of(node.colorProfile())
    depth = _DEPTHS[node.colorDepth()]
    whole = depth in (handover.U8, handover.U16)
    channels = _CHANNELS[node.colorModel()]
    return Header((region.x(), region.y(), region.width(), region.height()), channels, depth,
                  bgr=whole and channels == 4, alpha=handover.STRAIGHT, curve=curve, gamma=gamma,
                  canvas=(document.width(), document.height()),
                  profile=profile_bytes(node.colorProfile()))


def selection_of(document, region, path):
    """Writes the selection; False where there is none. Refusal for an empty one."""
    selection = document.selection()
    if selection is None:
        return False
    x, y = max(selection.x(), region.x()), max(selection.y(), region.y())
    right = min(selection.x() + selection.width(), region.x() + region.width())
    bottom = min(selection.y() + selection.height(), region.y() + region.height())
    if right <= x or bottom <= y:
        raise Refusal("The selection is empty: there is nothing to filter.")
    header = Header((x, y, right - x, bottom - y), 1, handover.U8, curve=handover.LINEAR,
                    canvas=(document.width(), document.height()))
    handover.write(path, header, selection.pixelData(x, y, right - x, bottom - y))
    return True


def find(document, unique):
    """The layer with that id, or None; Document.nodeByUniqueID() gives no Node before Krita 5.2."""
    left = document.topLevelNodes()
    while left:
        node = left.pop()
        if node.uniqueId() == unique:
            return node
        left += node.childNodes()
    return None


def others(document, node):
    """Layers that can play a role, by name, from the top."""
    found = {}

    def walk(nodes):
        for child in reversed(nodes):
            usable = child.type() in ("paintlayer", "grouplayer", "filelayer", "clonelayer",
                                      "filllayer", "vectorlayer")
            if usable and child.uniqueId() != node.uniqueId() and child.colorModel() in _CHANNELS \
                    and child.colorDepth() in _DEPTHS and child.name():
                found.setdefault(child.name(), child)
            walk(child.childNodes())

    walk(document.topLevelNodes())
    return found


def write_layer(document, node, region, path):
    header = header_of(document, node, region)
    x, y, width, height = header.rect
    if node.type() == "paintlayer":
        data = node.pixelData(x, y, width, height)
    else:
        data = node.projectionPixelData(x, y, width, height)
    handover.write(path, header, data)
    return header
