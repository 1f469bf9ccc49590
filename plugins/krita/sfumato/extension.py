# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The actions, and messages to the user.
from krita import Extension, Krita

from .job import Job
from .layers import Refusal
from .qt import QMessageBox, QProgressDialog, QTimer
from .texts import text

_PLACES = {
    "sfumato_dialog": ("Sfumato…",
                       "Filters the active layer onto a new one, with a live preview"),
    "sfumato_repeat": ("Repeat Last Sfumato Filter",
                       "Filters the active layer as the last one, without the dialog"),
}


def say(message):
    """Shows a message over the canvas, as Krita does."""
    application = Krita.instance()
    window = application.activeWindow()
    view = window.activeView() if window is not None else None
    if view is not None:
        view.showFloatingMessage(message, application.icon("warning"), 6000, 1)
    else:
        QMessageBox.information(None, "Sfumato", message)


class SfumatoExtension(Extension):
    def __init__(self, parent):
        super().__init__(parent)
        self._job = None
        self._progress = None

    def setup(self):
        pass

    def createActions(self, window):
        actions = []
        for name, (label, tip) in _PLACES.items():
            action = window.createAction(name, text(label), "tools/scripts")
            action.setToolTip(text(tip))
            actions.append(action)
        actions[0].triggered.connect(lambda *_: self.ask())
        actions[1].triggered.connect(lambda *_: self.repeat())
        # Krita fills its menus later, when its own object for the window no longer exists.
        frame = window.qwindow()
        QTimer.singleShot(0, lambda: self._add_to_filters(frame, actions))

    @staticmethod
    def _add_to_filters(frame, actions):
        try:
            menus = [entry.menu() for entry in frame.menuBar().actions()]
        except (AttributeError, RuntimeError):  # closed at once
            return
        for menu in menus:
            if menu is not None and menu.objectName().lower() == "filter":
                menu.addSeparator()
                menu.addActions(actions)

    def ask(self):
        self._begin(start=self.last_recipe() or None, parent=self._frame())

    def repeat(self):
        recipe = self.last_recipe()
        if not recipe:
            say(text("There is no Sfumato filter to repeat yet."))
            return
        job = self._begin(recipe=recipe)
        if job is not None:
            self._show_progress(job)

    @staticmethod
    def _frame():
        window = Krita.instance().activeWindow()
        return window.qwindow() if window is not None else None

    @staticmethod
    def last_recipe():
        return Krita.instance().readSetting("sfumato", "recipe", "")

    def _begin(self, **how):
        if self._job is not None:
            say(text("Sfumato is at work on another layer: finish that first."))
            return None
        document = Krita.instance().activeDocument()
        if document is None:
            say(text("There is no picture to filter."))
            return None
        job = None
        try:
            job = Job(document, self)
            job.ended.connect(self._ended)
            self._job = job
            job.start(**how)
            return job
        except (Refusal, OSError, ValueError) as refusal:
            self._job = None
            if job is not None:
                job.deleteLater()
            say(str(refusal))
            return None

    def _show_progress(self, job):
        window = QProgressDialog(text("Filtering…"), text("Cancel"), 0, 1000, self._frame())
        window.setWindowTitle("Sfumato")
        window.setMinimumDuration(700)
        window.setAutoClose(False)
        window.setAutoReset(False)
        window.canceled.connect(job.cancel)
        window.destroyed.connect(self._forget_progress)  # with Krita's window
        job.progressed.connect(self._set_progress)
        self._progress = window

    def _forget_progress(self, *_):
        self._progress = None

    def _set_progress(self, part):
        if self._progress is not None:
            self._progress.setValue(int(1000 * part))

    def _ended(self, message):
        job, self._job = self._job, None
        if self._progress is not None:
            self._progress.canceled.disconnect()
            self._progress.destroyed.disconnect(self._forget_progress)
            cancelled = self._progress.wasCanceled()
            self._progress.reset()  # or it would still come up, where all was done in a moment
            self._progress.close()
            self._progress.deleteLater()
            self._progress = None
            if cancelled:
                message = ""
        if job is not None and job.recipe is not None:
            Krita.instance().writeSetting("sfumato", "recipe", job.recipe)
        if message:
            say(message)
        if job is not None:
            job.deleteLater()
