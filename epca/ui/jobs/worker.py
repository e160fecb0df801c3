"""A worker process: takes steps of work, one at a time, as messages at its standard input tell.

    python -m epca.ui.jobs.worker MODULE MEGABYTES [DESCRIPTOR]

It imports the module, says that it is ready, and ends when its standard input does: with the
server, however that ends. The descriptor is of a socket through which large data come.
"""

import os
import pickle
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Generator, Hashable
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from typing import Any, BinaryIO, NoReturn

from epca.ui.jobs import mapped
from epca.ui.jobs.executors import Cancelled
from epca.ui.jobs.keyed import CACHED, Store

OFTEN = 0.1  # seconds between two reports from within a step
NICENESS = 5  # pages are drawn before fits go on
LIKELY_VICTIM = "500"  # where memory is short, Linux ends a worker rather than the server


class Worker:
    """The generators under way, by the number of their task."""

    def __init__(
        self, source: BinaryIO, target: BinaryIO, channel: socket.socket | None, folder: str
    ) -> None:
        self._source = source
        self._target = target
        self._channel = channel
        self._folder = folder
        self._orders: SimpleQueue = SimpleQueue()
        self._recipes: SimpleQueue = SimpleQueue()
        self._cancelled: set[int] = set()
        self._steps: dict[int, Generator] = {}
        self._store = Store(CACHED)

    def run(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()
        self._send("ready", None)
        while True:
            order, task, content = self._orders.get()
            try:
                self._obey(order, task, content)
            except StopIteration as end:
                self._end(task, "done", end.value)
            except BaseException as error:
                self._end(task, "failed", _portable(error))

    def _read(self) -> None:
        """Reads also while a step is at work: a cancel must reach it, and the server's end."""
        with suppress(EOFError, OSError):
            while True:
                order, task, content = pickle.load(self._source)
                if order == "recipe":
                    self._recipes.put((*content, mapped.receive(content[1], self._channel)))
                    continue
                if order == "cancel":
                    self._cancelled.add(task)
                self._orders.put((order, task, content))
        self._leave()

    def _obey(self, order: str, task: int, content: bytes) -> None:
        if order == "start":
            work, arguments = pickle.loads(content)
            arguments = self._store.values(arguments, lambda key: self._ask(task, key))
            self._steps[task] = work(*arguments)
            self._send("tell", task, next(self._steps[task]))
        if task not in self._steps:  # a cancel that came too late
            self._cancelled.discard(task)
            return
        if task in self._cancelled:
            raise Cancelled
        self._send("turn", task, self._steps[task].send(self._teller(task)))

    def _ask(self, task: int, key: Hashable) -> tuple[Callable, tuple]:
        self._send("need", task, key)
        return mapped.load(*self._recipes.get())

    def _teller(self, task: int) -> Callable[[float, str], None]:
        following = 0.0

        def tell(share: float, text: str) -> None:
            nonlocal following
            if task in self._cancelled:
                raise Cancelled
            if time.monotonic() >= following:
                self._send("tell", task, (share, text))
                following = time.monotonic() + OFTEN

        return tell

    def _end(self, task: int, outcome: str, content: Any) -> None:
        steps = self._steps.pop(task, None)
        if steps is not None:
            steps.close()
        self._send(outcome, task, content)
        self._cancelled.discard(task)

    def _send(self, kind: str, task: int | None, content: Any = None) -> None:
        try:
            packed = pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # a result that cannot travel
            kind = "failed"
            packed = pickle.dumps(_portable(error))
        try:
            pickle.dump((kind, task, packed), self._target, protocol=pickle.HIGHEST_PROTOCOL)
            self._target.flush()
        except OSError:  # nobody reads any more: the server has ended
            self._leave()

    def _leave(self) -> NoReturn:
        """End at once, whatever a step is doing, and leave nothing on the disk."""
        shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(0)


def _portable(error: BaseException) -> BaseException:
    """The error with the place where it arose as a note; another one where it cannot travel."""
    if isinstance(error, Cancelled):
        return Cancelled()
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(str(error) or type(error).__name__)
    return error


def limit(megabytes: int) -> None:
    """Bound the memory, and let pages and the server go first; where the system knows how."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write(LIKELY_VICTIM)
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 2**20, most))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's end is what ends it
    source = os.fdopen(os.dup(0), "rb")
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what work prints must not get among the messages
    module, megabytes, *descriptor = sys.argv[1:]
    channel = socket.socket(fileno=int(descriptor[0])) if descriptor else None
    limit(int(megabytes))
    tempfile.tempdir = tempfile.mkdtemp(prefix="epca-")  # of all that steps write
    import_module(module)
    Worker(source, target, channel, tempfile.tempdir).run()


if __name__ == "__main__":
    main()
