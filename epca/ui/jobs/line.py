"""The line in front of the cores: a few at a time, in the order they came."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Hashable


class Line:
    """Grants turns to as many at a time as there are slots, first come, first served."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._working: set[Hashable] = set()
        self._waiting: deque[tuple[Hashable, Callable[[], None]]] = deque()
        self._lock = threading.Lock()

    def enter(self, name: Hashable, granted: Callable[[], None]) -> None:
        """Give up the present turn, if any, and join the end; granted() is called at the next."""
        with self._lock:
            self._working.discard(name)
            self._waiting.append((name, granted))
        self._call()

    def leave(self, name: Hashable) -> None:
        """Give up the turn, or the place in the line."""
        with self._lock:
            self._working.discard(name)
            self._waiting = deque(item for item in self._waiting if item[0] != name)
        self._call()

    def place(self, name: Hashable) -> int:
        """How many turns it takes until this one's: 1 is next, 0 is at work or not in the line."""
        with self._lock:
            waiting = [item[0] for item in self._waiting]
        return waiting.index(name) + 1 if name in waiting else 0

    def _call(self) -> None:
        """Call those whose turn it is, without the lock; one that cannot be called goes."""
        called = []
        with self._lock:
            while self._waiting and len(self._working) < self._slots:
                name, granted = self._waiting.popleft()
                self._working.add(name)
                called.append((name, granted))
        for name, granted in called:
            try:
                granted()
            except Exception:
                logging.getLogger(__name__).exception("A turn could not be granted")
                self.leave(name)
