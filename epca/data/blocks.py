"""The blocks that a picture's file is made of, counted before Pillow meets them.

It takes each block in Python, and keeps some: a small file with a flood of them takes minutes or
gigabytes. An honest picture has dozens, or hundreds where its pixels come in many pieces.
"""

import re
import struct

from epca.data.imageset import DataError
from epca.data.limits import MAX_BLOCKS, MAX_SCANS

# in a JPEG
MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]", re.DOTALL)
SCAN = b"\xff\xda"
END = b"\xff\xd9"
# in a PGM or PPM, whose header has two or, but for black and white, three numbers among comments
NUMBER = rb"(?:(?:\s|#[^\r\n]*[\r\n])+[0-9]+)"
HEADER = re.compile(rb"P(?:[14]%b{2}|[2356]%b{3})" % (NUMBER, NUMBER))
LONGEST_HEADER = 4096  # bytes
# in a TIFF: bytes of one value, by its type
BYTES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8}


def check_blocks(name, content):
    """Refuse a picture whose file has more blocks than an honest one, or more scans."""
    blocks = next((blocks for start, blocks in BLOCKS.items() if content.startswith(start)), None)
    if blocks is None:
        return
    n_scans = 0
    for count, block in enumerate(blocks(content)):
        n_scans += block == SCAN
        if n_scans > MAX_SCANS:
            raise DataError(
                f"{name[-80:]} has more than {MAX_SCANS} scans, the most that are read; "
                "save it again as an ordinary JPEG."
            )
        if count == MAX_BLOCKS or block is TOO_LONG:
            raise DataError(
                f"{name[-80:]}: there is too much in its file besides the picture; "
                "save it again as a plain PNG."
            )


TOO_LONG = object()  # a block that no honest file has


def _jpeg(content):
    """Its markers, up to its own end: some cameras append a film."""
    position = 2
    while (marker := MARKER.search(content, position)) and marker[0] != END:
        yield marker[0]
        length = int.from_bytes(content[marker.end() : marker.end() + 2])  # of what it brings
        position = marker.end() + length


def _png(content):
    return (kind for kind, _ in png_chunks(content))


def png_chunks(content):
    """The kind of every chunk and what it holds."""
    position = 8
    while position + 8 <= len(content):
        length = int.from_bytes(content[position : position + 4])
        start = position + 8
        yield content[position + 4 : start], memoryview(content)[start : start + length]
        position = start + length + 4


def _gif(content):
    """Its extensions before the first image, each in pieces of at most 255 bytes."""
    flags = content[10] if len(content) > 10 else 0
    position = 13 + (3 << (flags % 8 + 1) if flags & 0x80 else 0)
    while content[position : position + 1] == b"!":
        position += 2
        while length := int.from_bytes(content[position : position + 1]):
            yield b"!"
            position += 1 + length
        position += 1


def _tiff(content):
    """The entries of its first directory. Together their values cannot be longer than the file."""
    order = "<" if content.startswith(b"II") else ">"
    start = struct.unpack_from(f"{order}I", content, 4)[0] if len(content) >= 8 else len(content)
    count = struct.unpack_from(f"{order}H", content, start)[0] if start + 2 <= len(content) else 0
    total = 0
    for position in range(start + 2, min(start + 2 + 12 * count, len(content) - 11), 12):
        tag, kind, length = struct.unpack_from(f"{order}HHI", content, position)
        total += BYTES.get(kind, 0) * length
        yield TOO_LONG if total > len(content) else tag


def _pnm(content):
    yield content[:2] if HEADER.match(content, 0, LONGEST_HEADER) else TOO_LONG


def _unusual(content):
    yield TOO_LONG


BLOCKS = {  # how a file begins → its blocks
    b"\xff\xd8": _jpeg,
    b"\x89PNG": _png,
    b"GIF8": _gif,
    b"II*\0": _tiff,
    b"MM\0*": _tiff,
    **{f"P{number}".encode(): _pnm for number in range(1, 7)},
    # kinds that nobody takes pictures in, and that Pillow reads all the same
    **dict.fromkeys((b"II+\0", b"MM\0+", b"II\0*", b"MM*\0", b"Pf", b"Py", b"P0"), _unusual),
}
