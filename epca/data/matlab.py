"""Numeric arrays of Matlab files up to v7 (levels 4 and 5).

They are read here and not by a library, because a broken file must not end the process.
"""

import struct
import zlib
from typing import NamedTuple

import numpy as np

from epca.data.imageset import DataError
from epca.data.limits import MAX_MEMBERS, MAX_UNPACKED, MAX_VALUES

# level 5: kinds of elements
MATRIX = 14
PACKED = 15
# level 5: how the values of a matrix are stored
INTEGERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 12: "i8", 13: "u8"}
NUMBERS = INTEGERS | {7: "f4", 9: "f8"}
# level 5: classes of a matrix, those of full arrays of numbers and the others
CLASSES = dict(enumerate(("f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"), 6))
OTHERS = {1: "a cell array", 2: "a structure", 4: "text", 5: "a sparse matrix"}
OPAQUE = 17
PIECE = 2**24  # bytes unpacked at a time
# level 5: flags of a matrix
LOGICAL = 0x0200
COMPLEX = 0x0800
# level 4
PRECISIONS = ("f8", "f4", "i4", "i2", "u2", "u1")
FORMS = ("", "text", "a sparse matrix")


class Variable(NamedTuple):
    """A variable of a file; where it is no full array of real numbers, only label and other."""

    label: str
    other: str  # what it is, where it is no full array of real numbers, else empty
    values: np.ndarray = None  # as stored, column by column
    shape: tuple = ()
    dtype: str = ""


def read_matlab(name, content):
    """The full real arrays of a file by name; and for the other variables, what they are."""
    arrays = {}
    others = {}
    left = MAX_VALUES
    order = find_level_4(content)
    variables = _level_4(content, order) if order else _level_5(name, content)
    for i, variable in enumerate(variables):
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
        if variable.values.dtype.kind == "f" and np.dtype(variable.dtype).kind in "iu":
            _check_whole(name, variable)
        values = variable.values.astype(variable.dtype)
        arrays[variable.label] = values.reshape(variable.shape, order="F")
    return arrays, others


def _check_whole(name, variable):
    """Refuse numbers that an array of whole ones cannot hold; Matlab stores some as floats."""
    limits = np.iinfo(variable.dtype)
    if not np.all((variable.values >= limits.min) & (variable.values <= limits.max)):
        raise DataError(
            f"{name}: {variable.label} is of type {np.dtype(variable.dtype)} and has values that "
            "are none, such as NaN; save it again."
        )


def find_level_4(content):
    """The byte order, "<" or ">", of a file of level 4; None where it is no such file.

    Level 4 has no signature, so the file must begin with a header that makes sense.
    """
    if len(content) < 20:
        return None
    return next((order for order in "<>" if _header_4(content, 0, order)), None)


def _header_4(content, position, order):
    """(precision, form, rows, columns, parts, bytes of the name) of a matrix; None if not one."""
    kind, rows, columns, is_complex, length = struct.unpack_from(f"{order}5i", content, position)
    precision, form = divmod(kind - (1000 if order == ">" else 0), 10)
    is_known = precision in range(len(PRECISIONS)) and form in range(len(FORMS))
    if not is_known or is_complex not in (0, 1) or min(rows, columns, length - 1) < 0:
        return None
    return precision, form, rows, columns, 1 + is_complex, length


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
        is_complex = parts == 2
        other = FORMS[form] or ("complex" if is_complex else "")
        values = np.frombuffer(content, dtype, rows * columns, start)
        yield Variable(label, other, values, (rows, columns), dtype.newbyteorder("="))


def _unpack(name, packed, most):
    """The content, piece by piece, so that a bomb is noticed before all of it is held twice."""
    unpacker = zlib.decompressobj()
    pieces = []
    while packed and not unpacker.eof:
        pieces.append(unpacker.decompress(packed, PIECE))
        packed = unpacker.unconsumed_tail
        most -= len(pieces[-1])
        if most < 0:
            raise DataError(
                f"{name}: it unpacks to more than {MAX_UNPACKED // 2**20} MB; "
                "give fewer or smaller images."
            )
    return b"".join(pieces)


def _level_5(name, content):
    order = "<" if content[126:128] == b"IM" else ">"
    left = MAX_UNPACKED
    for kind, body in _elements(content, 128, order):
        if kind == PACKED:
            unpacked = _unpack(name, body, left)
            left -= len(unpacked)
            kind, body = next(_elements(unpacked, 0, order), (0, b""))
        yield _matrix(body, order) if kind == MATRIX else Variable("", "no variable")


def _elements(content, position, order):
    """(kind, body) of each data element; it is an error if the content lacks part of a body."""
    content = memoryview(content)
    while position + 8 <= len(content):
        kind, length = struct.unpack_from(f"{order}II", content, position)
        start = position + 8
        is_short = bool(kind >> 16)  # a body of at most four bytes, within the tag
        if is_short:
            length = kind >> 16
            kind &= 0xFFFF
            start = position + 4
        if start + length > len(content) or (is_short and length > 4):
            raise ValueError("an element is longer than the file")
        yield kind, content[start : start + length]
        if is_short:
            position += 8
        else:
            padding = 0 if kind == PACKED else -length % 8
            position = start + length + padding


def _matrix(body, order):
    parts = _elements(body, 0, order)
    word = struct.unpack_from(f"{order}I", next(parts)[1])[0]
    kind = word & 0xFF
    shape = b"" if kind == OPAQUE else next(parts)[1]
    label = bytes(next(parts)[1]).decode("latin-1")
    if kind not in CLASSES:
        return Variable(label, OTHERS.get(kind, "an object"))
    if word & COMPLEX:
        return Variable(label, "complex")
    stored, values = next(parts)
    if stored not in NUMBERS:
        raise ValueError(f"values of an unknown kind {stored}")
    shape = tuple(np.frombuffer(shape, f"{order}i4").tolist())
    dtype = "bool" if word & LOGICAL else CLASSES[kind]
    return Variable(label, "", np.frombuffer(values, order + NUMBERS[stored]), shape, dtype)
