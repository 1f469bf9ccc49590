# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
"""The menus of Nautilus and Nemo, run as these run them, on a stand-in for their library.

Usage: file_manager_menu.py FOLDER (where the build put the menus)
"""

import importlib.util
import json
import os
import stat
import sys
import tempfile
import time
import types
import unittest
from pathlib import Path

BUILT = Path(sys.argv.pop())
PRESETS = {"presets": [{"id": "clarity", "name": "Clarity", "summary": "Clear."},
                       {"id": "mine", "name": "Mine & yours", "summary": "Own."}]}


class Item:
    def __init__(self, name, label, tip):
        self.name, self.label, self.tip, self.menu, self.answer = name, label, tip, None, None

    def set_submenu(self, menu):
        self.menu = menu

    def connect(self, signal, body, *data):
        assert signal == "activate"
        self.answer = lambda: body(self, *data)


class Menu:
    def __init__(self):
        self.items = []

    def append_item(self, item):
        self.items.append(item)


class File:
    """A file of the file manager's; no path: one on another machine."""

    def __init__(self, path, kind="image/jpeg", folder=False):
        self.path, self.kind, self.folder = path, kind, folder

    def get_mime_type(self):
        return self.kind

    def is_directory(self):
        return self.folder

    def get_location(self):
        return types.SimpleNamespace(get_path=lambda: self.path)


def stand_in(manager):
    """Modules as PyGObject has them."""
    library = types.SimpleNamespace(MenuItem=Item, Menu=Menu, MenuProvider=type("P", (), {}))
    repository = types.ModuleType("gi.repository")
    repository.GObject = types.SimpleNamespace(GObject=type("G", (), {}))
    setattr(repository, manager, library)
    sys.modules["gi"] = types.ModuleType("gi")
    sys.modules["gi.repository"] = repository


def program(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class FileManagerMenu(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        at = Path(self.folder.name)
        self.received = at / "received"
        self.asked = at / "asked"
        program(at / "editor", f'printf "%s\\n" "$@" > {at}/receiving; mv {at}/receiving {self.received}\n')
        (at / "presets.json").write_text(json.dumps(PRESETS))
        program(at / "command", f"echo once >> {self.asked}; cat {at}/presets.json\n")
        os.environ["XDG_DATA_HOME"] = str(at)
        os.environ["LANGUAGE"] = "en"

    def tearDown(self):
        self.folder.cleanup()

    def menu(self, manager):
        stand_in(manager)
        path = BUILT / manager.lower() / "sfumato_menu.py"
        spec = importlib.util.spec_from_file_location("sfumato_menu", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.assertTrue(module.EDITOR.endswith("/sfumato-editor"))
        module.EDITOR = self.folder.name + "/editor"
        module.COMMAND = self.folder.name + "/command"
        menu = module.SfumatoMenu()
        menu.presets.reading.join()
        return menu

    def words(self):
        for _ in range(600):
            if self.received.exists():
                return self.received.read_text().splitlines()
            time.sleep(0.1)
        self.fail("the editor was not started")

    def test_entries_start_the_editor_with_the_files(self):
        for manager, first in (("Nautilus", ()), ("Nemo", (object(),))):  # Nemo gives its window
            menu = self.menu(manager)
            files = [File("/p/a b.jpg"), File("/p/folder", "inode/directory", True)]
            one, many = menu.get_file_items(*first, files)
            self.assertEqual(one.label, "Filter with Sfumato…")
            one.answer()
            self.assertEqual(self.words(), ["--batch", "--", "/p/a b.jpg", "/p/folder"])
            self.received.unlink()
            self.assertEqual([entry.label for entry in many.menu.items], ["Clarity", "Mine & yours"])
            many.menu.items[1].answer()
            self.assertEqual(self.words(),
                             ["--batch", "--recipe", "mine", "--", "/p/a b.jpg", "/p/folder"])
            self.received.unlink()

    def test_other_files_have_no_entry(self):
        menu = self.menu("Nautilus")
        self.assertEqual(menu.get_file_items([]), [])
        self.assertEqual(menu.get_file_items([File("/p/a.txt", "text/plain")]), [])
        self.assertEqual(menu.get_file_items([File("/p/a.jpg"), File("/p/b.txt", "text/plain")]),
                         [])
        self.assertEqual(menu.get_file_items([File(None)]), [])

    def test_presets_are_read_again_when_they_change(self):
        menu = self.menu("Nautilus")
        for _ in range(3):
            menu.get_file_items([File("/p/a.jpg")])
        self.assertEqual(len(self.asked.read_text().splitlines()), 1)
        presets = Path(self.folder.name) / "sfumato" / "presets"
        presets.mkdir(parents=True)
        menu.get_file_items([File("/p/a.jpg")])
        menu.presets.reading.join()
        self.assertEqual(len(self.asked.read_text().splitlines()), 2)

    def test_menus_wait_for_nothing_and_forget_what_failed(self):
        at = Path(self.folder.name)
        program(at / "command", f"while [ ! -e {at}/go ]; do sleep 0.1; done; exit 1\n")
        stand_in("Nautilus")
        spec = importlib.util.spec_from_file_location("sfumato_menu", BUILT / "nautilus/sfumato_menu.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.COMMAND = str(at / "command")
        module.PATIENCE = 60
        menu = module.SfumatoMenu()
        self.assertEqual(len(menu.get_file_items([File("/p/a.jpg")])), 1)
        self.assertTrue(menu.presets.reading.is_alive())
        (at / "go").touch()
        menu.presets.reading.join()
        program(at / "command", f"cat {at}/presets.json\n")
        menu.get_file_items([File("/p/a.jpg")])
        menu.presets.reading.join()
        self.assertEqual(len(menu.get_file_items([File("/p/a.jpg")])), 2)

    def test_without_the_command_the_first_entry_is_left(self):
        os.unlink(self.folder.name + "/command")
        menu = self.menu("Nemo")
        items = menu.get_file_items(None, [File("/p/a.jpg")])
        self.assertEqual([item.name for item in items], ["Sfumato::filter"])

    def test_german(self):
        os.environ["LANGUAGE"] = "de_DE"
        items = self.menu("Nautilus").get_file_items([File("/p/a.jpg")])
        self.assertEqual([item.label for item in items],
                         ["Mit Sfumato filtern …", "Rezept anwenden"])
        labels = {item.label for item in items[1].menu.items}
        self.assertEqual(labels, {"Klarheit", "Mine & yours"})

    def test_dolphin_has_every_action_in_both_languages(self):
        text = (BUILT / "sfumato-recipes.desktop").read_text(encoding="utf-8")
        actions = text.split("Actions=")[1].split("\n")[0].strip(";").split(";")
        self.assertGreater(len(actions), 20)
        for action in actions:
            self.assertRegex(action, "^[a-z0-9-]+$")
            group = text.split(f"[Desktop Action {action}]\n")[1].split("\n\n")[0]
            self.assertRegex(group, "(?s)^Name=.+\nName\\[de\\]=.+\nExec=.+ -- %F")
        self.assertIn("Name[de]=Klarheit", text)


if __name__ == "__main__":
    unittest.main()
