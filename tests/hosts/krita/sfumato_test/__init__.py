# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Runs inside Krita: opens documents, filters them through the extension according to the plan,
# writes the results, and ends Krita.
import json
import os
import signal
import time
import traceback

from krita import Extension, Krita, Selection

from sfumato import extension, layers, pixel_file
from sfumato.job import Job
from sfumato.qt import QLocale, QTimer

from . import checks

FOLDER = os.environ.get("SFUMATO_TEST_FOLDER", "")
PATIENCE = 60  # s
_BAND_BYTES = pixel_file.BAND_BYTES


def child_of(node, kind):
    found = [child for child in node.childNodes() if child.type() == kind]
    return found[0] if found else None


class Case:
    """One document, one recipe; `done` is called with what became of it."""

    def __init__(self, plan, done):
        self.plan, self.done = plan, done
        self.result = {"name": plan["name"]}
        self.job = self.document = None
        self.shown = False

    def begin(self):
        self.go_on(self.steps())

    def go_on(self, steps):
        """Up to the next wait. Newer Kritas tell their windows of layers in the main loop alone."""
        try:
            ready = next(steps)
        except StopIteration:
            return
        except Exception:
            self.result["fault"] = traceback.format_exc()
            if self.document is not None:
                self.document.setModified(False)
            QTimer.singleShot(0, self.done)
            return
        self.wait(ready, steps, time.monotonic() + PATIENCE)

    def wait(self, ready, steps, until):
        """In vain, the case goes on all the same, and its result tells."""
        if ready() or time.monotonic() > until:
            QTimer.singleShot(0, lambda: self.go_on(steps))
        else:
            QTimer.singleShot(20, lambda: self.wait(ready, steps, until))

    def steps(self):
        """Yields functions that tell whether what is waited for is there."""
        plan = self.plan
        QLocale.setDefault(QLocale(plan.get("language", "en")))  # as Krita itself does
        if "open" in plan:
            self.document = Krita.instance().openDocument(plan["open"])
        else:
            self.document = Krita.instance().createDocument(
                plan["width"], plan["height"], plan["name"], plan["model"], plan["depth"],
                plan.get("profile", ""), 72.0)
        self.document.setBatchmode(True)
        node = self.document.topLevelNodes()[0]
        if plan.get("kind"):
            other = self.document.createNode("other", plan["kind"])
            self.document.rootNode().addChildNode(other, node)
            node = other
        if "layer" in plan:  # pixels of a layer that lies anywhere
            at = plan["layer"]
            node = self.document.createNode("pixels", "paintlayer")
            self.document.rootNode().addChildNode(node, self.document.topLevelNodes()[0])
            with open(at["file"], "rb") as file:
                node.setPixelData(file.read(), at["x"], at["y"], at["width"],
                                  at["height"])
        for name, at in plan.get("others", {}).items():
            other = self.document.createNode(name, "paintlayer")
            self.document.rootNode().addChildNode(other, self.document.topLevelNodes()[0])
            with open(at["file"], "rb") as file:
                other.setPixelData(file.read(), at["x"], at["y"], at["width"],
                                   at["height"])
        if "local" in plan:
            yield from self.select_locally(node, self.selection(plan["local"]), plan["active"])
        if "selection" in plan:
            self.document.setSelection(self.selection(plan["selection"]))
        if "transparency" in plan:
            self.document.setSelection(self.selection(plan["transparency"]))
            yield from self.show(node)
            Krita.instance().action("add_new_transparency_mask").trigger()
            yield lambda: child_of(node, "transparencymask") is not None
            self.document.setSelection(None)
        if plan.get("locked"):
            node.setLocked(True)
        if plan.get("in_locked_group"):
            group = self.document.createNode("group", "grouplayer")
            self.document.rootNode().addChildNode(group, node)
            inside = node.duplicate()
            group.addChildNode(inside, None)
            group.setLocked(True)
            node = inside
        node.setBlendingMode(plan.get("mode", "normal"))
        node.setOpacity(plan.get("opacity", 255))
        self.document.waitForDone()
        self.node = node
        if plan.get("undo"):
            yield from self.show(node)
            self.undo_text = Krita.instance().action("edit_undo").text()
        self.before = self.state()
        self.see("before")
        if "repeat" in plan:
            yield from self.show(node)
            self.repeat(plan["repeat"])
            return
        if plan.get("checks"):
            self.result["amiss"] = checks.run(self.document, node)
            self.ended("")
            return
        started = time.monotonic()
        pixel_file.BAND_BYTES = plan.get("band", _BAND_BYTES)
        if plan.get("full"):
            self.begin_on_a_full_disk()
            return
        try:
            self.job = Job(self.document, node=node)
            self.job.ended.connect(self.ended)
            self.result["out_seconds"] = time.monotonic() - started
            take = self.job._take

            def timed(answer):
                start = time.monotonic()
                take(answer)
                self.result["in_seconds"] = time.monotonic() - start

            self.job._take = timed
            self.job.start(recipe=plan["recipe"])
            if "meanwhile" in plan:
                getattr(self, plan["meanwhile"])()
            if "kill" in plan:
                QTimer.singleShot(plan["kill"]["after_ms"], self.kill)
        except layers.Refusal as refusal:
            self.ended(str(refusal))

    @staticmethod
    def selection(at):
        selection = Selection()
        if at.get("file"):
            selection.select(at["x"], at["y"], at["width"], at["height"], 255)
            with open(at["file"], "rb") as file:
                selection.setPixelData(file.read(), at["x"], at["y"], at["width"], at["height"])
        return selection

    def select_locally(self, node, selection, active):
        """A selection mask on the layer. Only Krita's own entry makes one that selects."""
        if active:
            yield from self.show(node)
            Krita.instance().action("add_new_selection_mask").trigger()
            yield lambda: child_of(node, "selectionmask") is not None
            mask = child_of(node, "selectionmask")
        else:
            mask = self.document.createSelectionMask("local")
            node.addChildNode(mask, None)
        mask.setSelection(selection)

    def show(self, node):
        """In the window, with the layer as the active one."""
        if not self.shown:
            Krita.instance().windows()[0].addView(self.document)
            yield lambda: Krita.instance().activeDocument() == self.document
        self.shown = True
        yield lambda: self.activates(node)

    def activates(self, node):
        if not self.is_active(node):
            self.document.setActiveNode(node)
        return self.is_active(node)

    def is_active(self, node):
        active = self.document.activeNode()
        return active is not None and active.uniqueId() == node.uniqueId()

    def see(self, when):
        """What is seen of the document."""
        if not self.plan.get("seen"):
            return
        self.document.refreshProjection()
        self.document.waitForDone()
        with open(os.path.join(FOLDER, "%s.%s" % (self.plan["name"], when)), "wb") as file:
            file.write(bytes(self.document.pixelData(0, 0, self.document.width(),
                                                     self.document.height())))

    # Something a user may do while the dialog is open.
    def close(self):
        self.document.setModified(False)
        if not self.shown:  # Krita crashes if a shown document is closed too soon after a change
            self.document.close()

    def convert(self):
        self.document.setColorSpace("RGBA", "U16", self.node.colorProfile())

    def crop(self):
        self.document.crop(5, 5, 20, 20)

    def scale(self):
        self.document.scaleImage(80, 60, 72, 72, "Bilinear")

    def begin_on_a_full_disk(self):
        """The recipe does not fit any more; nothing may be left behind."""
        job = Job(self.document, node=self.node)
        with open(job._path("recipe"), "x"):  # in the way, as far as the program can tell
            pass
        try:
            job.start(recipe=self.plan["recipe"])
        except layers.Refusal as refusal:
            self.result["left"] = os.path.exists(job._folder)
            self.ended(str(refusal))

    def repeat(self, recipe):
        """The menu's entry, in a window; what it says is kept."""
        Krita.instance().writeSetting("sfumato", "recipe", recipe)
        ours = [one for one in Krita.instance().extensions()
                if isinstance(one, extension.SfumatoExtension)]
        heard = []
        say = extension.say

        def hear(message):
            heard.append(message)
            say(message)

        extension.say = hear
        try:
            ours[0].repeat()
        finally:
            extension.say = say
        self.job = ours[0]._job
        if self.job is None:
            self.ended("\n".join(heard))
        else:
            frame = Krita.instance().activeWindow().qwindow()
            self.result["before_krita"] = checks.progress_is_before(frame)
            self.job.ended.connect(self.ended)

    def undo(self):
        """One step, after which there must be no more to undo than before the filter."""
        undo = Krita.instance().action("edit_undo")
        texts = [self.undo_text]
        yield lambda: undo.text() != texts[0]
        texts.append(undo.text())
        undo.trigger()
        self.document.waitForDone()
        yield lambda: undo.text() != texts[1]
        texts.append(undo.text())
        self.result["undone"] = self.state() == self.before
        self.result["undo_texts"] = texts

    def kill(self):
        """The dialog's program, or the worker that it started."""
        victim = self.job.process()
        if self.plan["kill"]["what"] == "worker":
            try:
                with open("/proc/%d/task/%d/children" % (victim, victim)) as file:
                    children = file.read().split()
                victim = int(children[0]) if children else 0
            except OSError:
                victim = 0
        if victim > 0:
            try:
                os.kill(victim, signal.SIGKILL)
                self.result["killed"] = True
            except ProcessLookupError:
                pass

    def state(self):
        """The document as it is: its layers, and the layer's pixels."""
        x, y, width, height = (0, 0, self.document.width(), self.document.height())
        nodes = [node.uniqueId().toString() for node in self.document.topLevelNodes()]
        return nodes, bytes(self.node.pixelData(x, y, width, height))

    def ended(self, message):
        self.result["message"] = message
        if self.plan.get("meanwhile") != "close":
            try:
                self.look()
            except Exception:
                self.result["fault"] = traceback.format_exc()
            return self.go_on(self.last_steps())
        QTimer.singleShot(0, self.done)

    def last_steps(self):
        if self.shown and self.job is not None and self.job.layer is not None:
            yield lambda: self.is_active(self.job.layer)
            self.result["active"] = self.is_active(self.job.layer)
        if self.plan.get("undo"):
            yield from self.undo()
        self.close()  # nobody is there to be asked
        QTimer.singleShot(0, self.done)

    def look(self):
        plan, result = self.plan, self.result
        job = self.job
        if job is not None and job.layer is not None:
            result["layer"] = job.layer.name()
            result["above"] = \
                self.document.topLevelNodes().index(job.layer) == \
                self.document.topLevelNodes().index(self.node) + 1
            layers.write_layer(self.document, job.layer, job._region,
                               os.path.join(FOLDER, plan["name"] + ".result"))
            self.see("after")
            nodes, pixels = self.state()
            result["intact"] = pixels == self.before[1] and len(nodes) == len(self.before[0]) + 1
            result["masks"] = [child.type() for child in job.layer.childNodes()]
        else:
            result["intact"] = self.state() == self.before
        if plan.get("save"):
            self.document.waitForDone()
            self.document.saveAs(plan["save"])


class SfumatoTest(Extension):
    def setup(self):
        QTimer.singleShot(0, self.begin)

    def createActions(self, window):
        pass

    def begin(self):
        with open(os.path.join(FOLDER, "plan.json"), encoding="utf-8") as file:
            self.left = json.load(file)
        self.results = []
        self.next()

    def next(self):
        with open(os.path.join(FOLDER, "so_far.json"), "w", encoding="utf-8") as file:
            json.dump(self.results, file)  # to be looked at where it does not come to its end
        if not self.left:
            return self.end()
        case = Case(self.left.pop(0), self.next)
        self.results.append(case.result)
        self.case = case
        case.begin()

    def end(self):
        path = os.path.join(FOLDER, "results.json")
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(self.results, file)
        os.rename(path + ".part", path)
        QTimer.singleShot(3000, lambda: os._exit(0))
        for document in Krita.instance().documents():
            document.setModified(False)  # nobody is there to be asked
        Krita.instance().action("file_quit").trigger() if Krita.instance().windows() else None


if FOLDER:
    Krita.instance().addExtension(SfumatoTest(Krita.instance()))
