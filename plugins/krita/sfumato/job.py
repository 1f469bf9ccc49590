# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# One layer, filtered through Sfumato's dialog or by a recipe: written to files, waited for without
# blocking Krita, and put on a new layer once complete.
import json
import os
import shutil
import weakref

from . import folders, layers, pixel_file
from .qt import QCoreApplication, QObject, QProcess, QProcessEnvironment, pyqtSignal
from .texts import languages, text

# Variables that programs with bundled libraries set for themselves only.
_BUNDLED = ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH", "PYTHONHOME", "PYTHONPATH")


def find_dialog():
    """The program's path, or an empty text."""
    named = os.environ.get("SFUMATO_DIALOG")
    if named is not None:
        return named if os.access(named, os.X_OK) else ""
    places = [os.path.expanduser("~/.local/lib/sfumato")]
    above = os.path.dirname(os.path.realpath(__file__))
    while above != os.path.dirname(above):
        above = os.path.dirname(above)
        places.append(os.path.join(above, "libexec", "sfumato"))
    for place in places:
        path = os.path.join(place, "sfumato-dialog")
        if os.access(path, os.X_OK):
            return path
    return shutil.which("sfumato-dialog") or ""


class Job(QObject):
    """`ended` is emitted once, with a sentence for the user or an empty text."""

    progressed = pyqtSignal(float)
    ended = pyqtSignal(str)

    def __init__(self, document, parent=None, node=None):
        super().__init__(parent)
        self.document = document
        self.node = layers.filterable(document, node)
        self.recipe = None  # what was applied, as JSON; None until then
        self.layer = None  # the new one
        self._region = layers.region_of(document, self.node)
        self._colors = layers.colors_of(self.node)
        self._place = layers.place_of(document, self.node)
        self._others = {}
        self._process = None
        self._lines = b""
        self._answer = None
        self._over = False
        folders.sweep()
        try:
            header = layers.header_of(document, self.node, self._region)
            self._folder = folders.make(header.bytes())
        except OSError as error:
            raise layers.refusal(error, error.filename) from error
        self._clean = weakref.finalize(self, shutil.rmtree, self._folder, True)  # also at the end
        try:
            self._options = []
            if layers.selection_of(document, self.node, self._region, self._path("selection")):
                self._options += ["--selection", self._path_text("selection")]
            self._header = layers.write_layer(document, self.node, self._region,
                                              self._path("picture"))
        except BaseException as error:
            self._clean()
            raise self._refusal(error) from error

    def _refusal(self, error):
        return layers.refusal(error, os.path.dirname(self._folder))

    def start(self, recipe=None, start=None, parent=None):
        """Applies `recipe` (JSON) if given; otherwise opens the dialog, initialised with `start`,
        over the window `parent`. If that fails, raises Refusal and leaves nothing behind."""
        try:
            self._start(recipe, start, parent)
        except BaseException as error:
            self._clean()
            raise self._refusal(error) from error

    def _start(self, recipe, start, parent):
        program = find_dialog()
        if not program:
            raise layers.Refusal(text("Sfumato's program sfumato-dialog is not installed."))
        options = ["--attached", "--title", self.node.name() or text("layer")] + self._options
        for name, steps in (("recipe", recipe), ("start", start)):
            if steps:
                with open(self._path(name), "x", encoding="utf-8") as file:
                    file.write(steps)
                options += ["--" + name, self._path_text(name)]
        if parent is not None:
            options += ["--parent", str(int(parent.winId()))]
            if parent.palette().window().color().lightness() < 128:
                options.append("--dark")
        self._others = layers.others(self.document, self.node)
        for name in self._others:
            options.append("--layer=" + name)
        environment = QProcessEnvironment.systemEnvironment()
        if environment.contains("APPIMAGE"):
            for name in _BUNDLED:
                environment.remove(name)
        environment.insert("LANGUAGE", ":".join(languages()))  # Krita's may be its own
        self._process = QProcess(self)
        self._process.setProcessEnvironment(environment)
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed)
        self._process.start(folders.for_programs(program) or program,
                            options + [self._path_text("picture"), self._path_text("result")])
        # Python's finalizers do not always run when Krita ends.
        QCoreApplication.instance().aboutToQuit.connect(self._give_up)

    def _give_up(self):
        if self._over:
            return
        self._over = True
        self._process.kill()
        self._process.waitForFinished(2000)
        self._clean()

    def process(self):
        return int(self._process.processId()) if self._process is not None else 0

    def cancel(self):
        if self._process is not None:
            self._process.kill()

    def _path(self, name):
        return os.path.join(self._folder, name)

    def _path_text(self, name):
        """The path as text for Qt and the dialog."""
        return folders.for_programs(self._path(name))

    def _read(self):
        self._lines += bytes(self._process.readAllStandardOutput())
        *whole, self._lines = self._lines.split(b"\n")
        for line in whole:
            try:
                said = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError):
                continue
            if isinstance(said, dict):
                self._heed(said)

    def _heed(self, said):
        part = said.get("progress")
        if isinstance(part, (int, float)) and 0 <= part <= 1:  # NaN is not
            self.progressed.emit(float(part))
        elif "layer" in said:
            self._hand_over(str(said["layer"]))
        elif "accepted" in said:
            self._answer = said

    def _hand_over(self, name):
        try:
            if name not in self._others:
                raise layers.Refusal(text("it is not there"))
            file = "layer-%d" % len(os.listdir(self._folder))
            layers.write_other(self.document, self._others[name], self._region, self._path(file))
            answer = {"file": self._path_text(file)}
        except OSError as error:
            answer = {"message": str(self._refusal(error))}
        except Exception as error:  # whatever the reason, the dialog continues
            answer = {"message": text("The layer \"%s\" cannot be handed over: %s") % (name, error)}
        self._process.write(json.dumps(answer).encode("utf-8") + b"\n")

    def _failed(self, error):
        if error == getattr(QProcess, "ProcessError", QProcess).FailedToStart:
            self._end(text("Sfumato's dialog cannot be started."))

    def _finished(self, *_):
        self._read()
        answer = self._answer
        if answer is None:
            self._end(
                text("Sfumato's dialog ended before it was done; the picture is unchanged."))
        elif not answer.get("accepted"):
            self._end(str(answer.get("message") or ""))
        else:
            try:
                self._take(answer)
                self._end(str(answer.get("message") or ""))
            except Exception as error:  # a message rather than a Python traceback
                self._end(text("The result could not be taken over: %s") % error)

    def _end(self, message):
        if self._over:
            return
        self._over = True
        self._clean()
        self.ended.emit(message)

    def _take(self, answer):
        from krita import Krita
        if not layers.is_open(self.document):
            raise layers.Refusal(text("the document was closed"))
        node = layers.find(self.document, self.node.uniqueId())
        if node is None:
            raise layers.Refusal(text("the layer was removed"))
        if layers.is_locked(node):
            raise layers.Refusal(text("The layer is locked: unlock it to filter it."))
        if layers.place_of(self.document, node) != self._place:
            raise layers.Refusal(text("the picture's size or the layer's place has changed"))
        # In the document itself, every property set on the layer would be an undo step of its own.
        scratch = Krita.instance().createDocument(1, 1, "sfumato", *self._colors, 72.0)
        scratch.setBatchmode(True)
        try:
            new = self._made_in(scratch, node, str(answer.get("name") or "Sfumato"))
            if node.parentNode().addChildNode(new, node) is False:
                raise layers.Refusal(text("Krita did not take the layer"))
        finally:
            scratch.close()
        new = layers.find(self.document, new.uniqueId())
        self.recipe = json.dumps(answer.get("recipe"))
        self.layer = new
        self.document.refreshProjection()
        layers.activate(self.document, new)

    def _made_in(self, document, node, name):
        """The result as a layer with the properties of `node`, not yet in a document."""
        new = document.createNode(name, "paintlayer")
        # The colour space of the written pixels, even if the layer's has changed.
        if layers.colors_of(new) != self._colors:
            new.setColorSpace(*self._colors)
        if layers.colors_of(new) != self._colors:
            raise layers.Refusal(text("Krita did not take the pixels"))
        for band in pixel_file.read(self._path_text("result"), self._header):
            if new.setPixelData(*band) is False:  # None before 5.2
                raise layers.Refusal(text("Krita did not take the pixels"))
        # Where the new layer is transparent, the picture shows through unchanged.
        new.setBlendingMode(node.blendingMode())
        new.setOpacity(node.opacity())
        new.setInheritAlpha(node.inheritAlpha())
        for mask in layers.shaping_masks(node):
            new.addChildNode(mask.duplicate(), None)
        document.waitForDone()
        return new.duplicate()
