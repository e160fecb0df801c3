"""The array of a .npy file."""

from io import BytesIO

import numpy as np

from epca.data.imageset import DataError
from epca.data.limits import MAX_UNPACKED, MAX_VALUES


def read_npy(name, content):
    """An array, never from a pickle; its header is checked before its values are read."""
    file = BytesIO(content)
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0), (3, 0)):
        shown = ".".join(map(str, version))
        raise DataError(f"{name}: version {shown} of .npy is not read; save it again by numpy.")
    if version == (1, 0):
        header = np.lib.format.read_array_header_1_0(file)
    else:
        header = np.lib.format.read_array_header_2_0(file)
    shape, by_columns, dtype = header
    count = int(np.prod([int(side) for side in shape], dtype=object))
    if min(shape, default=0) < 0:
        raise DataError(f"{name}: an array of shape {shape} cannot be; save it again.")
    if dtype.hasobject:
        raise DataError(
            f"{name}: an array of Python objects is not read, because it could run code; "
            "save numbers."
        )
    if count > MAX_VALUES or count * dtype.itemsize > MAX_UNPACKED:
        raise DataError(
            f"{name}: an array of {count:,} values; at most {MAX_VALUES:,} are read. "
            "Give fewer or smaller images."
        )
    start = file.tell()
    if len(content) - start < count * dtype.itemsize:
        raise DataError(f"{name}: the file ends before its array does; copy it again.")
    values = np.frombuffer(content, dtype, count, start)
    return values.reshape(shape, order="F" if by_columns else "C")
