"""Work that ends its process twice is given up: that which was at work, and no other."""

import os
import signal
from contextlib import ExitStack

import pytest

from epca.ui.jobs.runner import Runner
from epca.ui.jobs.workers import WorkerLost, Workers
from tests.ui.jobs import samples
from tests.ui.jobs.test_workers import home
from tests.ui.jobs.waiting import LONG, until, until_it_says


@pytest.fixture
def runner():
    workers = Workers(1)
    runner = Runner(workers, workers.slots, 2**20)
    home(runner)
    yield runner
    workers.close()


def test_a_cancel_of_what_waits_takes_no_blame(runner, tmp_path):
    """Of two pieces of work in a worker one computes, and the other, which waits, is cancelled."""
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    first, second = (folder / "go" for folder in folders)
    with ExitStack() as stack, ExitStack() as left:
        ahead = stack.enter_context(runner.waiting("first", samples.wait_for, first))
        until_it_says(ahead, "waits")
        waits = left.enter_context(runner.waiting("waits", samples.pair, 1, 2))
        until(lambda: waits.place == 1)
        guilty = stack.enter_context(runner.waiting("second", samples.wait_for, second))
        until(lambda: guilty.place == 2)
        first.touch()
        until_it_says(guilty, "waits")
        assert (waits.text, waits.place) == ("second", 1)
        left.close()
        assert waits.place == 0
        killed = {0}
        for _ in range(2):
            pid = until(lambda: process_of(second) - killed).pop()
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        assert guilty.wait(LONG)
    with pytest.raises(WorkerLost):
        guilty.outcome()


def process_of(go):
    """The process that `wait_for` waits in, as a set."""
    path = go.with_name("pid")
    return {int(path.read_text() or 0)} if path.exists() else set()
