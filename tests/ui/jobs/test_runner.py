"""The runner: once for all who ask, ended when nobody waits, cached, private where asked."""

import gc
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor

import pytest

from epca.ui.jobs.cache import MISSING, Cache
from epca.ui.jobs.executors import Cancelled, DaemonThreads, InThreads
from epca.ui.jobs.runner import Runner
from tests.ui.jobs import samples
from tests.ui.jobs.samples import Gate
from tests.ui.jobs.waiting import LONG, until, until_it_says


class Owner:
    """Somebody who follows a job."""


@pytest.fixture
def runner():
    return Runner(InThreads(DaemonThreads()), 1, 2**20)


@pytest.fixture
def gate():
    gate = Gate()
    yield gate
    gate.opened.set()


def result(runner, key, work, *arguments, **options):
    with runner.waiting(key, work, *arguments, **options) as job:
        assert job.wait(LONG)
    return job.outcome()


@pytest.mark.parametrize("executor", [DaemonThreads, lambda: ThreadPoolExecutor(2)])
def test_work_is_driven_to_its_result(executor):
    runner = Runner(InThreads(executor()), 1, 2**20)
    assert result(runner, "count", samples.count, 5) == 10
    assert runner.peek("count") == 10
    assert runner.peek("other") is MISSING


def test_it_is_computed_once_for_all_who_ask(runner, gate):
    with runner.waiting("a", gate.work) as first, runner.waiting("a", gate.work) as second:
        assert first is second
        gate.opened.set()
        assert first.wait(LONG)
    assert gate.calls == 1
    assert result(runner, "a", gate.work) == "done"
    assert gate.calls == 1


def test_it_is_cancelled_when_nobody_waits_for_it(runner, gate):
    with runner.waiting("a", gate.work) as job:
        assert gate.begun.wait(LONG)
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()
    assert gate.closed.is_set()
    assert runner.peek("a") is MISSING


def test_it_goes_on_while_somebody_else_waits(runner, gate):
    with runner.waiting("a", gate.work) as job:
        with runner.waiting("a", gate.work):
            assert gate.begun.wait(LONG)
        gate.opened.set()
        assert job.wait(LONG)
    assert job.outcome() == "done"


def test_who_asks_after_a_cancel_gets_a_job_of_their_own(runner, gate):
    """Even while the step that nobody wants is still at work."""

    def stubborn():
        yield 0.0, "begins"
        gate.begun.set()
        assert gate.opened.wait(LONG)
        return "unwanted"

    with runner.waiting("a", stubborn) as former:
        assert gate.begun.wait(LONG)
    with runner.waiting("a", samples.count, 3) as job:
        gate.opened.set()
        assert job.wait(LONG)
    assert job.outcome() == 3
    assert former.wait(LONG)


def test_it_is_cancelled_between_steps_too(runner, gate):
    """It waits for its turn when everybody leaves: it never begins."""
    other = Gate()
    with runner.waiting("busy", gate.work) as busy:
        assert gate.begun.wait(LONG)
        with runner.waiting("a", other.work) as job:
            until(lambda: job.place)
            assert job.place == 1
            assert busy.place == 0
        assert job.wait(LONG)
        assert not busy.is_finished
        gate.opened.set()
        assert busy.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()
    assert not other.begun.is_set()


def test_a_follower_keeps_it_going_until_it_leaves(runner, gate):
    owner = Owner()
    job = runner.follow(owner, "a", gate.work)
    assert gate.begun.wait(LONG)
    assert job.is_wanted
    job.leave(owner)
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()


def test_a_follower_that_is_gone_does_not_count(runner, gate):
    owner = Owner()
    job = runner.follow(owner, "a", gate.work)
    assert gate.begun.wait(LONG)
    del owner
    gc.collect()
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()


def test_others_get_a_turn_between_the_steps_of_long_work(runner, gate):
    long = Gate()
    order = []

    def note(name):
        yield 0.0, name
        order.append(name)

    def three():
        for i in range(3):
            yield i / 3, f"step {i}"
            long.begun.set()
            assert long.opened.wait(LONG)
            order.append(i)

    with runner.waiting("three", three) as job:
        assert long.begun.wait(LONG)
        with runner.waiting("note", note, "between") as single:
            until(lambda: single.place)
            long.opened.set()
            assert single.wait(LONG)
        assert job.wait(LONG)
    assert order == [0, "between", 1, 2]


def test_errors_reach_everybody_and_are_not_cached(runner):
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            result(runner, "a", samples.fail)
    assert runner.peek("a") is MISSING


def test_what_is_not_to_be_cached_is_only_handed_over(runner, gate):
    gate.opened.set()
    for calls in (1, 2):
        found = result(runner, "a", gate.work, "bad", is_cachable=lambda found: found != "bad")
        assert (found, gate.calls) == ("bad", calls)
    assert (
        result(runner, "a", gate.work, "good", is_cachable=lambda found: found != "bad") == "good"
    )
    assert runner.peek("a") == "good"


def test_who_waits_hears_of_the_end_even_if_the_result_cannot_be_cached(runner, gate):
    gate.opened.set()

    def refuse(result):
        raise KeyError(result)

    with pytest.raises(KeyError, match="done"):
        result(runner, "a", gate.work, is_cachable=refuse)


def test_a_job_that_asks_for_a_turn_after_its_end_takes_none(runner, gate):
    """As one whose process died after it had asked."""
    gate.opened.set()
    with runner.waiting("a", gate.work) as job:
        assert job.wait(LONG)
        job.enter(0.0, "late", lambda is_granted: None)
    assert result(runner, "b", samples.count, 3) == 3


def test_a_future_that_is_cancelled_ends_the_job():
    class Cancelling:
        def submit(self, seat, work, arguments, is_here):
            future = Future()
            future.cancel()
            return future

    with pytest.raises(CancelledError):
        result(Runner(Cancelling(), 1, 2**20), "a", samples.count, 3)


def test_a_private_cache_has_jobs_and_results_of_its_own(runner, gate):
    mine = Cache(2**20)
    yours = Cache(2**20)
    with (
        runner.waiting("a", gate.work, "mine", cache=mine) as first,
        runner.waiting("a", gate.work, "yours", cache=yours) as second,
    ):
        gate.opened.set()
        assert first.wait(LONG)
        assert second.wait(LONG)
    assert runner.peek("a", mine) == "mine"
    assert runner.peek("a", yours) == "yours"
    assert runner.peek("a") is MISSING


def test_progress_is_told_between_steps_and_within_them(runner, gate):
    with runner.waiting("a", gate.work, "done", 4) as job:
        assert gate.begun.wait(LONG)
        until_it_says(job, "within step 0")
        assert job.share == 0.0
        gate.opened.set()
        assert job.wait(LONG)
    assert (job.share, job.text) == (0.75, "step 3")


def test_short_work_goes_first(runner, gate):
    order = []

    def note(name):
        yield 0.0, name
        order.append(name)

    with runner.waiting("busy", gate.work):
        assert gate.begun.wait(LONG)
        with (
            runner.waiting("long", note, "long") as long,
            runner.waiting("short", note, "short", is_short=True) as short,
        ):
            until(lambda: long.place and short.place)
            gate.opened.set()
            assert long.wait(LONG)
            assert short.wait(LONG)
    assert order == ["short", "long"]
