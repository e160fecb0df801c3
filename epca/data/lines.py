"""Whether a picture's file has all of its lines. Pillow draws those that are missing in black."""

import struct
import zlib

from epca.data.blocks import png_chunks
from epca.data.imageset import DataError

PIECE = 2**20  # bytes that are unpacked at a time: only their number counts
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # numbers of a PNG's pixel, by its type of colour
PASSES = (  # of an interlaced PNG: the first column and line of each, and its steps
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
WHOLE = ((0, 0, 1, 1),)


def check_lines(name, content, image):
    """Refuse a picture, opened and not yet decoded, of which lines are missing in its file."""
    width, height = image.size
    covered = sum((right - left) * (low - high) for _, (left, high, right, low), *_ in image.tile)
    is_short = image.format == "PNG" and _unpacked(content) < _expected(content)
    if covered < width * height or is_short:
        raise DataError(
            f"{name[-80:]}: lines of the picture are missing in its file; "
            "replace it or leave it out."
        )


def _expected(content):
    """Bytes that a PNG's pixels take, each line with a byte in front of it."""
    header = next(chunk for kind, chunk in png_chunks(content) if kind == b"IHDR")
    width, height, depth, colour, _, _, is_interlaced = struct.unpack_from(">IIBBBBB", header)
    bits = depth * SAMPLES[colour]
    total = 0
    for left, top, across, down in PASSES if is_interlaced else WHOLE:
        columns = -(-(width - left) // across)
        lines = -(-(height - top) // down)
        if columns > 0 and lines > 0:
            total += lines * (1 + -(-columns * bits // 8))
    return total


def _unpacked(content):
    """Bytes that are in a PNG."""
    unpack = zlib.decompressobj()
    total = 0
    for kind, chunk in png_chunks(content):
        rest = chunk if kind == b"IDAT" else b""
        while rest and not unpack.eof:
            total += len(unpack.decompress(rest, PIECE))
            rest = unpack.unconsumed_tail
    return total + len(unpack.flush())
