# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Inside Krita: opens documents, filters them through the extension as the plan says, writes what
# came of it, and ends Krita.
import json
import os
import signal
import time
import traceback

from krita import Extension, Krita, Selection

from sfumato import handover, layers
from sfumato.job import Job
from sfumato.qt import QTimer

FOLDER = os.environ.get("SFUMATO_TEST_FOLDER", "")


class Case:
    """One document, one recipe; `done` is called with what became of it."""

    def __init__(self, plan, done):
        self.plan, self.done = plan, done
        self.result = {"name": plan["name"]}
        self.job = None

    def begin(self):
        plan = self.plan
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
        if "selection" in plan:
            at = plan["selection"]
            selection = Selection()
            if at.get("file"):
                selection.select(at["x"], at["y"], at["width"], at["height"], 255)
                with open(at["file"], "rb") as file:
                    selection.setPixelData(file.read(), at["x"], at["y"],
                                           at["width"], at["height"])
            self.document.setSelection(selection)
        if plan.get("locked"):
            node.setLocked(True)
        self.document.waitForDone()
        self.node = node
        self.before = self.state()
        started = time.monotonic()
        try:
            self.job = Job(self.document, node=node)
            self.job.ended.connect(self.ended)
            self.result["out_seconds"] = time.monotonic() - started
            take = self.job._take

            def timed(answer):
                begun = time.monotonic()
                take(answer)
                self.result["in_seconds"] = time.monotonic() - begun

            self.job._take = timed
            self.job.start(recipe=plan["recipe"])
            if "kill" in plan:
                QTimer.singleShot(plan["kill"]["after_ms"], self.kill)
        except layers.Refusal as refusal:
            self.ended(str(refusal))

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
        try:
            self.look()
        except Exception:
            self.result["fault"] = traceback.format_exc()
        self.document.close()
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
            nodes, pixels = self.state()
            result["intact"] = pixels == self.before[1] and len(nodes) == len(self.before[0]) + 1
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
        try:
            case.begin()
        except Exception:
            case.result["fault"] = traceback.format_exc()
            QTimer.singleShot(0, self.next)

    def end(self):
        path = os.path.join(FOLDER, "results.json")
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(self.results, file)
        os.rename(path + ".part", path)
        Krita.instance().action("file_quit").trigger() if Krita.instance().windows() else None
        QTimer.singleShot(3000, lambda: os._exit(0))


if FOLDER:
    Krita.instance().addExtension(SfumatoTest(Krita.instance()))
