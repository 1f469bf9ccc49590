# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Pixels in files, in the format of Sfumato's programs. Bytes pass through unchanged; nothing here
# interprets a pixel.
import struct

from .qt import QByteArray, QFile, QIODevice
from .texts import text

_READ_ONLY = getattr(QIODevice, "OpenModeFlag", QIODevice).ReadOnly
_MAGIC = b"sfumato\n"
_NUMBERS = struct.Struct("<8sIIIIIIIIfiiIII")
_HEADER, _PAGE = 128, 4096

U8, U16, F16, F32 = range(4)
STRAIGHT = 1
LINEAR, SRGB, POWER, OF_PROFILE = range(4)
# Bytes that Krita exchanges at a time, small enough that the same memory serves every band.
BAND_BYTES = 1 << 24
TILE = 64  # Krita's, which bands are whole rows of
SAMPLE_BYTES = {U8: 1, U16: 2, F16: 2, F32: 4}


class Header:
    """Describes the pixels; see core/io/pixel_file.hpp."""

    def __init__(self, rect, channels, depth, bgr=False, alpha=0, curve=SRGB, gamma=1.0,
                 canvas=(0, 0), profile=b""):
        self.rect = rect  # x, y, width, height
        self.channels, self.depth, self.bgr, self.alpha = channels, depth, bgr, alpha
        self.curve, self.gamma, self.canvas, self.profile = curve, gamma, canvas, profile

    def pixel_bytes(self):
        return self.channels * SAMPLE_BYTES[self.depth]

    def bytes(self):
        return self.rect[2] * self.rect[3] * self.pixel_bytes()

    def bands(self):
        """x, y, width and height of the pieces to exchange with Krita."""
        x, y, width, height = self.rect
        rows = max(1, BAND_BYTES // max(1, width * self.pixel_bytes()))
        step = min(rows, TILE)
        rows -= rows % step
        ends = [*range(y // step * step + rows, y + height, rows), y + height]
        return [(x, top, width, end - top) for top, end in zip([y, *ends], ends)]

    def start(self):
        """The offset of the pixels in the file."""
        return -(-(_HEADER + len(self.profile)) // _PAGE) * _PAGE


def write(path, header, pixels):
    """Writes a file; `pixels(x, y, width, height)` returns the pixels of a band as a bytes-like
    object, such as a QByteArray."""
    x, y, width, height = header.rect
    with open(path, "xb") as file:
        file.write(_NUMBERS.pack(_MAGIC, 1, width, height, header.channels, header.depth,
                                 int(header.bgr), header.alpha, header.curve, header.gamma, x, y,
                                 header.canvas[0], header.canvas[1], len(header.profile)))
        file.seek(_HEADER)
        file.write(header.profile)
        file.seek(header.start())
        for band in header.bands():
            data = pixels(*band)
            if len(data) != band[2] * band[3] * header.pixel_bytes():
                raise ValueError(text("the layer has the wrong number of pixels"))
            file.write(data)


def read(path, header):
    """Yields the pixels of a file that must match `header`, in bands of (data, x, y, width, height)
    with a QByteArray each."""
    wanted = (_MAGIC, 1, header.rect[2], header.rect[3], header.channels, header.depth,
              int(header.bgr))
    file = QFile(path)
    if not file.open(_READ_ONLY):
        raise ValueError(text("the result cannot be read"))
    try:
        start = file.read(_NUMBERS.size) or b""
        if len(start) != _NUMBERS.size:
            raise ValueError(text("the result is incomplete"))
        numbers = _NUMBERS.unpack(start)
        if numbers[:7] != wanted or numbers[14] != len(header.profile):
            raise ValueError(text("the result does not match the request"))
        if file.size() != header.start() + header.bytes():
            raise ValueError(text("the result is incomplete"))
        at = header.start()
        for band in header.bands():
            # A QByteArray read at once can go straight to Krita; Python's bytes would need a second
            # copy.
            size = band[2] * band[3] * header.pixel_bytes()
            if not file.seek(at):
                raise ValueError(text("the result cannot be read"))
            data = QByteArray(file.read(size) or b"") if size < header.bytes() else file.readAll()
            if data.size() != size:
                raise ValueError(text("the result is incomplete"))
            yield (data, *band)
            at += size
    finally:
        file.close()
