"""Work that nobody wants any more, in the line: it gives up its place at once."""

import threading
from contextlib import ExitStack

import pytest

from epca.ui.jobs.executors import DaemonThreads, InThreads
from epca.ui.jobs.line import Line
from epca.ui.jobs.runner import Job, Runner
from tests.ui.jobs import samples
from tests.ui.jobs.samples import Gate
from tests.ui.jobs.test_runner import Owner
from tests.ui.jobs.waiting import LONG, until


@pytest.fixture
def runner():
    return Runner(InThreads(DaemonThreads()), 1, 2**20)


@pytest.fixture
def gate():
    gate = Gate()
    yield gate
    gate.opened.set()


def test_what_a_visitor_has_left_does_not_count_as_a_place(runner, gate):
    """Who moves a slider five times comes no later than who moved it once."""
    with ExitStack() as stack:

        def ask(key, visitor, place=stack):
            waiting = runner.waiting(key, samples.count, 1, visitor=visitor)
            job = place.enter_context(waiting)
            until(lambda: job.place)
            return job

        stack.enter_context(runner.waiting("busy", gate.work))
        assert gate.begun.wait(LONG)
        for i in range(5):
            with ExitStack() as left:
                ask(("left", i), "a", left)
        theirs = [ask(("b", i), "b") for i in range(3)]
        mine = ask("mine", "a")
        assert mine.place == 2
        assert [job.place for job in theirs] == [1, 3, 4]


def test_what_nobody_follows_any_more_leaves_the_line_at_once(runner, gate):
    owner = Owner()
    with runner.waiting("busy", gate.work):
        assert gate.begun.wait(LONG)
        job = runner.follow(owner, "a", samples.count, 3)
        until(lambda: job.place)
        job.leave(owner)
        assert job.wait(LONG)
        assert not job.place


def test_a_job_that_is_left_just_before_it_joins_the_line_has_no_place():
    class Slow(Line):
        def enter(self, name, *options):
            if name is job:
                job.leave(owner)
            super().enter(name, *options)

    line = Slow(1)
    job = Job(line, threading.RLock(), False, "a")
    owner = Owner()
    line.enter("busy", lambda slot: None)
    job.follow(owner)
    answers = []
    job.enter(0.0, "", answers.append)
    assert answers == [None]
    assert job.place == 0
