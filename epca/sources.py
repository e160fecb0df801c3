"""Samples in chunks, wherever they come from: sums over them, and one result for each of them."""

from operator import add
from os import PathLike

import numpy as np

CHUNK = 2**22  # numbers of an array that are read at once


def rows_of(source):
    """The Rows of a path, an array, a Dask array, or a function that returns an iterator."""
    if isinstance(source, str | PathLike):
        return ArrayRows(lambda: _mapped(source))
    if hasattr(source, "dask"):
        return DaskRows(source)
    if callable(source):
        return IteratorRows(source)
    if hasattr(source, "shape") and hasattr(source, "dtype"):
        return ArrayRows(lambda: source)
    raise TypeError(
        "source must be a path to a .npy file, an array, a Dask array, or a function that returns "
        f"an iterator of arrays; got {type(source).__name__}."
    )


def _mapped(path):
    """The array of a .npy file, whose values stay on the disk."""
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except ValueError as error:
        raise ValueError(f"{path} is no .npy file of numbers: {error}") from None


def check_shape(array):
    """Refuse what has no rows and columns of numbers."""
    if not (hasattr(array, "shape") and hasattr(array, "dtype")):
        raise TypeError(f"Samples must come as arrays (m, d); got {type(array).__name__}.")
    if len(array.shape) != 2 or not array.shape[1] or array.dtype.kind not in "fiub":
        raise ValueError(
            f"Samples must be numbers in rows of at least one column; got {array.dtype} of shape "
            f"{tuple(array.shape)}."
        )


class Rows:
    """Samples (n, d) in chunks of given sizes. A kind of rows has `_chunks`, their iterator."""

    def __init__(self, sizes, n_features):
        self.shape = (int(sum(sizes)), n_features)
        ends = np.cumsum(sizes)
        self.slices = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, rows):
        """Some rows (m, d), by rising numbers (m,)."""
        found = []
        for part, chunk in zip(self.slices, self._chunks(), strict=True):
            inside = rows[(part.start <= rows) & (rows < part.stop)]
            found.append(chunk[inside - part.start])
        return np.concatenate(found)

    def total(self, function, weights):
        """Σ function(chunk, its weights) over all chunks, for weights (n,)."""
        total = 0
        for part, chunk in zip(self.slices, self._chunks(), strict=True):
            total += function(chunk, weights[part])
        return total

    def each(self, function):
        """function(chunk) of all chunks, one below the other: a row for each sample."""
        found = None
        for part, chunk in zip(self.slices, self._chunks(), strict=True):
            result = function(chunk)
            if found is None:
                found = np.empty((len(self), *result.shape[1:]))
            found[part] = result
        return found


class ArrayRows(Rows):
    """Rows of an array. It is opened anew for each chunk: a mapped file then takes no memory."""

    def __init__(self, opened):
        self._opened = opened
        array = opened()
        check_shape(array)
        n_samples, n_features = array.shape
        step = max(1, CHUNK // n_features)
        sizes = [min(step, n_samples - start) for start in range(0, n_samples, step)]
        super().__init__(sizes, n_features)

    def _chunks(self):
        return (self[part] for part in self.slices)

    def __getitem__(self, rows):
        return np.asarray(self._opened()[rows], dtype=float)


class IteratorRows(Rows):
    """Rows of the arrays that an iterator gives; one pass counts them."""

    def __init__(self, iterate):
        self._iterate = iterate
        sizes = []
        widths = set()
        for chunk in iterate():
            check_shape(chunk)
            sizes.append(len(chunk))
            widths.add(chunk.shape[1])
        if len(widths) != 1:
            widths = sorted(widths) or "no chunks"
            raise ValueError(f"All chunks must have as many columns; got {widths}.")
        super().__init__(sizes, widths.pop())

    def _chunks(self):
        parts = iter(self.slices)
        for chunk in self._iterate():
            part = next(parts, slice(0, 0))
            if len(chunk) != part.stop - part.start:
                break
            yield np.asarray(chunk, dtype=float)
        else:
            if next(parts, None) is None:
                return
        raise ValueError("The iterator must give the same chunks each time; now there are others.")


class DaskRows(Rows):
    """Rows of a Dask array. What is to be done is sent to where its chunks are."""

    def __init__(self, array):
        check_shape(array)
        if np.isnan(array.shape[0]):
            raise ValueError("The array does not know its length: call compute_chunk_sizes().")
        self._array = array.rechunk({1: -1}).astype(float)
        super().__init__(self._array.chunks[0], int(array.shape[1]))

    def __getitem__(self, rows):
        return self._array[rows].compute()

    def _tasks(self, function, *columns):
        import dask

        shared = dask.delayed(function)  # sent once, as it holds a mean and components
        call = dask.delayed(_call)
        blocks = self._array.to_delayed()[:, 0]
        for part, block in zip(self.slices, blocks, strict=True):
            yield call(shared, block, *(column[part] for column in columns))

    def total(self, function, weights):
        import dask

        sums = list(self._tasks(function, weights))
        while len(sums) > 1:  # by pairs, so that few are in memory, in an order of their own
            pairs = [dask.delayed(add)(*pair) for pair in zip(sums[::2], sums[1::2], strict=False)]
            sums = pairs + sums[len(pairs) * 2 :]
        return sums[0].compute()

    def each(self, function):
        import dask

        return np.concatenate(dask.compute(*self._tasks(function)))


def _call(function, *arguments):
    return function(*arguments)
