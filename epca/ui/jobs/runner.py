"""Runs work once for all who ask for it, and ends what nobody waits for."""

import threading
from collections.abc import Callable, Collection, Hashable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakSet

from epca.ui.jobs.cache import MISSING, Cache
from epca.ui.jobs.line import Line


def always(result: Any) -> bool:
    """The rule that every result may be cached."""
    return True


class Job:
    """One piece of work: how far it is, who waits for it, what came of it."""

    def __init__(self, line: Line, lock: threading.RLock, is_short: bool, visitor: Any) -> None:
        self._line = line
        self._lock = lock
        self._is_short = is_short
        self._visitor = visitor
        self._waiting = 0
        self._followers: WeakSet = WeakSet()
        self._finished = threading.Event()
        self._answer: Callable[[int | None], None] | None = None
        self._result: Any = None
        self._error: BaseException | None = None
        self.share = 0.0
        self.text = ""

    @property
    def place(self) -> int:
        """Its place in the line; 0 while a step is at work."""
        return self._line.place(self)

    @property
    def is_finished(self) -> bool:
        return self._finished.is_set()

    @property
    def is_wanted(self) -> bool:
        """Whether anybody waits for it or follows it; a follower that is gone does not count."""
        with self._lock:
            return self._waiting > 0 or len(self._followers) > 0

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is finished, at most so long; whether it is."""
        return self._finished.wait(seconds)

    def outcome(self) -> Any:
        """The result; what the work raised is raised here."""
        if self._error is not None:
            raise self._error
        return self._result

    def enter(
        self,
        share: float,
        text: str,
        answer: Callable[[int | None], None],
        slots: Collection[int] | None = None,
    ) -> None:
        """Called by the work between its steps (see `executors.Seat`)."""
        self.share = share
        self.text = text
        if not self.is_wanted:
            answer(None)
            return

        def granted(slot: int) -> None:
            answer(slot if self.is_wanted else None)

        self._answer = answer
        self._line.enter(self, granted, slots, self._is_short, self._visitor)
        if self.is_finished:  # its process died after it had asked
            self._line.leave(self)
        self._leave_line_if_unwanted()

    def tell(self, share: float, text: str) -> bool:
        """Called by the work within a step."""
        self.share = share
        self.text = text
        return self.is_wanted

    @contextmanager
    def waited_for(self) -> Iterator["Job"]:
        with self._lock:
            self._waiting += 1
        try:
            yield self
        finally:
            with self._lock:
                self._waiting -= 1
            self._leave_line_if_unwanted()

    def follow(self, owner: object) -> None:
        with self._lock:
            self._followers.add(owner)

    def leave(self, owner: object) -> None:
        """The owner no longer wants it; it ends unless somebody else does."""
        with self._lock:
            self._followers.discard(owner)
        self._leave_line_if_unwanted()

    def _leave_line_if_unwanted(self) -> None:
        """End it at once where it waits for a turn: its place counts as its visitor's."""
        if not self.is_wanted and self._line.withdraw(self):
            self._answer(None)

    def finish(self, result: Any = None, error: BaseException | None = None) -> None:
        self._result = result
        self._error = error
        self._finished.set()
        self._line.leave(self)


class Runner:
    """Takes work, drives it by an adapter of `executors`, and caches the results.

    Work is known by its key. A private cache keeps results from others: its jobs are its own.
    Options: `cache`, `is_cachable` (which results), `is_here` (done in the server, whatever the
    adapter), `is_short` (it goes before others in the line), `visitor` (who asks first: of each
    visitor's work one piece goes before anybody's next).
    """

    def __init__(self, adapter: Any, slots: int, budget: int) -> None:
        self._adapter = adapter
        self._line = Line(slots)
        self._jobs: dict[tuple[Cache, Hashable], Job] = {}
        self._lock = threading.RLock()
        self.cache = Cache(budget)

    @contextmanager
    def waiting(
        self, key: Hashable, work: Callable, *arguments: Any, **options: Any
    ) -> Iterator[Job]:
        """The job of this work, begun if need be, which goes on while somebody waits for it."""
        with ExitStack() as interest:

            def want(job: Job) -> None:
                interest.enter_context(job.waited_for())

            yield self._job(want, key, work, arguments, **options)

    def follow(
        self, owner: object, key: Hashable, work: Callable, *arguments: Any, **options: Any
    ) -> Job:
        """The same job, which goes on while the owner exists and does not leave it."""
        return self._job(lambda job: job.follow(owner), key, work, arguments, **options)

    def peek(self, key: Hashable, cache: Cache | None = None) -> Any:
        """The cached result, or MISSING; nothing is computed or waited for."""
        return (self.cache if cache is None else cache).get(key)

    @property
    def notice(self) -> str:
        """What visitors should know of where work runs; mostly nothing."""
        return self._adapter.notice

    @property
    def is_apart(self) -> bool:
        """Whether work in the server has cores of its own."""
        return self._adapter.is_apart

    def rest(self) -> None:
        """Nobody is at work: drop what all visitors share, here and where work runs."""
        self.cache.clear()
        self._adapter.rest()

    def _job(self, want, key, work, arguments, **options) -> Job:
        """The job of this work, begun if need be; want(job) says first that somebody wants it."""
        cache = options.pop("cache", None)
        cache = self.cache if cache is None else cache
        is_short = options.pop("is_short", False)
        visitor = options.pop("visitor", None)
        with self._lock:
            job = self._jobs.get((cache, key))
            if job is None or not job.is_wanted:
                job = Job(self._line, self._lock, is_short, visitor)
                want(job)
                self._begin(job, cache, key, work, arguments, **options)
            else:
                want(job)
        return job

    def _begin(
        self, job, cache, key, work, arguments, *, is_cachable=always, is_here=False
    ) -> None:
        found = cache.get(key)
        if found is not MISSING:
            job.finish(found)
            return
        name = (cache, key)
        self._jobs[name] = job

        def done(future: Future) -> None:
            self._finish(name, job, future, cache, is_cachable)

        try:
            self._adapter.submit(job, work, arguments, is_here).add_done_callback(done)
        except BaseException:
            del self._jobs[name]
            raise

    def _finish(self, name, job, future, cache, is_cachable) -> None:
        """Whatever goes wrong here, those who wait must hear of the end."""
        result = None
        error = None
        try:
            result = future.result()
            if is_cachable(result):
                cache.put(name[1], result)
        except BaseException as problem:
            error = problem
        with self._lock:
            if self._jobs.get(name) is job:
                del self._jobs[name]
        job.finish(result, error)
