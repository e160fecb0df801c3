"""Where work runs. An adapter gives any `concurrent.futures` executor the channel of the line.

The channel has two functions. turn(share, text) reports and waits for a turn; tell(share, text)
reports from within a step. Both raise Cancelled when nobody waits for the result any more.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from multiprocessing.managers import SyncManager
from queue import SimpleQueue
from typing import Any, Protocol

OFTEN = 0.1  # seconds between two reports of a process from within a step


class Cancelled(BaseException):
    """Raised in work that nobody waits for any more."""


class Seat(Protocol):
    """What the runner offers to a piece of work, whatever it runs in."""

    def enter(self, share: float, text: str, answer: Callable[[bool], None]) -> None:
        """Report and join the line; answer(True) at the turn, answer(False) to cancel."""

    def tell(self, share: float, text: str) -> bool:
        """Report; False to cancel."""


def drive(channel: Any, work: Callable, arguments: tuple) -> Any:
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
    """For executors whose work shares our memory, as ThreadPoolExecutor."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, seat: Seat, work: Callable, arguments: tuple) -> Future:
        return self._executor.submit(drive, _ThreadChannel(seat), work, arguments)


class _ThreadChannel:
    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._answers: SimpleQueue = SimpleQueue()

    def turn(self, share: float, text: str) -> None:
        self._seat.enter(share, text, self._answers.put)
        if not self._answers.get():
            raise Cancelled

    def tell(self, share: float, text: str) -> None:
        if not self._seat.tell(share, text):
            raise Cancelled


class InProcesses:
    """For executors whose work runs elsewhere, as ProcessPoolExecutor: messages go by queues."""

    def __init__(self, executor: Executor, manager: SyncManager) -> None:
        self._executor = executor
        self._manager = manager

    def submit(self, seat: Seat, work: Callable, arguments: tuple) -> Future:
        up = self._manager.Queue()
        down = self._manager.Queue()
        future = self._executor.submit(drive, _ProcessChannel(up, down), work, arguments)
        threading.Thread(target=_listen, args=(seat, up, down), daemon=True).start()
        future.add_done_callback(lambda _: up.put(None))
        return future


def _listen(seat: Seat, up: Any, down: Any) -> None:
    with suppress(EOFError, OSError):  # the manager has ended
        for is_turn, share, text in iter(up.get, None):
            if is_turn:
                seat.enter(share, text, down.put)
            else:
                down.put(seat.tell(share, text))


class _ProcessChannel:
    def __init__(self, up: Any, down: Any) -> None:
        self._up = up
        self._down = down
        self._next = 0.0

    def turn(self, share: float, text: str) -> None:
        self._send(True, share, text)

    def tell(self, share: float, text: str) -> None:
        if time.monotonic() >= self._next:
            self._send(False, share, text)
            self._next = time.monotonic() + OFTEN

    def _send(self, is_turn: bool, share: float, text: str) -> None:
        self._up.put((is_turn, share, text))
        if not self._down.get():
            raise Cancelled
