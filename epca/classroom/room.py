"""One room: what its teacher shows, who is in it, what the class is asked."""

import itertools
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from epca.classroom import votes
from epca.classroom.votes import Question, Vote

MOST_SEATS = 500
MOST_QUESTIONS = 200
PRESENT = 15.0  # seconds since a page last asked, in which its visitor counts as present

_versions = itertools.count(1)  # never the same twice, not even in a room opened anew


class View(NamedTuple):
    """What the teacher shows."""

    page: str  # the stem of its file
    values: dict[str, Any]  # of all settings, by key
    is_private: bool = False  # whether others cannot see it, for it is the teacher's upload


class Room:
    """Pages ask for `version` again and again, and for the view only where it has changed."""

    def __init__(self, secret: str, code: str, clock: Callable[[], float]) -> None:
        self.secret = secret
        self.code = code
        self.version = next(_versions)
        self.view: View | None = None
        self.leader = ""  # the session that leads
        self.teacher = ""  # the seat of the teacher's browser
        self.turn = 0  # larger for a room that was led from somewhere later
        self.vote: Vote | None = None  # on the question that the class is asked
        self._clock = clock
        self._lock = threading.Lock()
        self._seats: dict[str, tuple[float, bool]] = {}  # → when it was last there, if it follows
        self._votes: list[Vote] = []
        self._touched = clock()

    @property
    def idle(self) -> float:
        """Seconds since anybody did anything."""
        return self._clock() - self._touched

    @property
    def deserted(self) -> float:
        """The same while nobody is present, else 0."""
        return 0.0 if any(self.present()) else self.idle

    def lead(self, session: str, seat: str) -> None:
        """Who opens the room last leads it."""
        self.leader = session
        self.teacher = seat
        self.turn = next(_versions)
        self._touched = self._clock()

    def show(self, view: View) -> None:
        """Have all who follow see this."""
        with self._lock:
            if view != self.view:
                self.view = view
                self.version = next(_versions)
                self._touched = self._clock()

    def shown(self) -> tuple[int, View | None]:
        """The version and its view."""
        with self._lock:
            return self.version, self.view

    def attend(self, seat: str, *, follows: bool = True) -> bool:
        """Note that somebody is there; False where no seat is left."""
        now = self._clock()
        with self._lock:
            if seat not in self._seats:
                self._forget_absent(now)
                if len(self._seats) >= MOST_SEATS:
                    return False
                self._touched = now
            self._seats[seat] = (now, follows)
            return True

    def leave(self, seat: str) -> None:
        with self._lock:
            self._seats.pop(seat, None)

    def present(self) -> tuple[int, int]:
        """How many follow, and how many are on their own."""
        with self._lock:
            self._forget_absent(self._clock())
            following = sum(follows for _, follows in self._seats.values())
            return following, len(self._seats) - following

    def _forget_absent(self, now: float) -> None:
        here = {seat: seen for seat, seen in self._seats.items() if now - seen[0] <= PRESENT}
        self._seats = here

    def ask(self, asked: Question) -> bool:
        """Have the class answer this question instead of the last; False after too many."""
        with self._lock:
            if len(self._votes) >= MOST_QUESTIONS:
                return False
            self._end_vote()
            self.vote = Vote(asked, len(self._votes) + 1)
            self._votes.append(self.vote)
            self._touched = self._clock()
            return True

    def answer(self, seat: str, number: int, choice: int) -> bool:
        """Whether the answer to the question of this number is taken."""
        with self._lock:
            if self.vote is None or self.vote.number != number:
                return False
            self._touched = self._clock()
            return self.vote.answer(seat, choice, MOST_SEATS)

    def reveal(self) -> None:
        """Take no more answers; all see them."""
        with self._lock:
            self._end_vote()

    def put_away(self) -> None:
        """Show the question no more; the summary has it."""
        with self._lock:
            self._end_vote()
            self.vote = None

    def _end_vote(self) -> None:
        if self.vote is not None:
            self.vote.is_open = False

    def summary(self) -> str:
        """All questions and the counts of their answers as CSV."""
        with self._lock:
            return votes.summary(self._votes)
