"""Work on a real Dask cluster on this machine: the same numbers, cancel, loss of its parts."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from epca.data import load_dataset
from epca.ui.jobs import cluster as module
from epca.ui.jobs.cluster import Cluster
from epca.ui.jobs.executors import Cancelled, DaemonThreads, InThreads
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.runner import Runner
from epca.ui.jobs.workers import Task
from tests import dask_cluster
from tests.ui.jobs import samples
from tests.ui.jobs.test_same_numbers import outcomes
from tests.ui.jobs.waiting import LONG, until, until_it_says

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

DATA = Keyed("data", 7)


def threads():
    return InThreads(DaemonThreads())


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """Address, scheduler and workers; the tests further down end them one by one."""
    with dask_cluster.start(tmp_path_factory.mktemp("cluster")) as found:
        dask_cluster.wait_for_two(found[0])
        yield found


@pytest.fixture(scope="module")
def runner(machines):
    cluster = Cluster(machines[0], threads())
    runner = Runner(cluster, 1, 2**26)
    until(lambda: pair(runner)[2] != os.getpid())
    yield runner
    cluster.close()


def pair(runner):
    """The process of the work is its last item."""
    with runner.waiting(object(), samples.pair, DATA, 2) as job:
        assert job.wait(LONG)
    return job.outcome()


def test_work_with_keyed_data_goes_to_the_cluster_and_all_else_stays(runner, machines):
    _, _, workers = machines
    assert pair(runner)[:2] == (7, 2)
    assert pair(runner)[2] in [worker.pid for worker in workers]
    with runner.waiting("near", samples.whereabouts) as job:
        assert job.wait(LONG)
    assert job.outcome() == os.getpid()
    assert runner.notice == ""


def test_the_same_numbers_to_the_last_bit(runner, forty_faces):
    images = load_dataset(forty_faces)
    assert outcomes(runner, images) == outcomes(Runner(threads(), 1, 2**26), images)


def test_progress_comes_back_and_cancelling_goes_in(runner):
    with runner.waiting("endless", samples.endless, DATA) as job:
        until_it_says(job, "goes on")
    assert job.wait(LONG)
    with pytest.raises(Cancelled):
        job.outcome()


def test_a_killed_worker_loses_nothing(runner, tmp_path):
    path = tmp_path / "go"
    with runner.waiting("waits", samples.wait_for, path, DATA) as job:
        until_it_says(job, "waits")
        pid = int((tmp_path / "pid").read_text())
        os.kill(pid, signal.SIGKILL)
        path.touch()
        assert job.wait(LONG)
    assert job.outcome() not in (pid, os.getpid())
    assert runner.notice == ""


def test_a_lost_scheduler_is_said_and_work_goes_on_near_the_server(runner, machines, tmp_path):
    address, scheduler, _ = machines
    path = tmp_path / "go"
    with runner.waiting("lost", samples.wait_for, path, DATA) as job:
        until_it_says(job, "waits")
        scheduler.kill()
        scheduler.wait()
        until(lambda: runner.notice)
        path.touch()
        assert job.wait(LONG)
    assert job.outcome() == os.getpid()
    assert runner.notice.startswith(f"The cluster at {address} does not answer;")
    assert pair(runner)[2] == os.getpid()


def test_work_that_cannot_be_done_here_either_is_an_error(monkeypatch):
    """Else those who wait for it would wait for ever."""
    monkeypatch.setattr(Cluster, "_connect", lambda cluster: None)
    cluster = Cluster("tcp://127.0.0.1:1", threads())
    task = Task(None, samples.count, (3,))
    cluster._tasks[task.number] = task

    def refuse(*arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(cluster._near, "submit", refuse)
    cluster._finish(task, SimpleNamespace(status="lost", release=lambda: None))
    with pytest.raises(RuntimeError, match="new thread"):
        task.future.result(0)


def test_what_was_sent_is_forgotten_while_more_is_sent(monkeypatch):
    """As it is by Dask's own thread when the scheduler is lost."""
    monkeypatch.setattr(Cluster, "_connect", lambda cluster: None)
    cluster = Cluster("tcp://127.0.0.1:1", threads())
    cluster._client = SimpleNamespace(submit=lambda *arguments, **options: object())
    end = threading.Event()

    def forget():
        while not end.is_set():
            cluster._forget_sent()

    with ThreadPoolExecutor(1) as other:
        other.submit(forget)
        try:
            for i in range(20_000):
                assert cluster._send(Keyed(i % 3, i)) is not None
        finally:
            end.set()


def test_a_scheduler_that_never_was_is_said(monkeypatch):
    monkeypatch.setattr(module, "AGAIN", 3600)
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    runner = Runner(Cluster("tcp://127.0.0.1:1", threads()), 1, 2**20)
    assert pair(runner)[2] == os.getpid()
    until(lambda: pair(runner)[2] == os.getpid() and runner.notice)
    assert "tcp://127.0.0.1:1 does not answer" in runner.notice
