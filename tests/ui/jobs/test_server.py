"""What a server has at work and in memory at a time."""

import numpy as np
import pytest

from epca.ui.jobs import server
from epca.ui.jobs.cache import MISSING, Group
from epca.ui.jobs.workers import Workers


@pytest.mark.parametrize(("cores", "slots"), [(None, 1), (1, 1), (2, 1), (3, 1), (8, 4)])
def test_threads_work_on_half_of_the_cores(cores, slots, monkeypatch):
    monkeypatch.setattr(server.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(server, "Runner", lambda executor, slots, size: slots)
    monkeypatch.setenv(server.WORKERS, "0")
    assert server.runner.__wrapped__() == slots


@pytest.mark.parametrize(
    ("asked", "cores", "workers"), [("", None, 1), ("", 2, 1), ("", 8, 7), ("3", 2, 3)]
)
def test_by_default_there_is_a_worker_for_every_core_but_one(asked, cores, workers, monkeypatch):
    monkeypatch.setattr(server.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(server, "Runner", lambda executor, slots, size: (type(executor), slots))
    monkeypatch.setenv(server.WORKERS, asked)
    assert server.runner.__wrapped__() == (Workers, workers + 1)


def test_a_number_of_workers_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv(server.WORKERS, "many")
    with pytest.raises(ValueError, match="EPCA_WORKERS=many must be a number of processes"):
        server.n_workers()


def test_what_sessions_hold_is_bounded_together(monkeypatch):
    monkeypatch.setattr(server, "SESSIONS", Group(2**20))
    held = []
    for _ in range(3):
        monkeypatch.setattr(server.st, "session_state", {})
        held.append(server.private_cache())
        held[-1].put("images", np.zeros(2**20, np.uint8))
    assert [cache.get("images") is MISSING for cache in held] == [True, True, False]
    assert server.private_cache() is held[-1]
