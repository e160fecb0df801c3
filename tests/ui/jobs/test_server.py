"""How many fits a server has at work at a time, and in what."""

import pytest

from epca.ui.jobs import server
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
