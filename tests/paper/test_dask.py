"""The same fits on a real Dask cluster on this machine: a scheduler and two worker processes."""

import pandas as pd
import pytest

from epca import paper
from epca.cli import main
from tests import dask_cluster
from tests.dask_cluster import wait_for_two

pytest.importorskip("distributed")

OPTIONS = {
    "methods": ("EPCA", "PCA", "L1PCA-NG", "RSPCA"),
    "ranks": (3,),
    "seeds": 1,
    "clustering_runs": 3,
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The scheduler's address and the two worker processes; the last test that uses it ends one."""
    with dask_cluster.start(tmp_path_factory.mktemp("cluster")) as (address, _, workers):
        yield address, workers


def csv(folder):
    return pd.read_csv(folder / "raw.csv", dtype=str).drop(columns="seconds").to_csv()


@pytest.fixture(scope="module")
def call(forty_faces):
    size = ["--ranks", "3", "--seeds", "1", "--clustering-runs", "3"]
    methods = ["--methods", *OPTIONS["methods"]]
    return ["reproduce", "--datasets", forty_faces, *methods, *size, "--out"]


@pytest.fixture(scope="module")
def here(call, tmp_path_factory):
    """The folder of the same run without a cluster."""
    folder = tmp_path_factory.mktemp("here")
    assert main([*call, str(folder)]) == 0
    return folder


@pytest.mark.slow
def test_a_cluster_gives_the_same_to_the_last_bit(call, here, cluster, tmp_path):
    address, _ = cluster
    wait_for_two(address)
    assert main([*call, str(tmp_path), "--backend", "dask", "--scheduler", address]) == 0
    assert csv(tmp_path) == csv(here)


@pytest.mark.slow
def test_a_worker_killed_midway_loses_nothing(forty_faces, here, cluster, tmp_path, monkeypatch):
    address, workers = cluster
    wait_for_two(address)
    tasks = paper.plan(paper.Options((forty_faces,), **OPTIONS))

    def kill_one(done, total, text):
        if done == 30:
            workers[0].kill()
            workers[0].wait()

    monkeypatch.setattr("epca.paper.reproduction.fit", None)  # nothing can be fitted here
    there = paper.run(tasks, tmp_path, kill_one, scheduler=address)
    assert workers[0].poll() is not None
    pd.testing.assert_frame_equal(
        there.drop(columns="seconds"), paper.read(here).drop(columns="seconds"), check_exact=True
    )


@pytest.mark.slow
def test_no_such_scheduler(forty_faces, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("epca.paper.reproduction.PATIENCE", 0.5)
    call = ["reproduce", "--datasets", forty_faces, "--ranks", "3", "--out", str(tmp_path)]
    assert main([*call, "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"]) == 1
    assert "tcp://127.0.0.1:1" in capsys.readouterr().err.splitlines()[-1]
