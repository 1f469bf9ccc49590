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


def _has_room(place, size):
    room = os.statvfs(place)
    return room.f_bavail * room.f_frsize > 3 * size + (64 << 20)


def _make_in(place):
    """A locked folder in `place`, or None if others remove each as soon as it is made."""
    _release()
    for _ in range(3):  # another sandbox's may sweep before it is locked
        folder = tempfile.mkdtemp(prefix="%s%d-" % (_PREFIX, os.getpid()), dir=place)
        _held[folder] = _locked(folder)
        if os.path.isdir(folder):
            return folder
    return None


def make(size):
    """A folder of our own, in memory if there is room for the pixels and their result."""
    full = "/var/tmp"
    for place in filter(for_programs, _places()):
        try:
            folder = _make_in(place) if _has_room(place, size) else None
            if folder is not None:
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


def _is_left(entry):
    """Whether an entry of a temporary place is a folder of one of our processes that is gone."""
    name = _NAME.match(entry.name)
    return name is not None and entry.is_dir(follow_symlinks=False) \
        and entry.stat(follow_symlinks=False).st_uid == os.getuid() \
        and _is_gone(int(name.group(1)))


def _sweep_in(place):
    with os.scandir(place) as entries:
        left = [entry.path for entry in entries if _is_left(entry)]
    for folder in left:
        lock = _locked(folder)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def sweep():
    """Removes the folders of Krita processes that were killed."""
    for place in _places():
        try:
            _sweep_in(place)
        except Exception:  # whatever is wrong there, the user's layer is not concerned
            continue
