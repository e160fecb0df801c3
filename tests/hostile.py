"""Makers of hostile files: bombs, forged headers, archives that no honest program writes."""

import struct
import zipfile
import zlib
from io import BytesIO

import numpy as np

from epca.data import limits
from tests.files import encode, pack, pictures, pngs

PNG = encode(pictures(1)[0])
MATLAB = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"  # how a file of level 5 begins


class Payload:
    """Unpickling it would create a file."""

    def __reduce__(self):
        return open, ("executed", "w")


def bomb_png(width, height=1):
    """A PNG whose header claims a huge picture and whose data are a few bytes."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = {b"IHDR": header, b"IDAT": zlib.compress(b""), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*item) for item in chunks.items())


def member(name, content=PNG, *, mode=None, encrypted=False):
    """A zip of good pictures and one member with this name and these attributes."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for good, picture in pngs(pictures(4)).items():
            archive.writestr(good, picture)
        info = zipfile.ZipInfo(name)
        if mode:
            info.external_attr = mode << 16
        archive.writestr(info, content)
    content = buffer.getvalue()
    if encrypted:
        content = content.replace(b"PK\x03\x04\x14\x00\x00\x00", b"PK\x03\x04\x14\x00\x01\x00")
        content = content.replace(
            b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"
        )
    return content


def many_scans(n_scans, side=16):
    """A progressive JPEG whose last scan is repeated, a few bytes each time."""
    content = encode(np.zeros((side, side), np.uint8), "JPEG", progressive=True)
    scan = content[content.rindex(b"\xff\xda") : -2]
    return content[:-2] + scan * (n_scans - content.count(b"\xff\xda")) + content[-2:]


def many_entries(n_entries):
    """A zip whose directory names the same place many times."""
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, *[0] * 7, 1, *[0] * 6) + b"a"
    count = n_entries % 65536
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(entry) * n_entries, 4, 0)
    return b"PK\x03\x04" + entry * n_entries + end


def chunk(kind, content):
    """A part of a PNG."""
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def png_flood(kind, content, count):
    """A PNG with the same chunk many times before its pixels."""
    return PNG[:33] + chunk(kind, content) * count + PNG[33:]


def jpeg_flood(count):
    """A JPEG with many empty segments of an application."""
    content = encode(pictures(1)[0], "JPEG")
    return content[:2] + b"\xff\xe0\0\2" * count + content[2:]


def tiff_flood(count, length):
    """A TIFF whose directory has many entries, all of which name the same bytes as their value."""
    entries = [struct.pack("<HHII", 20_000 + i, 1, length, 8) for i in range(count)]
    return b"II*\0" + struct.pack("<IH", 8, count) + b"".join(entries) + bytes(4 + length)


def pgm_comment(length):
    """A PGM with a comment of this length in its header."""
    return b"P5\n#" + b"x" * length + b"\n4 4\n255\n" + bytes(16)


def pgm_late_comment(length):
    """A PGM with such a comment before its maximum, the last number of its header."""
    return b"P5\n4 4\n#" + b"x" * length + b"\n255\n" + bytes(16)


def gif_flood(count):
    """A GIF with many comments before its image."""
    content = encode(pictures(1)[0], "GIF")
    start = 13 + (3 << (content[10] % 8 + 1))  # behind its palette
    return content[:start] + b"!\xfe\1x\0" * count + content[start:]


def deep_folders(depth):
    """A zip with a picture so many folders deep."""
    return member("a/" * depth + "picture.png")


def header4(rows, columns, kind=50, order="<"):
    return struct.pack(f"{order}5i", kind, rows, columns, 0, 4) + b"fea\0"


def mat_of_many_arrays():
    """Each array is within the limit and stored in bytes; as doubles they would fill the memory."""
    count = limits.MAX_VALUES // 4
    parts = [
        struct.pack("<IIII", 6, 8, 6, 0),
        struct.pack("<IIii", 5, 8, 1, count),
        struct.pack("<HHI", 1, 1, 97),
    ]
    body = b"".join(parts) + struct.pack("<II", 2, count) + bytes(count)
    packed = zlib.compress(struct.pack("<II", 14, len(body)) + body)
    return MATLAB + (struct.pack("<II", 15, len(packed)) + packed) * 20


def mat_of_dimensions(count):
    """A small Matlab file with one array of so many dimensions, none of which can be."""

    def part(kind, content):
        return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)

    body = struct.pack("<IIII", 6, 8, 9, 0) + part(5, b"\xff" * (4 * count))
    body += part(1, b"fea") + part(2, bytes(8))
    packed = zlib.compress(struct.pack("<II", 14, len(body)) + body)
    return MATLAB + struct.pack("<II", 15, len(packed)) + packed


def mat_of_floats(values):
    """A Matlab file with fea, said to be uint8 and stored as doubles."""
    parts = [
        struct.pack("<IIII", 6, 8, 9, 0),
        struct.pack("<IIii", 5, 8, 1, len(values)),
        struct.pack("<II8s", 1, 3, b"fea"),
        struct.pack(f"<II{len(values)}d", 9, 8 * len(values), *values),
    ]
    body = b"".join(parts)
    return MATLAB + struct.pack("<II", 14, len(body)) + body


def twice(name):
    """A zip with the same name twice."""
    return pack(pngs(pictures(4)) | {name: PNG, "b" + name[1:]: PNG}).replace(
        b"b" + name[1:].encode(), name.encode()
    )


def mat_bomb():
    """A Matlab file whose packed part unpacks to half a gigabyte."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(2**20)) for _ in range(512)) + packer.flush()
    return MATLAB + struct.pack("<II", 15, len(packed)) + packed
