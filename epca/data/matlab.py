"""Numeric arrays of Matlab files up to v7 (level 5), read here and not by a library: broken files must not end the process."""

import struct
import zlib

import numpy as np

from epca.data.imageset import DataError
from epca.data.limits import MAX_UNPACKED, MAX_VALUES

NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}  # how values are stored
MATRIX, PACKED = 14, 15
CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}  # what they are
LOGICAL, COMPLEX = 0x0200, 0x0800


def read_matlab(name, content):
    """Variable → array, for full real arrays of numbers; others (cells, structures, text, sparse, complex) are left out."""
    order = "<" if content[126:128] == b"IM" else ">"
    arrays, left = {}, MAX_UNPACKED
    for kind, body in _elements(content, 128, order):
        if kind == PACKED:
            unpacked = zlib.decompressobj().decompress(body, left + 1)
            left -= len(unpacked)
            if left < 0:
                raise DataError(f"{name}: it unpacks to more than {MAX_UNPACKED // 2**20} MB; give fewer or smaller images.")
            kind, body = next(_elements(unpacked, 0, order), (0, b""))
        if kind == MATRIX:
            arrays |= _matrix(name, body, order)
    return arrays


def _elements(content, position, order):
    """(kind, body) of each data element; a body that the content does not hold whole is an error."""
    while position + 8 <= len(content):
        kind, length = struct.unpack_from(f"{order}II", content, position)
        start = position + 8
        if kind >> 16:  # a short one: four bytes of body within the tag
            kind, length, start = kind & 0xFFFF, kind >> 16, position + 4
        if start + length > len(content) or (start == position + 4 and length > 4):
            raise ValueError("an element is longer than the file")
        yield kind, content[start : start + length]
        position = position + 8 if start == position + 4 else start + length + (-length % 8 if kind != PACKED else 0)


def _matrix(name, body, order):
    parts = _elements(body, 0, order)
    (_, flags), (_, shape), (_, label) = next(parts), next(parts), next(parts)
    word = struct.unpack_from(f"{order}I", flags)[0]
    shape = tuple(np.frombuffer(shape, f"{order}i4").tolist())
    if word & 0xFF not in CLASSES or word & COMPLEX:
        return {}
    count = int(np.prod(shape, dtype=object))
    if min(shape, default=-1) < 0 or count > MAX_VALUES:
        raise DataError(f"{name}: an array of shape {shape}; at most {MAX_VALUES:,} values are read, so give fewer images.")
    kind, values = next(parts)
    if kind not in NUMBERS:
        raise ValueError(f"values of an unknown kind {kind}")
    values = np.frombuffer(values, f"{order}{NUMBERS[kind]}")
    if len(values) != count:
        raise ValueError(f"{len(values)} values for an array of shape {shape}")
    array = values.astype(bool if word & LOGICAL else CLASSES[word & 0xFF]).reshape(shape, order="F")
    return {label.decode("latin-1"): array}
