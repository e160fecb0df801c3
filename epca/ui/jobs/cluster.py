"""Work on a Dask cluster, whose workers need only this package; on this machine without one.

Dask hands out the work, and does it again where a worker is lost. There are no turns: a piece of
work has its thread of the cluster until it is done.
"""

import logging
import pickle
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any
from uuid import uuid4

from epca.ui.jobs import keyed
from epca.ui.jobs.executors import Cancelled, Seat, drive
from epca.ui.jobs.keyed import CACHED, Keyed
from epca.ui.jobs.workers import Task, hand_over

OFTEN = 0.5  # seconds between two reports from within a step, and two looks for a cancel
PATIENCE = 5.0  # seconds in which the scheduler must answer
AGAIN = 30.0  # seconds until the next try to reach the scheduler
SENT = 16  # sets of images that stay on the cluster
WAITING = "waiting for the cluster"


class Cluster:
    """An adapter that sends work with keyed data to the cluster, and all else to another adapter.

    Work without keyed data may need the files of this machine. While the scheduler does not answer,
    everything goes to the other adapter, and `notice` says so.
    """

    is_apart = True

    def __init__(self, address: str, near: Any) -> None:
        self.notice = ""
        self._address = address
        self._near = near
        self._client: Any = None
        self._topic = f"epca-{uuid4().hex}"
        self._tasks: dict[int, Task] = {}
        self._sent: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()  # of what was sent
        threading.Thread(target=self._connect, daemon=True).start()

    def submit(self, seat: Seat, work: Callable, arguments: tuple, is_here: bool) -> Future:
        is_portable = any(isinstance(item, Keyed) for item in arguments)
        if is_here or not is_portable or not self._is_connected():
            return self._near.submit(seat, work, arguments, is_here)
        task = Task(seat, work, arguments)
        self._tasks[task.number] = task
        seat.tell(0.0, WAITING)
        leaves, content = self._pack(task)
        with warnings.catch_warnings(action="ignore"):  # Dask advises against large arguments
            sent = self._client.submit(
                remote, content, leaves, self._topic, task.number, key=self._name(task.number)
            )
        sent.add_done_callback(lambda sent: self._finish(task, sent))
        return task.future

    def rest(self) -> None:
        self._forget_sent()
        self._near.rest()

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _connect(self) -> None:
        """Try until the scheduler answers. A client that has lost it finds it again by itself."""
        from distributed import Client

        while self._client is None:
            try:
                with warnings.catch_warnings(action="ignore"):  # versions that differ slightly
                    client = Client(self._address, timeout=PATIENCE, set_as_default=False)
            except (OSError, ValueError):
                self._say()
                time.sleep(AGAIN)
            else:
                client.subscribe_topic(self._topic, self._hear)
                self._client = client

    def _is_connected(self) -> bool:
        is_connected = self._client is not None and self._client.status == "running"
        if is_connected:
            self.notice = ""
        elif self._client is not None:
            self._say()
        return is_connected

    def _say(self) -> None:
        self.notice = (
            f"The cluster at {self._address} does not answer; this server computes by itself."
        )
        logging.getLogger(__name__).warning(self.notice)

    def _pack(self, task: Task) -> tuple[list, bytes]:
        """Futures of the values that the task needs, and everything else as bytes."""
        recipes = {}
        leaves = {}
        for item in keyed.walk(task.arguments):
            if item.make is None:
                leaves[item.key] = self._send(item)
            else:
                recipes[item.key] = (item.make, keyed.names(item.arguments))
        names = keyed.names(task.arguments)
        return list(leaves.values()), pickle.dumps((task.work, names, recipes, list(leaves)))

    def _send(self, item: Keyed) -> Any:
        """The Future of a value on the cluster: the result of a task, so that none gets lost."""
        with self._lock:
            if item.key not in self._sent:
                with warnings.catch_warnings(action="ignore"):
                    self._sent[item.key] = self._client.submit(keyed.same, item.value, pure=False)
            self._sent.move_to_end(item.key)
            if len(self._sent) > SENT:
                self._sent.popitem(last=False)
            return self._sent[item.key]

    def _forget_sent(self) -> None:
        with self._lock:
            forgotten = self._sent
            self._sent = OrderedDict()
        del forgotten  # without the lock: Dask has locks of its own

    def _hear(self, event: tuple) -> None:
        """In the client's own thread, which must not wait for an answer."""
        _, (number, share, text) = event
        task = self._tasks.get(number)
        if task is not None and not task.seat.tell(share, text):
            threading.Thread(target=self._cancel(number).set, daemon=True).start()

    def _cancel(self, number: int) -> Any:
        """The event that tells the work of this number to end."""
        from distributed import Event

        return Event(self._name(number), client=self._client)

    def _name(self, number: int) -> str:
        return f"{self._topic}-{number}"

    def _finish(self, task: Task, sent: Any) -> None:
        """Called by Dask at the end, also where the scheduler is lost."""
        del self._tasks[task.number]
        try:
            self._hand_over(task, sent)
        except Exception as error:
            task.future.set_exception(error)

    def _hand_over(self, task: Task, sent: Any) -> None:
        """Give the task what came of it; where the scheduler is lost, do it on this machine."""
        try:
            outcome = sent.result() if sent.status == "finished" else None
            error = sent.exception() if sent.status == "error" else None
        except Exception as problem:
            outcome = None
            error = problem
        sent.release()  # else Dask would do it again if the worker with its result were lost
        if outcome is None and error is None:
            self._forget_sent()
            self._say()
            near = self._near.submit(task.seat, task.work, task.arguments, False)
            near.add_done_callback(lambda done: hand_over(done, task.future))
        elif error is not None:
            task.future.set_exception(error)
        elif outcome == CANCELLED:
            self._cancel(task.number).clear()  # else the scheduler would keep it
            task.future.set_exception(Cancelled())
        else:
            task.future.set_result(outcome[0])


CANCELLED = "cancelled"
_store = keyed.Store(CACHED)  # of a worker of the cluster


def remote(content: bytes, values: list, topic: str, number: int) -> Any:
    """On a worker of the cluster: the result in a tuple, or CANCELLED."""
    work, names, recipes, keys = pickle.loads(content)
    for key, value in zip(keys, values, strict=True):
        recipes[key] = (keyed.same, (value,))
    arguments = _store.values(names, recipes.__getitem__)
    try:
        return (drive(RemoteChannel(topic, number), work, arguments),)
    except Cancelled:
        return CANCELLED


class RemoteChannel:
    """As `executors.Channel`, on a worker of the cluster."""

    def __init__(self, topic: str, number: int) -> None:
        from distributed import Event, get_worker

        self._topic = topic
        self._number = number
        self._worker = get_worker()
        self._cancel = Event(f"{topic}-{number}")
        self._next = 0.0

    def tell(self, share: float, text: str) -> None:
        if time.monotonic() >= self._next:
            self._worker.log_event(self._topic, (self._number, share, text))
            if self._cancel.is_set():
                raise Cancelled
            self._next = time.monotonic() + OFTEN

    turn = tell
