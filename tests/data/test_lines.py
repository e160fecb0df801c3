"""Lines that are missing in a picture's file are said, not drawn in black."""

import struct
import zlib

import numpy as np
import pytest

from epca.data import DataError, read_bytes, read_picture
from tests.files import encode, pack, pictures, pngs

SHAPE = (8, 6)


def png(lines, depth=8, colour=0, interlaced=0, width=6, height=8):
    """A PNG in good order which says that it has eight lines; this is what comes of them."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    written = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


KINDS = {  # depth, type of colour, whether interlaced: bytes of all lines, counted by hand
    (8, 0, 0): 8 * (1 + 6),
    (16, 2, 0): 8 * (1 + 36),
    (1, 0, 0): 8 * (1 + 1),
    (8, 0, 1): (1 + 1) + (1 + 1) + 1 * (1 + 2) + 2 * (1 + 1) + 2 * (1 + 3) + 4 * (1 + 3) + 4 * 7,
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_a_png_is_read_with_all_its_lines_and_refused_without_one_byte(kind):
    whole = bytes(KINDS[kind])
    assert read_picture("a.png", png(whole, *kind), SHAPE).shape == SHAPE
    with pytest.raises(DataError, match=r"a.png: lines of the picture are missing in its file"):
        read_picture("a.png", png(whole[:-1], *kind), SHAPE)


def in_strips(content, lines):
    """The TIFF, saying now that its only strip has so many lines."""
    start = struct.unpack_from("<I", content, 4)[0]
    changed = bytearray(content)
    for i in range(struct.unpack_from("<H", content, start)[0]):
        place = start + 2 + 12 * i
        if struct.unpack_from("<H", content, place)[0] == 278:
            struct.pack_into("<H", changed, place + 8, lines)
    return bytes(changed)


def test_a_tiff_without_some_of_its_strips_is_refused():
    pixels = np.full(SHAPE, 200, np.uint8)
    content = encode(pixels, "TIFF")
    np.testing.assert_array_equal(read_picture("a.tif", in_strips(content, 8), SHAPE), pixels)
    with pytest.raises(DataError, match=r"a.tif: lines of the picture are missing"):
        read_picture("a.tif", in_strips(content, 4), SHAPE)


def test_the_file_of_a_set_is_named():
    files = pngs(pictures(4, *SHAPE), "faces") | {"faces/9.png": png(bytes(21))}
    with pytest.raises(DataError, match=r"faces/9.png: lines of the picture are missing"):
        read_bytes("faces.zip", pack(files))
