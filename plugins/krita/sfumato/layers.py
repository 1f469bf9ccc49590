# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Krita's layers: which can be filtered, and the layout of their pixels.
import errno
import os
import re
import shutil
import zipfile

from krita import InfoObject, Krita

from . import folders, pixel_file
from .pixel_file import Header
from .qt import QTimer
from .texts import text

_DEPTHS = {"U8": pixel_file.U8, "U16": pixel_file.U16, "F16": pixel_file.F16, "F32": pixel_file.F32}
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


def refusal(error, place):
    """A Refusal that explains a failure to write in `place`; any other error unchanged."""
    if not isinstance(error, OSError):
        return error
    if error.errno == errno.ENOSPC:
        return Refusal(text("There is not enough space to hand the layer over: "
                            "free some space in %s.")
                       % os.fsencode(place).decode("utf-8", "replace"))
    return Refusal(text("The layer cannot be handed over: %s") % error.strerror)


def is_open(document):
    return any(document == open_one for open_one in Krita.instance().documents())


def activate(document, layer, attempts=50):
    """Makes a new layer the active one. Windows hear of layers in the main loop, in Krita 5.2 some
    time after they were added, and ignore the call until then."""
    before = document.activeNode()

    def attempt(left):
        if not is_open(document) or find(document, layer.uniqueId()) is None:
            return
        active = document.activeNode()
        if active is None or before is None or active.uniqueId() != before.uniqueId():
            return  # no window shows the document, or another layer was chosen meanwhile
        document.setActiveNode(layer)
        active = document.activeNode()
        if left > 1 and active is not None and active.uniqueId() == before.uniqueId():
            QTimer.singleShot(20, lambda: attempt(left - 1))

    QTimer.singleShot(0, lambda: attempt(attempts))


def is_locked(node):
    """Whether the layer or a group around it is locked."""
    while node is not None:
        if node.locked():
            return True
        node = node.parentNode()
    return False


def filterable(document, node=None):
    """The layer, or the active one; raises Refusal if its pixels cannot be filtered."""
    node = node or document.activeNode()
    if node is None:
        raise Refusal(text("There is no active layer to filter."))
    if node.type() != "paintlayer":
        raise Refusal(text("%s has no pixels of its own to filter: choose a paint layer.")
                      % text(_KINDS.get(node.type(), "This layer")))
    if is_locked(node):
        raise Refusal(text("The layer is locked: unlock it to filter it."))
    check_colors(node)
    return node


def check_colors(node):
    if node.colorModel() not in _CHANNELS:
        raise Refusal(text("%s pixels cannot be filtered: convert the layer to RGB or gray.")
                      % _MODELS.get(node.colorModel(), node.colorModel()))
    if node.colorDepth() not in _DEPTHS:
        raise Refusal(text("Pixels of %s bits cannot be filtered.") % node.colorDepth())


def profile_file(name):
    """The ICC profile with Krita's name for it, or empty if its file is not found."""
    data = [os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")]
    data += (os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    if not name or os.path.basename(name) != name:
        return b""
    places = ("krita/profiles", "color/icc/krita", "color/icc")
    for path in (os.path.join(folder, place, name) for folder in data for place in places):
        if os.path.isfile(path) and os.path.getsize(path) < 1 << 24:
            with open(path, "rb") as file:
                return file.read()
    return b""


def _entry(path, part):
    """The last entry of a ZIP file whose name ends in `part`; empty if there is none."""
    with zipfile.ZipFile(path) as file:
        names = [name for name in file.namelist() if name.endswith(part)]
        return file.read(names[-1]) if names else b""


def saved(document, part):
    """Saves and closes a document; returns the entry of its file whose name ends in `part`."""
    found = b""
    try:
        folder = folders.make(0)
    except OSError:
        document.close()
        raise
    document.setBatchmode(True)
    try:
        path = os.path.join(folder, "saved.kra")
        if document.exportImage(folders.for_programs(path), InfoObject()):
            found = _entry(path, part)
    except (OSError, zipfile.BadZipFile):
        pass
    finally:
        document.close()
        shutil.rmtree(folder, ignore_errors=True)
    return found


_saved_profiles = {}


def saved_profile(model, depth, name):
    """The ICC profile that Krita saves in a document, for profiles without a file of their own,
    such as those embedded in a picture."""
    key = (model, name)
    if key not in _saved_profiles:
        document = Krita.instance().createDocument(1, 1, "profile", model, depth, name, 72.0)
        _saved_profiles[key] = saved(document, "annotations/icc")
    return _saved_profiles[key]


def profile_bytes(node):
    name = node.colorProfile()
    if not name:  # Krita would take its own for it
        return b""
    return profile_file(name) or saved_profile(node.colorModel(), node.colorDepth(), name)


def curve_of(name):
    """The tone curve of a profile known only by name, from the endings of Krita's own profiles."""
    lower = name.lower()
    if "-g10" in lower or "linear" in lower:
        return pixel_file.LINEAR, 1.0
    for ending, gamma in (("-g18", 1.8), ("-g22", 2.2)):
        if ending in lower:
            return pixel_file.POWER, gamma
    return pixel_file.SRGB, 1.0


def colors_of(node):
    return node.colorModel(), node.colorDepth(), node.colorProfile()


def place_of(document, node):
    """Size and position, which must not change before the result is put back."""
    at = node.position()
    return document.width(), document.height(), at.x(), at.y()


def region_of(document, node):
    """The region to filter: the canvas and the layer."""
    region = document.bounds()
    bounds = node.bounds()
    return region if bounds.isEmpty() else region.united(bounds)


def header_of(document, node, region):
    profile = profile_bytes(node)
    curve, gamma = (pixel_file.OF_PROFILE, 1.0) if profile else curve_of(node.colorProfile())
    depth = _DEPTHS[node.colorDepth()]
    whole = depth in (pixel_file.U8, pixel_file.U16)
    channels = _CHANNELS[node.colorModel()]
    return Header((region.x(), region.y(), region.width(), region.height()), channels, depth,
                  bgr=whole and channels == 4, alpha=pixel_file.STRAIGHT, curve=curve, gamma=gamma,
                  canvas=(document.width(), document.height()),
                  profile=profile)


def shaping_masks(node):
    """The masks that shape a layer. Selection masks instead limit where it is filtered."""
    kinds = ("transparencymask", "filtermask", "transformmask")
    return [child for child in node.childNodes() if child.type() in kinds and child.visible()]


def is_active(mask):
    """Whether a layer's selection mask is active, which only a saved file tells."""
    document = Krita.instance().createDocument(1, 1, "mask", "RGBA", "U8", "", 72.0)
    copy = mask.duplicate()
    copy.setName("mask")
    document.topLevelNodes()[0].addChildNode(copy, None)
    return re.search(rb'<mask [^>]*\bactive="1"', saved(document, "maindoc.xml")) is not None


def chosen_selection(document, node):
    """The layer's own selection, which takes precedence over the document's, or None."""
    for child in node.childNodes():
        if child.type() == "selectionmask" and child.visible() and is_active(child):
            return child.selection()
    return document.selection()


def selection_of(document, node, region, path):
    """Writes the selection; returns False if there is none, and raises Refusal for an empty one."""
    selection = chosen_selection(document, node)
    if selection is None:
        return False
    x, y = max(selection.x(), region.x()), max(selection.y(), region.y())
    right = min(selection.x() + selection.width(), region.x() + region.width())
    bottom = min(selection.y() + selection.height(), region.y() + region.height())
    if right <= x or bottom <= y:
        raise Refusal(text("The selection is empty: there is nothing to filter."))
    header = Header((x, y, right - x, bottom - y), 1, pixel_file.U8, curve=pixel_file.LINEAR,
                    canvas=(document.width(), document.height()))
    pixel_file.write(path, header, selection.pixelData)
    return True


def find(document, unique):
    """The layer with that id, or None. Before Krita 5.2 nodeByUniqueID() returns no Node."""
    left = document.topLevelNodes()
    while left:
        node = left.pop()
        if node.uniqueId() == unique:
            return node
        left += node.childNodes()
    return None


def others(document, node):
    """Layers usable as roles, by name, from the top; repeated names are numbered."""
    found = {}

    def name_of(child):
        name, count = child.name(), 2
        while name in found:
            name = "%s (%d)" % (child.name(), count)
            count += 1
        return name

    def walk(nodes):
        for child in reversed(nodes):
            usable = child.type() in ("paintlayer", "grouplayer", "filelayer", "clonelayer",
                                      "filllayer", "vectorlayer")
            if usable and child.uniqueId() != node.uniqueId() and child.colorModel() in _CHANNELS \
                    and child.colorDepth() in _DEPTHS and child.name():
                found[name_of(child)] = child
            walk(child.childNodes())

    walk(document.topLevelNodes())
    return found


def write_other(document, node, region, path):
    """Writes a layer used as a role: its own pixels within the region, without transparent ones
    around them, since the size of a kernel matters."""
    own = node.bounds().intersected(region)
    if own.isEmpty():
        raise Refusal(text("it is empty"))
    return write_layer(document, node, own, path)


def write_layer(document, node, region, path):
    header = header_of(document, node, region)
    own = node.type() == "paintlayer"
    pixel_file.write(path, header, node.pixelData if own else node.projectionPixelData)
    return header
