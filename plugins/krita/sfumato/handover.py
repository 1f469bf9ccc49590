# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Pixels in files, as Sfumato's programs read and write them. Bytes go through as they are: nothing
# here looks at a pixel.
import struct

from .qt import QFile, QIODevice

_READ_ONLY = getattr(QIODevice, "OpenModeFlag", QIODevice).ReadOnly
_MAGIC = b"sfumato\n"
_NUMBERS = struct.Struct("<8sIIIIIIIIfiiIII")
_HEADER, _PAGE = 128, 4096

U8, U16, F16, F32 = range(4)
STRAIGHT = 1
LINEAR, SRGB, POWER = range(3)
SAMPLE_BYTES = {U8: 1, U16: 2, F16: 2, F32: 4}


class Header:
    """What the pixels are; see core/io/handover.hpp."""

    def __init__(self, rect, channels, depth, bgr=False, alpha=0, curve=SRGB, gamma=1.0,
                 canvas=(0, 0), profile=b""):
        self.rect = rect  # x, y, width, height
        self.channels, self.depth, self.bgr, self.alpha = channels, depth, bgr, alpha
        self.curve, self.gamma, self.canvas, self.profile = curve, gamma, canvas, profile

    def pixel_bytes(self):
        return self.channels * SAMPLE_BYTES[self.depth]

    def bytes(self):
        return self.rect[2] * self.rect[3] * self.pixel_bytes()

    def _start(self):
        return -(-(_HEADER + len(self.profile)) // _PAGE) * _PAGE


def write(path, header, data):
    """`data`: whatever has the bytes, a QByteArray for one."""
    x, y, width, height = header.rect
    if len(data) != header.bytes():
        raise ValueError("the layer's pixels are not as many as they should be")
    with open(path, "xb") as file:
        file.write(_NUMBERS.pack(_MAGIC, 1, width, height, header.channels, header.depth,
                                 int(header.bgr), header.alpha, header.curve, header.gamma, x, y,
                                 header.canvas[0], header.canvas[1], len(header.profile)))
        file.seek(_HEADER)
        file.write(header.profile)
        file.seek(header._start())
        file.write(data)


def read(path, header):
    """The pixels of a file that must be as `header` says, as a QByteArray."""
    with open(path, "rb") as file:
        numbers = _NUMBERS.unpack(file.read(_NUMBERS.size))
    wanted = (_MAGIC, 1, header.rect[2], header.rect[3], header.channels, header.depth,
              int(header.bgr))
    if numbers[:7] != wanted or numbers[14] != len(header.profile):
        raise ValueError("the result is not what was asked for")
    file = QFile(path)
    # Straight into what Krita takes: of Python's bytes there would be a second copy.
    if not file.open(_READ_ONLY) or not file.seek(header._start()):
        raise ValueError("the result cannot be read")
    data = file.readAll()
    file.close()
    if data.size() != header.bytes():
        raise ValueError("the result is not whole")
    return data
