"""The line in front of the cores: a few at a time, in the order they came."""

import logging
import threading
from collections.abc import Callable, Collection, Hashable
from typing import NamedTuple


class _Place(NamedTuple):
    name: Hashable
    granted: Callable[[int], None]
    slots: frozenset[int]
    is_short: bool


class Line:
    """Grants turns in its slots, one at a time in each: first come, first served.

    Work that says it is short goes before all that does not. Work that can run in some of the
    slots only does not keep others from the rest.
    """

    def __init__(self, slots: int) -> None:
        self._slots = frozenset(range(slots))
        self._working: dict[Hashable, int] = {}
        self._waiting: list[_Place] = []
        self._lock = threading.Lock()

    def enter(
        self,
        name: Hashable,
        granted: Callable[[int], None],
        slots: Collection[int] | None = None,
        is_short: bool = False,
    ) -> None:
        """Give up the present turn or place, if any, and join the end; granted(slot) calls.

        slots : those it can run in; None → all
        """
        place = _Place(name, granted, self._slots if slots is None else frozenset(slots), is_short)
        with self._lock:
            self._drop(name)
            ahead = sum(other.is_short for other in self._waiting)
            self._waiting.insert(ahead if is_short else len(self._waiting), place)
        self._call()

    def leave(self, name: Hashable) -> None:
        """Give up the turn, or the place in the line."""
        with self._lock:
            self._drop(name)
        self._call()

    def place(self, name: Hashable) -> int:
        """How many turns it takes until this one's: 1 is next, 0 is at work or not in the line.

        Those ahead who wait for other slots do not count.
        """
        with self._lock:
            waiting = list(self._waiting)
        for i, place in enumerate(waiting):
            if place.name == name:
                return 1 + sum(not place.slots.isdisjoint(other.slots) for other in waiting[:i])
        return 0

    def _drop(self, name: Hashable) -> None:
        """With the lock held."""
        self._working.pop(name, None)
        self._waiting = [place for place in self._waiting if place.name != name]

    def _call(self) -> None:
        """Call those whose turn it is, without the lock; one that cannot be called goes."""
        called = []
        with self._lock:
            for place in list(self._waiting):
                free = place.slots.difference(self._working.values())
                if free:
                    self._waiting.remove(place)
                    self._working[place.name] = min(free)
                    called.append((place, min(free)))
        for place, slot in called:
            try:
                place.granted(slot)
            except Exception:
                logging.getLogger(__name__).exception("A turn could not be granted")
                self.leave(place.name)
