"""Where work runs: in threads of the server. `workers` has the processes, `cluster` the machines.

Each adapter has submit(seat, work, arguments, is_here) → Future, and rest(), which drops what it
caches for the next work. Its `notice` is what visitors should know. It `is_apart` if work in the
server has cores of its own. Work marked `is_here` runs in the server, because pages need the very
objects it makes, or because a process of its own does it already.
"""

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any, Protocol

from epca.ui.jobs import keyed


class Cancelled(BaseException):
    """Raised in work that nobody waits for any more."""


class Seat(Protocol):
    """What the runner offers to a piece of work, whatever it runs in."""

    def enter(
        self,
        share: float,
        text: str,
        answer: Callable[[int | None], None],
        slots: Collection[int] | None = None,
    ) -> None:
        """Report and join the line for one of the slots; answer(slot) or, to cancel, answer(None).

        slots : None → any
        """

    def tell(self, share: float, text: str) -> bool:
        """Report; False to cancel."""


def drive(channel: "Channel", work: Callable, arguments: tuple) -> Any:
    """Create the generator and take it step by step, each in a turn of its own."""
    steps = work(*arguments)
    try:
        share, text = next(steps)
        while True:
            channel.turn(share, text)
            share, text = steps.send(channel.tell)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


class DaemonThreads(Executor):
    """A thread for each piece of work, which does not keep the server from stopping.

    There is no pool: those who wait for a turn must not keep others from joining the line.
    """

    def submit(self, function: Callable, /, *arguments: Any, **options: Any) -> Future:
        future: Future = Future()

        def run() -> None:
            try:
                result = function(*arguments, **options)
            except BaseException as error:  # as every executor does
                future.set_exception(error)
            else:
                future.set_result(result)

        threading.Thread(target=run, daemon=True).start()
        return future


class InThreads:
    """For executors whose work shares our memory, as ThreadPoolExecutor.

    slots : the slots of the line that its work can have; None → any
    """

    notice = ""
    is_apart = False

    def __init__(self, executor: Executor, slots: Collection[int] | None = None) -> None:
        self._executor = executor
        self._slots = slots

    def submit(self, seat: Seat, work: Callable, arguments: tuple, is_here: bool) -> Future:
        channel = Channel(seat, self._slots)
        return self._executor.submit(drive, channel, work, keyed.values(arguments))

    def rest(self) -> None:
        """Threads cache nothing."""


class Channel:
    """How work talks to its seat from a thread.

    turn(share, text) reports and waits for a turn; tell(share, text) reports from within a step.
    Both raise Cancelled when nobody waits for the result any more.
    """

    def __init__(
        self, seat: Seat, slots: Collection[int] | None, *, has_turn: bool = False
    ) -> None:
        self._seat = seat
        self._slots = slots
        self._has_turn = has_turn
        self._answers: SimpleQueue = SimpleQueue()

    def turn(self, share: float, text: str) -> None:
        if self._has_turn:
            self._has_turn = False
            self.tell(share, text)
            return
        self._seat.enter(share, text, self._answers.put, self._slots)
        if self._answers.get() is None:
            raise Cancelled

    def tell(self, share: float, text: str) -> None:
        if not self._seat.tell(share, text):
            raise Cancelled
