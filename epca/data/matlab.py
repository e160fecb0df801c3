"""Numeric arrays of Matlab files up to v7 (levels 4 and 5); no library reads them here: broken files must not end the process."""

import struct
import zlib
from typing import NamedTuple

import numpy as np

from epca.data.imageset import DataError
from epca.data.limits import MAX_MEMBERS, MAX_UNPACKED, MAX_VALUES

NUMBERS = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
}  # how values are stored
MATRIX, PACKED, OPAQUE = 14, 15, 17
CLASSES = {
    6: "f8",
    7: "f4",
    8: "i1",
    9: "u1",
    10: "i2",
    11: "u2",
    12: "i4",
    13: "u4",
    14: "i8",
    15: "u8",
}  # what they are
OTHERS = {1: "a cell array", 2: "a structure", 4: "text", 5: "a sparse matrix"}
LOGICAL, COMPLEX = 0x0200, 0x0800
PRECISIONS, FORMS = (
    ("f8", "f4", "i4", "i2", "u2", "u1"),
    ("", "text", "a sparse matrix"),
)  # of level 4


class Variable(NamedTuple):
    label: str
    other: str  # what it is, where it is no full array of real numbers; the rest is then left out
    values: np.ndarray = None  # as stored, column by column
    shape: tuple = ()
    dtype: str = ""


def read_matlab(name, content):
    """Variable → array, for full real arrays of numbers; and for the others, variable → what it is."""
    arrays, others, left = {}, {}, MAX_VALUES
    order = find_level_4(content)
    for i, variable in enumerate(_level_4(content, order) if order else _level_5(name, content)):
        if i == MAX_MEMBERS:
            raise DataError(
                f"{name}: more than {MAX_MEMBERS:,} variables; save the images and labels alone."
            )
        if variable.other:
            others[variable.label] = variable.other
            continue
        count = int(np.prod(variable.shape, dtype=object))
        left -= count
        if min(variable.shape, default=-1) < 0 or left < 0:
            most = f"at most {MAX_VALUES:,} values are read in all, so give fewer images"
            raise DataError(f"{name}: an array of shape {variable.shape}; {most}.")
        if len(variable.values) != count:
            raise ValueError(
                f"{len(variable.values)} values for an array of shape {variable.shape}"
            )
        arrays[variable.label] = variable.values.astype(variable.dtype).reshape(
            variable.shape, order="F"
        )
    return arrays, others


def find_level_4(content):
    """The byte order, "<" or ">", of a file of level 4, which has no signature: its first header must be one. Else None."""
    return next(
        (order for order in "<>" if len(content) >= 20 and _header_4(content, 0, order)), None
    )


def _header_4(content, position, order):
    """(precision, form, rows, columns, parts, bytes of the name) of a matrix, or None where that cannot be one."""
    kind, rows, columns, is_complex, length = struct.unpack_from(f"{order}5i", content, position)
    precision, form = divmod(kind - (1000 if order == ">" else 0), 10)
    is_sound = (
        precision in range(len(PRECISIONS)) and form in range(len(FORMS)) and is_complex in (0, 1)
    )
    return (
        (precision, form, rows, columns, 1 + is_complex, length)
        if is_sound and min(rows, columns, length - 1) >= 0
        else None
    )


def _level_4(content, order):
    position = 0
    while position < len(content):
        header = _header_4(content, position, order)
        if header is None:
            raise ValueError("a header that cannot be one")
        precision, form, rows, columns, parts, length = header
        dtype = np.dtype(order + PRECISIONS[precision])
        start = position + 20 + length
        label = content[position + 20 : start].split(b"\0")[0].decode("latin-1")
        position = start + rows * columns * parts * dtype.itemsize
        if position > len(content):
            raise ValueError("a matrix is longer than the file")
        other = FORMS[form] or ("complex" if parts == 2 else "")
        yield Variable(
            label,
            other,
            np.frombuffer(content, dtype, rows * columns, start),
            (rows, columns),
            dtype.newbyteorder("="),
        )


def _level_5(name, content):
    order = "<" if content[126:128] == b"IM" else ">"
    left = MAX_UNPACKED
    for kind, body in _elements(content, 128, order):
        if kind == PACKED:
            unpacked = zlib.decompressobj().decompress(body, left + 1)
            left -= len(unpacked)
            if left < 0:
                raise DataError(
                    f"{name}: it unpacks to more than {MAX_UNPACKED // 2**20} MB; give fewer or smaller images."
                )
            kind, body = next(_elements(unpacked, 0, order), (0, b""))
        yield _matrix(body, order) if kind == MATRIX else Variable("", "no variable")


def _elements(content, position, order):
    """(kind, body) of each data element; a body that the content does not hold whole is an error."""
    content = memoryview(content)
    while position + 8 <= len(content):
        kind, length = struct.unpack_from(f"{order}II", content, position)
        start = position + 8
        if kind >> 16:  # a short one: four bytes of body within the tag
            kind, length, start = kind & 0xFFFF, kind >> 16, position + 4
        if start + length > len(content) or (start == position + 4 and length > 4):
            raise ValueError("an element is longer than the file")
        yield kind, content[start : start + length]
        position = (
            position + 8
            if start == position + 4
            else start + length + (-length % 8 if kind != PACKED else 0)
        )


def _matrix(body, order):
    parts = _elements(body, 0, order)
    word = struct.unpack_from(f"{order}I", next(parts)[1])[0]
    kind = word & 0xFF
    shape = b"" if kind == OPAQUE else next(parts)[1]
    label = bytes(next(parts)[1]).decode("latin-1")
    if kind not in CLASSES or word & COMPLEX:
        return Variable(label, "complex" if kind in CLASSES else OTHERS.get(kind, "an object"))
    stored, values = next(parts)
    if stored not in NUMBERS:
        raise ValueError(f"values of an unknown kind {stored}")
    shape = tuple(np.frombuffer(shape, f"{order}i4").tolist())
    dtype = "bool" if word & LOGICAL else CLASSES[kind]
    return Variable(label, "", np.frombuffer(values, order + NUMBERS[stored]), shape, dtype)
