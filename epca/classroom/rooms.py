"""All rooms of a server."""

import hmac
import threading
import time
from collections import deque
from collections.abc import Callable
from math import ceil

from epca.classroom import codes
from epca.classroom.room import MOST_SEATS, Room

MOST_ROOMS = 50
IDLE = 2 * 60 * 60  # seconds after which a room ends
DESERTED = 10 * 60  # seconds after which one with nobody in it ends if all rooms are taken
SPAN = 600  # seconds for which a failed try counts
MOST_FAILED = 10  # tries of one seat
MOST_FAILED_OF_ALL = 200  # tries of all, from which on nobody fails twice
MOST_KEPT = 10_000  # failed tries that are remembered


class Refused(Exception):
    """Why one may not open a room or come in, in words."""


class NoRoom(Refused):
    """There is no room of this code."""


class Rooms:
    """Opens rooms and finds them by their codes. Rooms end with their teacher or when idle.

    Trying codes is limited by failed tries alone, so that a class that comes by one address is
    never kept out; nor is anybody who has the right code at the first try.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rooms: dict[str, Room] = {}  # by code
        self._failed: deque[tuple[float, str]] = deque(maxlen=MOST_KEPT)  # when, whose
        self._lock = threading.Lock()

    def open(self, secret: str) -> Room:
        """The room of this secret, opened if it is not open."""
        if not codes.is_secret(secret):
            raise Refused("This is no teacher's link. Open a new room on the page Learn.")
        code = codes.code_of(secret)
        with self._lock:
            room = self._get(code)
            if room is None and not self._make_place():
                raise Refused(f"All {MOST_ROOMS} rooms are taken. Please try again later.")
            if room is None:
                room = self._rooms[code] = Room(secret, code, self._clock)
        if not hmac.compare_digest(room.secret, secret):
            raise Refused("Another room has this code. Open a new one on the page Learn.")
        return room

    def join(self, code: str, seat: str) -> Room:
        """The room of this code with a place for this seat; a wrong code counts as failed."""
        with self._lock:
            self._check_tries(seat)
            room = self._get(code)
            if room is None:
                self._failed.append((self._clock(), seat))
        if room is None:
            raise NoRoom(f"There is no room {codes.show(code)} now.")
        if not room.attend(seat):
            raise Refused(f"Room {codes.show(code)} is full: it has {MOST_SEATS} seats.")
        return room

    def get(self, code: str) -> Room | None:
        """The room, for those who came in by `join`."""
        with self._lock:
            return self._get(code)

    def led_by(self, seat: str) -> Room | None:
        """The room that this seat led last."""
        with self._lock:
            self._drop_idle()
            led = [room for room in self._rooms.values() if room.teacher == seat]
            return max(led, key=lambda room: room.turn, default=None)

    def end(self, secret: str) -> None:
        with self._lock:
            ended = [code for code, room in self._rooms.items() if room.secret == secret]
            for code in ended:
                del self._rooms[code]

    def _make_place(self) -> bool:
        """End a deserted room if all are taken; whether there is place for one more."""
        if len(self._rooms) >= MOST_ROOMS:
            code, room = max(self._rooms.items(), key=lambda item: item[1].deserted)
            if room.deserted > DESERTED:
                del self._rooms[code]
        return len(self._rooms) < MOST_ROOMS

    def _get(self, code: str) -> Room | None:
        self._drop_idle()
        return self._rooms.get(code)

    def _drop_idle(self) -> None:
        self._rooms = {code: room for code, room in self._rooms.items() if room.idle <= IDLE}

    def _check_tries(self, seat: str) -> None:
        while self._failed and self._clock() - self._failed[0][0] > SPAN:
            self._failed.popleft()
        own = [when for when, whose in self._failed if whose == seat]
        has_failed_often = len(own) >= MOST_FAILED
        if has_failed_often or (own and len(self._failed) >= MOST_FAILED_OF_ALL):
            counts_from = own[-MOST_FAILED] if has_failed_often else own[-1]
            minutes = ceil((counts_from + SPAN - self._clock()) / 60)
            unit = "minute" if minutes == 1 else "minutes"
            raise Refused(
                f"Too many codes were wrong, so no code is tried now. Please wait {minutes} {unit}."
            )
