"""A few pages are drawn at a time, so that the server answers while a class arrives together.

Python runs one thread at a time. With a hundred pages at once each of them, and the server itself,
waits for all others at every step.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Lets so many threads in at a time. One that waits for something else leaves meanwhile."""

    def __init__(self, places: int) -> None:
        self._places = threading.Semaphore(places)
        self._inside = threading.local()

    @contextmanager
    def entered(self) -> Iterator[None]:
        with self._places:
            self._inside.yes = True
            try:
                yield
            finally:
                self._inside.yes = False

    @contextmanager
    def left(self) -> Iterator[None]:
        """Make room for the time of the block, if this thread is inside."""
        if not getattr(self._inside, "yes", False):
            yield
            return
        self._places.release()
        try:
            yield
        finally:
            self._places.acquire()


GATE = Gate(2)
