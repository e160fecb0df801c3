"""Large arrays on their way to workers: written once, to memory that each of them maps.

The memory has no name. It goes with the last process that has it, however that ends.
"""

import mmap
import os
import pickle
import socket
import tempfile
import weakref
from collections.abc import Sequence
from typing import Any

LEAST = 2**16  # bytes of an array that is worth it
ALIGNED = 64  # bytes at whose multiples arrays begin, as processors like it
IS_POSSIBLE = hasattr(socket, "send_fds")  # not on Windows, where arrays travel with the message

Place = tuple[int, int]  # where an array begins and ends


class Mapped:
    """A value ready to travel: `content` without its large arrays, and the places of these."""

    def __init__(self, value: Any) -> None:
        arrays: list[memoryview] = []

        def stays(buffer: pickle.PickleBuffer) -> bool:
            array = buffer.raw()
            is_large = IS_POSSIBLE and array.nbytes >= LEAST
            if is_large:
                arrays.append(array)
            return not is_large

        self.content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=stays)
        self.places: list[Place] = []
        self.nbytes = 0
        for array in arrays:
            self.places.append((self.nbytes, self.nbytes + array.nbytes))
            self.nbytes += -(-array.nbytes // ALIGNED) * ALIGNED
        self._descriptor = _write(arrays, self.places) if arrays else None
        if arrays:
            weakref.finalize(self, os.close, self._descriptor)

    def send(self, channel: socket.socket) -> None:
        """Hand the memory over; the content and the places go another way."""
        if self._descriptor is not None:
            socket.send_fds(channel, [b"."], [self._descriptor])


def _write(arrays: Sequence[memoryview], places: Sequence[Place]) -> int:
    """The descriptor of memory with the arrays at their places."""
    descriptor = _anonymous()
    with os.fdopen(descriptor, "wb", closefd=False) as memory:
        for array, (begin, _) in zip(arrays, places, strict=True):
            memory.seek(begin)
            memory.write(array)
    return descriptor


def _anonymous() -> int:
    """The descriptor of nameless memory, where the system has such, or of a nameless file."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("epca")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def receive(places: Sequence[Place], channel: socket.socket) -> int | None:
    """The descriptor of the memory that was handed over for these places, if any."""
    if not places:
        return None
    _, (descriptor,), _, _ = socket.recv_fds(channel, 1, 1)
    return descriptor


def load(content: bytes, places: Sequence[Place], descriptor: int | None) -> Any:
    """The value; its large arrays are read-only views of the memory."""
    if descriptor is None:
        return pickle.loads(content)
    try:
        memory = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    finally:
        os.close(descriptor)
    return pickle.loads(content, buffers=[memory[begin:end] for begin, end in places])
