# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Temporary folders for pixels, one per process, removed once that process is gone.
import errno
import fcntl
import os
import re
import shutil
import tempfile

from .qt import QFile

_PREFIX = "sfumato-krita-"  # the process follows
_NAME = re.compile(_PREFIX + "([1-9][0-9]*)-")
_held = {}  # our own, with the descriptor that each is locked by


def for_programs(path):
    """The path in a form for Qt and other programs, or None if there is none: Python has its own
    notation for names that are not valid in the locale."""
    raw = os.fsencode(path)
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return name if bytes(QFile.encodeName(name)) == raw else None


def _places():
    places = [os.environ.get("XDG_RUNTIME_DIR")]
    try:
        places.append(tempfile.gettempdir())
    except OSError:  # there is none
        pass
    return [place for place in places + ["/var/tmp"] if place]


def _locked(folder):
    """A descriptor that holds the folder's lock, or None if a process has it, perhaps one in
    another sandbox, whose number means nothing here."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return descriptor
    except OSError:
        os.close(descriptor)
        return None


def _release():
    """Releases the locks of folders that no longer exist."""
    for folder in [one for one in _held if not os.path.isdir(one)]:
        descriptor = _held.pop(folder)
        if descriptor is not None:
            os.close(descriptor)


def make(size):
    """A folder of our own, in memory if there is room for the pixels and their result."""
    full = "/var/tmp"
    for place in _places():
        try:
            if for_programs(place) is None:
                continue
            room = os.statvfs(place)
            if room.f_bavail * room.f_frsize > 3 * size + (64 << 20):
                _release()
                for _ in range(3):  # another sandbox's may sweep before it is locked
                    folder = tempfile.mkdtemp(prefix="%s%d-" % (_PREFIX, os.getpid()), dir=place)
                    _held[folder] = _locked(folder)
                    if os.path.isdir(folder):
                        return folder
            full = place
        except OSError:
            continue
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), full)


def _is_gone(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # another's
        pass
    return False


def sweep():
    """Removes the folders of Krita processes that were killed."""
    for place in _places():
        try:
            with os.scandir(place) as entries:
                found = [(_NAME.match(entry.name), entry) for entry in entries]
            for name, entry in found:
                if name and entry.is_dir(follow_symlinks=False) \
                        and entry.stat(follow_symlinks=False).st_uid == os.getuid() \
                        and _is_gone(int(name.group(1))):
                    lock = _locked(entry.path)
                    if lock is not None:
                        shutil.rmtree(entry.path, ignore_errors=True)
                        os.close(lock)
        except Exception:  # whatever is wrong there, the user's layer is not concerned
            continue
