"""Any executor of concurrent.futures will do: with this adapter work runs in a ProcessPoolExecutor.

The dashboard has processes of its own, which can be replaced and bounded. That this room alone
knows where work runs is seen here: work, runner and line are the same.
"""

import multiprocessing
import os
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from types import ModuleType

import pytest

from epca.ui.jobs import keyed
from epca.ui.jobs.cache import MISSING
from epca.ui.jobs.executors import Cancelled, drive
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.runner import Runner
from tests.ui.jobs import samples
from tests.ui.jobs.waiting import LONG, until, until_it_says


class InProcesses:
    """An adapter for executors whose work does not share our memory."""

    notice = ""
    is_apart = True

    def __init__(self, executor):
        self._executor = executor

    def submit(self, seat, work, arguments, is_here):
        ours, theirs = multiprocessing.Pipe()
        threading.Thread(target=answer, args=(ours, seat), daemon=True).start()
        return self._executor.submit(drive_there, theirs, work, keyed.values(arguments))

    def rest(self):
        """The processes cache nothing."""


def answer(channel, seat):
    """Pass to the seat what the work says, until it ends."""
    for message in iter(channel.recv, None):
        if message[0] == "turn":
            seat.enter(*message[1:], channel.send)
        else:
            channel.send(seat.tell(*message[1:]) or None)


def drive_there(channel, work, arguments):
    try:
        return drive(FarChannel(channel), work, arguments)
    finally:
        channel.send(None)


class FarChannel:
    """As `executors.Channel`, in another process."""

    def __init__(self, channel):
        self._channel = channel

    def turn(self, share, text):
        self._say("turn", share, text)

    def tell(self, share, text):
        self._say("tell", share, text)

    def _say(self, *message):
        self._channel.send(message)
        if self._channel.recv() is None:
            raise Cancelled


@pytest.fixture(scope="module")
def runner():
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # it may be a page's
        yield Runner(InProcesses(pool), 1, 2**20)


def result(runner, work, *arguments):
    with runner.waiting(object(), work, *arguments) as job:
        assert job.wait(LONG)
    return job.outcome()


def test_results_and_errors_come_back_from_another_process(runner):
    assert result(runner, samples.count, 5) == 10
    first, second, process = result(runner, samples.pair, Keyed("seven", 7), 2)
    assert (first, second) == (7, 2)
    assert process != os.getpid()
    with pytest.raises(ValueError, match="no"):
        result(runner, samples.fail)


def test_progress_comes_back_and_cancelling_goes_in(runner):
    with runner.waiting("endless", samples.endless) as job:
        until_it_says(job, "goes on")
        assert job.share == 0.5
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()
    assert runner.peek("endless") is MISSING
    assert result(runner, samples.report, 3) == 3


def test_one_step_at_a_time_in_the_line(runner, tmp_path):
    with runner.waiting("busy", samples.wait_for, tmp_path / "go") as busy:
        until_it_says(busy, "waits")
        with runner.waiting("next", samples.count, 3) as job:
            until(lambda: job.place)
            assert not job.is_finished
            (tmp_path / "go").touch()
            assert job.wait(LONG)
    assert job.outcome() == 3
