"""Work in worker processes of this machine: pages do not wait for Python while a fit holds it.

Messages go through the standard input and output of a worker, and data through memory without a
name, so nothing is left behind when a process ends, however it does.
"""

import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from typing import Any

from epca.ui.jobs import keyed, mapped
from epca.ui.jobs.cache import Cache
from epca.ui.jobs.executors import Cancelled, Channel, DaemonThreads, InThreads, Seat, drive

WORKER = "epca.ui.jobs.worker"
SINGLE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
LEAST_MEMORY = 2 * 2**30  # bytes that a worker may always have
BROKEN = (EOFError, OSError, MemoryError, pickle.UnpicklingError)  # a worker is no longer of use
MAPPED = 64 * 2**20  # bytes of data that wait for further workers


class WorkerLost(Exception):
    """The worker ended, and the one that took its place, too."""

    def __init__(self) -> None:
        super().__init__("the process that did it ended twice, perhaps for want of memory")


class Task:
    """A piece of work, wherever it runs."""

    numbers = count()

    def __init__(self, seat: Seat, work: Callable, arguments: tuple) -> None:
        self.number = next(self.numbers)
        self.seat = seat
        self.work = work
        self.arguments = arguments
        self.future: Future = Future()
        self.losses = 0


class Workers:
    """An adapter with a slot of the line for each worker, and the last one for work in the server.

    Workers start with the first work. Until they are up, it is done in threads.
    """

    notice = ""
    is_apart = True

    def __init__(self, number: int) -> None:
        self.slots = number + 1
        self._number = number
        self._workers: list[Worker] = []
        self._mapped = Cache(MAPPED)
        self._threads = DaemonThreads()
        self._here = InThreads(self._threads, (number,))
        self._lock = threading.Lock()

    def submit(self, seat: Seat, work: Callable, arguments: tuple, is_here: bool) -> Future:
        with self._lock:
            while len(self._workers) < self._number:
                self._workers.append(Worker(self, len(self._workers), work.__module__))
        if is_here:
            return self._here.submit(seat, work, arguments, is_here)
        task = Task(seat, work, arguments)
        self._enter(task)
        return task.future

    def mapped(self, task: Task, key: Hashable) -> mapped.Mapped:
        """The recipe of what the task needs, with its data where every worker maps them."""

        def make() -> mapped.Mapped:
            recipe, arguments = keyed.recipe(task.arguments, key)
            return mapped.Mapped((recipe, keyed.names(arguments)))

        return make() if self._number == 1 else self._mapped.get_or_make(key, make)

    def rest(self) -> None:
        """End the workers, and with them what they cached, unless one is at work."""
        self._mapped.clear()
        if not any(worker.tasks for worker in list(self._workers)):
            self.close()

    def close(self) -> None:
        with self._lock:
            closed = self._workers
            self._workers = []
        for worker in closed:
            worker.close()

    def lose(self, worker: "Worker") -> None:
        """Have the lost worker replaced, and its tasks done again.

        A task fails if a worker is lost twice while at work on it.
        """
        with self._lock:
            if worker in self._workers:
                successor = Worker(self, worker.slot, worker.module, follows=worker)
                self._workers[worker.slot] = successor
        blamed = worker.at_work  # as it is now: the line may call others, in vain, while we go on
        for task in worker.take_all():
            if task is blamed:
                task.losses += 1
            if task.losses > 1:
                task.future.set_exception(WorkerLost())
            else:
                self._enter(task)

    def _enter(self, task: Task) -> None:
        task.seat.enter(0.0, "", lambda slot: self._begin(task, slot), range(self._number))

    def _begin(self, task: Task, slot: int | None) -> None:
        if slot is None:
            task.future.set_exception(Cancelled())
            return
        with self._lock:
            worker = self._workers[slot] if self._workers else None
        if worker is not None and worker.take(task):
            return
        channel = Channel(task.seat, (slot,), has_turn=True)
        try:
            done = self._threads.submit(drive, channel, task.work, keyed.values(task.arguments))
        except RuntimeError as error:  # the system has no thread left
            task.future.set_exception(error)
        else:
            done.add_done_callback(lambda done: hand_over(done, task.future))


def hand_over(done: Future, future: Future) -> None:
    """Give the outcome of one Future to another."""
    error = done.exception()
    if error is None:
        future.set_result(done.result())
    else:
        future.set_exception(error)


class Worker:
    """A worker process, the tasks it has, and the threads that talk to it.

    follows : the lost worker in whose place it comes
    """

    def __init__(
        self, pool: Workers, slot: int, module: str, follows: "Worker | None" = None
    ) -> None:
        self.slot = slot
        self.module = module
        self.tasks: dict[int, Task] = {}
        self.at_work: Task | None = None
        self._pool = pool
        self._is_up = False
        self._is_lost = False
        # work that may have ended a process must not run in the server's threads
        self._must_take = follows is not None and follows._is_up
        self._is_hopeless = follows is not None and not follows._is_up
        self._outbox: SimpleQueue = SimpleQueue()
        self._lock = threading.Lock()
        if not self._is_hopeless:
            threading.Thread(target=self._run, daemon=True).start()

    def take(self, task: Task) -> bool:
        """Begin the task, whose turn it is; False where a thread must."""
        with self._lock:
            if self._is_lost or not (self._is_up or self._must_take):
                return False
            self.tasks[task.number] = task
        try:
            content = pickle.dumps((task.work, keyed.names(task.arguments)))
        except Exception as error:
            self.tasks.pop(task.number)
            task.future.set_exception(error)
        else:
            self.at_work = task
            self._outbox.put(("start", task.number, content))
        return True

    def take_all(self) -> list[Task]:
        """Its tasks, which it has no longer."""
        with self._lock:
            self._is_lost = True
            tasks = list(self.tasks.values())
            self.tasks.clear()
        return tasks

    def close(self) -> None:
        self._outbox.put(None)

    def _run(self) -> None:
        try:
            process, channel = start(self.module, self._pool.slots)
        except OSError:
            logging.getLogger(__name__).exception("A worker process could not be started")
        else:
            threading.Thread(target=self._write, args=(process, channel), daemon=True).start()
            self._hear_all(process)
            self.close()
            process.wait()
        self._pool.lose(self)

    def _hear_all(self, process: subprocess.Popen) -> None:
        """Hear messages until none can come, or one could not be answered."""
        try:
            with suppress(*BROKEN), process.stdout as source:
                while True:
                    self._hear(*pickle.load(source))
        except Exception:
            logging.getLogger(__name__).exception("A message of a worker could not be answered")

    def _write(self, process: subprocess.Popen, channel: socket.socket) -> None:
        with suppress(OSError), channel, process.stdin as target:
            for order, task, content in iter(self._outbox.get, None):
                if order == "recipe":
                    content.send(channel)
                    content = (content.content, content.places)
                pickle.dump((order, task, content), target, protocol=pickle.HIGHEST_PROTOCOL)
                target.flush()

    def _hear(self, kind: str, number: int | None, content: bytes) -> None:
        if kind == "ready":
            self._is_up = True
            return
        task = self.tasks.get(number)
        if task is None:
            return
        try:
            message = pickle.loads(content)
        except Exception as error:  # for want of memory, or its class is not known here
            kind = "failed"
            message = error
        if kind == "tell" and not task.seat.tell(*message):
            self._outbox.put(("cancel", number, None))
        elif kind == "turn":
            task.seat.enter(*message, lambda slot: self._answer(task, slot), (self.slot,))
        elif kind == "need":
            self._send_recipe(task, message)
        elif kind in ("done", "failed"):
            self._finish(task, kind, message)

    def _send_recipe(self, task: Task, key: Hashable) -> None:
        try:
            recipe = self._pool.mapped(task, key)
        except Exception as error:
            self._finish(task, "failed", error)
            raise  # the worker waits in vain
        self._outbox.put(("recipe", task.number, recipe))

    def _answer(self, task: Task, slot: int | None) -> None:
        if slot is not None:
            self.at_work = task
        self._outbox.put(("cancel" if slot is None else "go", task.number, None))

    def _finish(self, task: Task, kind: str, outcome: Any) -> None:
        with self._lock:
            if self.tasks.pop(task.number, None) is None:
                return
        if kind == "done":
            task.future.set_result(outcome)
        else:
            task.future.set_exception(outcome)


def start(module: str, shares: int) -> tuple[subprocess.Popen, socket.socket]:
    """A worker process that imports the module, and the channel for the memory with its data.

    shares : how many processes divide the memory of the machine among them
    """
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    megabytes = max(LEAST_MEMORY, physical_memory() // shares) // 2**20
    ours, theirs = socket.socketpair()
    inherited = [theirs.fileno()] if mapped.IS_POSSIBLE else []
    command = [sys.executable, "-m", WORKER, module, str(megabytes), *map(str, inherited)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with theirs:
        try:
            environment = os.environ | dict.fromkeys(SINGLE, "1") | path
            return subprocess.Popen(command, env=environment, pass_fds=inherited, **pipes), ours
        except OSError:
            ours.close()
            raise


def physical_memory() -> int:
    """Bytes of memory of this machine; 0 where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return 0
