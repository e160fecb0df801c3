"""Worker processes: messages, what they cache, what happens when one ends."""

import os
import signal
import sys
import threading
import time
from contextlib import ExitStack

import pytest

from epca.ui.jobs.cache import MISSING
from epca.ui.jobs.executors import Cancelled
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.runner import Job, Runner
from epca.ui.jobs.worker import OFTEN
from epca.ui.jobs.workers import WorkerLost, Workers
from tests.ui.jobs import samples
from tests.ui.jobs.samples import Gate
from tests.ui.jobs.waiting import LONG, until, until_it_says


def result(runner, work, *arguments, **options):
    with runner.waiting(object(), work, *arguments, **options) as job:
        assert job.wait(LONG)
    return job.outcome()


def home(runner):
    """The process of a worker that is up."""
    return until(lambda: (pid := result(runner, samples.whereabouts)) != os.getpid() and pid)


def started(number):
    workers = Workers(number)
    runner = Runner(workers, workers.slots, 2**20)
    runner.workers = workers
    runner.home = home(runner)
    return runner


@pytest.fixture(scope="module")
def one():
    """A runner with one worker, which is up."""
    runner = started(1)
    yield runner
    runner.workers.close()


@pytest.fixture
def fresh():
    """The same for tests that end the worker."""
    runner = started(1)
    yield runner
    runner.workers.close()


def test_results_progress_and_errors_come_back_and_cancelling_goes_in(one):
    assert result(one, samples.count, 5) == 10
    assert result(one, samples.report, 3) == 3
    assert result(one, samples.chat) == "said"
    with pytest.raises(ValueError, match="no") as caught:
        result(one, samples.fail)
    assert "samples.py" in caught.value.__notes__[0]  # the place, for the log
    with one.waiting("endless", samples.endless) as job:
        until_it_says(job, "goes on")
        assert job.share == 0.5
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()
    assert one.peek("endless") is MISSING
    assert home(one) == one.home


def test_work_of_the_server_itself_stays_in_the_server(one):
    assert result(one, samples.whereabouts, is_here=True) == os.getpid()


def test_until_a_worker_is_up_a_thread_does_the_work():
    workers = Workers(1)
    try:
        runner = Runner(workers, workers.slots, 2**20)
        assert result(runner, samples.whereabouts) == os.getpid()
    finally:
        workers.close()


def test_without_processes_threads_go_on(monkeypatch, caplog):
    def refuse(*arguments):
        raise OSError("no processes here")

    monkeypatch.setattr("epca.ui.jobs.workers.start", refuse)
    workers = Workers(1)
    runner = Runner(workers, workers.slots, 2**20)

    def is_said():
        assert result(runner, samples.whereabouts) == os.getpid()
        return "could not be started" in caplog.text

    until(is_said)
    assert result(runner, samples.whereabouts) == os.getpid()


@pytest.mark.parametrize(
    ("work", "arguments"), [(samples.unsendable, ()), (samples.count, (threading.Lock(),))]
)
def test_what_cannot_travel_is_an_error_and_not_the_end(one, work, arguments):
    with pytest.raises(TypeError, match="pickle"):
        result(one, work, *arguments)
    assert home(one) == one.home


def test_data_that_cannot_travel_are_an_error_and_the_worker_is_replaced(fresh, caplog):
    """It would wait for them for ever."""
    with pytest.raises(TypeError, match="pickle"):
        result(fresh, samples.pair, Keyed("lock", threading.Lock()), 1)
    assert home(fresh) != fresh.home
    assert "could not be answered" in caplog.text


def test_without_another_thread_the_work_is_an_error(monkeypatch):
    def refuse(*arguments):
        raise RuntimeError("can't start new thread")

    workers = Workers(1)
    runner = Runner(workers, workers.slots, 2**20)
    try:
        monkeypatch.setattr(workers._threads, "submit", refuse)
        with pytest.raises(RuntimeError, match="new thread"):
            result(runner, samples.count, 3)
        monkeypatch.undo()
        assert result(runner, samples.count, 3) == 3
    finally:
        workers.close()


def test_hundreds_who_leave_the_line_leave_it_as_it_was(one, tmp_path):
    with one.waiting(tmp_path, samples.wait_for, tmp_path / "go") as busy:
        until_it_says(busy, "waits")
        for i in range(500):
            with one.waiting(("left", i), samples.pair, 1, 2) as job:
                pass
            assert job.wait(LONG)  # at once, while the other is at work
        (tmp_path / "go").touch()
        assert busy.wait(LONG)
    assert result(one, samples.pair, 1, 2) == (1, 2, one.home)


def test_no_step_follows_a_cancel(one, tmp_path):
    """Not even one that never reports: the worker is told before the step's turn."""
    paths = [tmp_path / name for name in ("first", "second")]
    for path in paths:
        path.mkdir()
    with ExitStack() as stack:
        first = stack.enter_context(one.waiting(paths[0], samples.wait_for, paths[0] / "go"))
        until_it_says(first, "waits")
        with one.waiting(tmp_path, samples.leave_marks, tmp_path / "marks") as job:
            second = stack.enter_context(one.waiting(paths[1], samples.wait_for, paths[1] / "go"))
            (paths[0] / "go").touch()
            until_it_says(second, "waits")
            until(lambda: job.place)
        (paths[1] / "go").touch()
        assert second.wait(LONG)
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()
    assert (tmp_path / "marks").read_text() == "1"


def test_reports_from_within_a_step_are_few(one, monkeypatch):
    told = []
    monkeypatch.setattr(Job, "tell", lambda job, share, text: told.append(text) or True)
    begun = time.monotonic()
    assert result(one, samples.report, 20_000) == 20_000
    assert len(told) <= 3 + (time.monotonic() - begun) / OFTEN


def test_data_go_to_a_worker_once(one):
    base = Keyed("seven", 7)
    made = [
        result(one, samples.pair, Keyed("large", None, samples.large, (base,)), base)
        for _ in range(2)
    ]
    assert made == [((7, 1), 7, one.home)] * 2


def test_others_get_a_turn_between_the_steps_of_long_work(one, tmp_path):
    """Each is taken step by step in the one worker."""
    with one.waiting(tmp_path, samples.wait_for, tmp_path / "go") as job:
        until_it_says(job, "waits")
        with one.waiting(1, samples.pair, 1, 2) as a, one.waiting(2, samples.pair, 3, 4) as b:
            assert (a.place, b.place) == (1, 2)
            (tmp_path / "go").touch()
            assert a.wait(LONG)
            assert b.wait(LONG)
    assert [a.outcome()[:2], b.outcome()[:2]] == [(1, 2), (3, 4)]


def test_work_is_cancelled_while_it_waits_for_its_next_turn(one, tmp_path):
    with one.waiting(tmp_path, samples.wait_for, tmp_path / "go") as busy:
        until_it_says(busy, "waits")
        with one.waiting("a", samples.pair, 1, 2) as job:
            assert job.place == 1
        (tmp_path / "go").touch()
        assert busy.wait(LONG)
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()


def test_a_worker_that_ends_is_replaced_and_its_work_done_again(fresh, tmp_path):
    assert result(fresh, samples.end_process, tmp_path / "times", 1) == 1
    assert home(fresh) != fresh.home


def test_work_that_ends_its_process_twice_is_an_error_of_one_sentence(fresh, tmp_path):
    with pytest.raises(WorkerLost, match=r"^the process that did it ended twice, perhaps for want"):
        result(fresh, samples.end_process, tmp_path / "times", 9)
    assert len((tmp_path / "times").read_text()) == 2
    assert home(fresh) != fresh.home


def test_work_beside_it_is_done_again_without_blame(fresh, tmp_path):
    """It waits for its second turn each time that the other one ends their process."""
    with (
        fresh.waiting("bad", samples.end_process, tmp_path / "times", 9) as bad,
        fresh.waiting("good", samples.pair, 1, 2) as good,
    ):
        assert good.wait(LONG)
        assert bad.wait(LONG)
    assert good.outcome()[:2] == (1, 2)
    with pytest.raises(WorkerLost):
        bad.outcome()


def test_nobody_is_at_work_in_the_server_while_a_worker_is_replaced(fresh, tmp_path):
    """Work that ended a process must not end the server."""
    os.kill(fresh.home, signal.SIGKILL)
    with fresh.waiting("waits", samples.wait_for, tmp_path / "go") as job:
        until_it_says(job, "waits")
        (tmp_path / "go").touch()
        assert job.wait(LONG)
    assert job.outcome() not in (os.getpid(), fresh.home)


def test_at_rest_the_workers_end_and_begin_again_with_the_next_work(fresh):
    gate = Gate()
    with fresh.waiting("here", gate.work, is_here=True):
        fresh.rest()
        gate.opened.set()
    assert home(fresh) != fresh.home


def test_at_rest_a_worker_at_work_goes_on(fresh, tmp_path):
    with fresh.waiting("waits", samples.wait_for, tmp_path / "go") as job:
        until_it_says(job, "waits")
        fresh.rest()
        (tmp_path / "go").touch()
        assert job.wait(LONG)
    assert job.outcome() == fresh.home


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound memory in other ways")
def test_the_memory_of_a_worker_is_bounded(one):
    most = result(one, samples.memory_limit)
    assert 2**30 < most < 2**50
    with pytest.raises(MemoryError):
        result(one, samples.allocate, most)
    assert home(one) == one.home
