"""Data on their way to workers: arrays lie in memory that all map, written once."""

import gc
import os
import pickle
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from epca.ui.jobs import mapped
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.mapped import LEAST, Mapped
from epca.ui.jobs.runner import Runner
from epca.ui.jobs.workers import Workers
from tests.ui.jobs import samples
from tests.ui.jobs.waiting import LONG, until

LARGE = np.arange(LEAST, dtype=np.uint8)
needs_descriptors = pytest.mark.skipif(
    not mapped.IS_POSSIBLE, reason="this system cannot hand descriptors to other processes"
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def travel(value):
    """What arrives of a value that is sent twice."""
    ours, theirs = socket.socketpair()
    sent = Mapped(value)
    with ours, theirs:
        for _ in range(2):
            sent.send(ours)
        descriptors = [mapped.receive(sent.places, theirs) for _ in range(2)]
    return sent, [mapped.load(sent.content, sent.places, each) for each in descriptors]


@needs_descriptors
def test_large_arrays_are_mapped_and_all_else_stays_in_the_message():
    odd = LARGE.astype(float)[:-1]  # the next one begins at a multiple of 64 all the same
    value = {"a": odd, "b": (LARGE.reshape(256, -1), "text", np.arange(3)), "c": LARGE}
    sent, arrived = travel(value)
    assert len(sent.content) < LEAST
    assert all(begin % 64 == 0 for begin, _ in sent.places)
    assert len(sent.places) == 3
    for found in arrived:
        assert np.array_equal(found["a"], odd)
        assert np.array_equal(found["b"][0], value["b"][0])
        assert np.array_equal(found["c"], LARGE)
        assert found["b"][1] == "text"
        assert list(found["b"][2]) == [0, 1, 2]
        assert not found["a"].flags.writeable


@pytest.mark.parametrize("value", [7, LARGE[:-1], LARGE.reshape(256, -1)[:, ::2]])
def test_without_large_arrays_in_one_piece_nothing_is_handed_over(value):
    sent, arrived = travel(value)
    assert not sent.places
    assert np.array_equal(arrived[0], value)


def test_where_it_is_not_possible_arrays_travel_with_the_message(monkeypatch):
    monkeypatch.setattr(mapped, "IS_POSSIBLE", False)
    sent = Mapped(LARGE)
    assert not sent.places
    assert np.array_equal(pickle.loads(sent.content), LARGE)


@needs_descriptors
def test_without_nameless_memory_a_file_that_no_folder_lists_will_do(monkeypatch, tmp_path):
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _, arrived = travel(LARGE)
    assert np.array_equal(arrived[0], LARGE)
    assert not [*tmp_path.iterdir()]


@on_linux
@needs_descriptors
def test_nothing_stays_open():
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    sent, arrived = travel(LARGE)
    del sent, arrived
    assert len(os.listdir("/proc/self/fd")) == before


@on_linux
@pytest.mark.parametrize("number", [1, 2])
def test_workers_map_the_data_of_their_work(number, monkeypatch, tmp_path):
    """With two workers the memory is written once for both."""
    made = []
    monkeypatch.setattr("epca.ui.jobs.workers.mapped.Mapped", note(made))
    data = Keyed("data", np.ones(10 * LEAST, np.uint8))
    workers = Workers(number)
    runner = Runner(workers, workers.slots, 2**20)
    try:
        start(runner, workers)
        with ExitStack() as stack:
            call = (samples.look_at, data, tmp_path, number)
            jobs = [stack.enter_context(runner.waiting(i, *call)) for i in range(number)]
            assert all(job.wait(LONG) for job in jobs)
        assert [job.outcome() for job in jobs] == [(False, 10 * LEAST, 10 * LEAST)] * number
    finally:
        workers.close()
    assert len(made) == 1


@on_linux
def test_at_rest_nothing_waits_for_further_workers(tmp_path):
    until(lambda: mapped_here() == 0)  # what other tests had is gone
    data = Keyed("data", np.ones(10 * LEAST, np.uint8))
    workers = Workers(2)
    runner = Runner(workers, workers.slots, 2**20)
    try:
        start(runner, workers)
        with runner.waiting("look", samples.look_at, data, tmp_path, 1) as job:
            assert job.wait(LONG)
        assert mapped_here() == 1
        workers.rest()
        until(lambda: mapped_here() == 0)
    finally:
        workers.close()


def mapped_here():
    """How many blocks of nameless memory this process has open."""
    gc.collect()
    names = (os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink())
    return sum("memfd:epca" in name for name in names)


def start(runner, workers):
    """Have all workers up."""

    def are_up():
        with runner.waiting(object(), samples.whereabouts) as job:
            assert job.wait(LONG)
        return all(worker._is_up for worker in workers._workers)

    until(are_up)


def note(made):
    def make(value):
        made.append(value)
        return Mapped(value)

    return make
