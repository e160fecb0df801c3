"""The line in front of the cores: a few at a time, in the order they came."""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Collection, Hashable
from typing import NamedTuple


class _Place(NamedTuple):
    name: Hashable
    granted: Callable[[int], None]
    slots: frozenset[int]
    is_short: bool
    visitor: Hashable


class Line:
    """Grants turns in its slots, one at a time in each: first come, first served.

    Work that says it is short goes before all that does not. Work that can run in some of the
    slots only does not keep others from the rest. Nobody's second place comes before anybody's
    first.
    """

    def __init__(self, slots: int) -> None:
        self._slots = frozenset(range(slots))
        self._working: dict[Hashable, int] = {}
        self._waiting: list[_Place] = []
        self._lock = threading.Lock()
        self._is_calling = False

    def enter(
        self,
        name: Hashable,
        granted: Callable[[int], None],
        slots: Collection[int] | None = None,
        is_short: bool = False,
        visitor: Hashable = None,
    ) -> None:
        """Give up the present turn or place, if any, and join the end; granted(slot) calls.

        slots : those it can run in; None → all
        visitor : for whom it is; None → for itself
        """
        slots = self._slots if slots is None else frozenset(slots)
        place = _Place(name, granted, slots, is_short, name if visitor is None else visitor)
        with self._lock:
            self._drop(name)
            self._waiting.insert(self._position(place), place)
        self._call()

    def leave(self, name: Hashable) -> None:
        """Give up the turn, or the place in the line."""
        with self._lock:
            self._drop(name)
        self._call()

    def withdraw(self, name: Hashable) -> bool:
        """Give up the place in the line, but no turn; whether there was a place."""
        with self._lock:
            was_waiting = any(place.name == name for place in self._waiting)
            if was_waiting:
                self._drop(name)
        return was_waiting

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

    def _position(self, place: _Place) -> int:
        """Where a new place belongs, with the lock held."""
        ahead = 0 if place.is_short else sum(other.is_short for other in self._waiting)
        peers = [other for other in self._waiting if other.is_short == place.is_short]
        own = sum(other.visitor == place.visitor for other in peers)
        before: Counter = Counter()
        for i, other in enumerate(peers):
            if before[other.visitor] > own:
                return ahead + i
            before[other.visitor] += 1
        return ahead + len(peers)

    def _drop(self, name: Hashable) -> None:
        """With the lock held."""
        self._working.pop(name, None)
        self._waiting = [place for place in self._waiting if place.name != name]

    def _call(self) -> None:
        """Call those whose turn it is, without the lock; one that cannot be called goes.

        Who is called may leave or enter at once. Nobody else is called within that call: hundreds
        who leave one after the other would be as many calls within each other.
        """
        while (turn := self._next_turn()) is not None:
            place, slot = turn
            try:
                place.granted(slot)
            except Exception:
                logging.getLogger(__name__).exception("A turn could not be granted")
                self.leave(place.name)
            finally:
                self._is_calling = False

    def _next_turn(self) -> tuple[_Place, int] | None:
        """Who has a turn now, and in which slot; None where nobody does, or a call is under way."""
        with self._lock:
            if self._is_calling:
                return None
            for place in self._waiting:
                free = place.slots.difference(self._working.values())
                if free:
                    self._waiting.remove(place)
                    self._working[place.name] = min(free)
                    self._is_calling = True
                    return place, min(free)
        return None
