# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# How a job handles leftover folders, invalid lines and results, and a full disk. Each check returns
# True, or what it found instead.
import errno
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import traceback

from sfumato import folders, layers, pixel_file
from sfumato.pixel_file import Header
from sfumato.job import Job
from sfumato.qt import QProgressDialog


class Program:
    """In the dialog's place."""

    def __init__(self, said=b""):
        self.said, self.heard = said, b""

    def readAllStandardOutput(self):
        return self.said

    def write(self, line):
        self.heard += line


def is_swept(begin, place):
    """What a dead process left; not what is a living one's, a locked one, another user's, a link
    or a file."""
    dead = subprocess.Popen(["true"])
    dead.wait()
    name = "sfumato-krita-%d-" % dead.pid
    stays = ["sfumato-krita-%d-living" % os.getppid(), "sfumato-krita-0-none", "sfumato-krita-x-y",
             "sfumato-%d-other" % dead.pid, "sfumato-krita-%d-much" % 10**30]
    stays.append(name + "held")
    if os.getuid() == 0:
        stays.append(name + "another")
    for folder in stays + [name + "left"]:
        os.mkdir(os.path.join(place, folder))
        with open(os.path.join(place, folder, "picture"), "w") as file:
            file.write("pixels")
    if os.getuid() == 0:
        os.chown(os.path.join(place, name + "another"), 65534, 65534)
    lock = os.open(os.path.join(place, name + "held"), os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)  # as a process of another sandbox does
    os.symlink(os.path.join(place, stays[0]), os.path.join(place, name + "link"))
    with open(os.path.join(place, name + "file"), "w"):
        pass
    stays += [name + "link", name + "file"]
    job = begin()
    own = os.path.basename(job._folder)
    found = sorted(os.listdir(place))
    job._clean()
    os.close(lock)
    wanted = sorted(stays + [own])
    if not own.startswith("sfumato-krita-%d-" % os.getpid()) or found != wanted:
        return [found, wanted]
    whole = all(os.path.exists(os.path.join(place, stay, "picture")) for stay in stays[:6])
    return whole and sorted(os.listdir(place)) == sorted(stays)


def names(begin, place):
    """Folders whose names programs can use are taken, others are skipped."""
    cannot = os.path.join(place, os.fsdecode(b"\xf6"))
    os.mkdir(cannot)
    tempfile.tempdir = cannot
    folder = folders.make(0)
    shutil.rmtree(folder)
    return [folders.for_programs("/ö"), folders.for_programs(cannot),
            os.path.dirname(folder)] == ["/ö", None, "/var/tmp"]


def lines(begin, place):
    """What is no progress is passed over, and the lines behind it count."""
    job = begin()
    parts = []
    job.progressed.connect(parts.append)
    said = ['{"progress": %s}' % part for part in ("null", '"x"', "[]", "NaN", "1e999", "0.25")]
    job._process = Program("\n".join(said + ["[" * 100000, '{"accepted": true}', ""]).encode())
    job._read()
    job._clean()
    return (parts == [0.25] and job._answer == {"accepted": True}) or [parts, job._answer]


def absent_layer(begin, place):
    job = begin()
    job._process = program = Program()
    job._hand_over("nobody")
    job._clean()
    answer = json.loads(program.heard)
    return answer == {"message": 'The layer "nobody" cannot be handed over: it is not there'} \
        or answer


def results(begin, place):
    """Each sentence."""
    path = os.path.join(place, "result")
    header = Header((0, 0, 4, 3), 4, pixel_file.U8)

    def said():
        try:
            return len(list(pixel_file.read(path, header)))
        except ValueError as error:
            return str(error)

    heard = [said()]
    for bytes_left in (0, 10, 64, 4100):
        if os.path.exists(path):
            os.remove(path)
        pixel_file.write(path, header, lambda x, y, width, height: bytes(4 * width * height))
        os.truncate(path, bytes_left)
        heard.append(said())
    os.remove(path)
    pixel_file.write(path, header, lambda x, y, width, height: bytes(4 * width * height))
    heard.append(said())
    header.depth = pixel_file.U16
    heard.append(said())
    return heard == ["the result cannot be read"] + 4 * ["the result is incomplete"] + \
        [1, "the result does not match the request"] or heard


def full(begin, place):
    """The place that is full is named."""
    job = begin()
    job._clean()
    said = [str(job._refusal(OSError(errno.ENOSPC, "full")))]
    try:
        folders.make(1 << 60)
    except OSError as error:
        said.append(str(layers.refusal(error, error.filename)))
    sentence = "There is not enough space to hand the layer over: free some space in %s."
    return said == [sentence % place, sentence % "/var/tmp"] or said


def run(document, node):
    """Everything that is not as it should be, by the check's name."""
    out = {}
    runtime, temporary = os.environ.pop("XDG_RUNTIME_DIR", None), tempfile.tempdir
    for check in (is_swept, names, lines, absent_layer, results, full):
        place = tempfile.mkdtemp(dir=temporary)
        tempfile.tempdir = place
        try:
            found = check(lambda: Job(document, node=node), place)
        except Exception:
            found = traceback.format_exc()
        finally:
            tempfile.tempdir = temporary
            shutil.rmtree(place)
        if found is not True:
            out[check.__name__] = repr(found)
    if runtime is not None:
        os.environ["XDG_RUNTIME_DIR"] = runtime
    return out


def progress_is_before(window):
    """Whether the window of the job that is under way is Krita's own's, and not shown at once."""
    found = window.findChildren(QProgressDialog)
    return len(found) == 1 and found[0].minimumDuration() == 700 and not found[0].isVisible()
