"""Real work gives the same to the last bit in threads and in any number of processes."""

import os
import pickle

import numpy as np
import pytest

from epca import tasks
from epca.data import load_dataset
from epca.scenario import Scenario
from epca.ui.jobs.executors import DaemonThreads, InThreads
from epca.ui.jobs.keyed import Keyed
from epca.ui.jobs.runner import Runner
from epca.ui.jobs.workers import Workers
from tests.ui.jobs.samples import whereabouts
from tests.ui.jobs.waiting import LONG, until

SCENARIO = Scenario(n_components=5)


def outcomes(runner, images):
    """Bits of a fit of each of three methods, of a sweep and of fits over seeds, asked at once."""
    data_set = Keyed(images.digest, images)
    data = tasks.prepared(SCENARIO.data, images)
    prepared = Keyed((images.digest, 0), data, tasks.prepared, (SCENARIO.data, data_set))
    asked = [(tasks.fit, prepared, SCENARIO, label) for label in ("PCA", "EPCA", "RSPCA")]
    asked.append((tasks.sweep, prepared, SCENARIO, (-2.0, 0.0, 2.0), (5,)))
    asked.append((tasks.seeds, data_set, SCENARIO, ("EPCA",), 2))
    owner = Owner()
    jobs = [runner.follow(owner, i, *call) for i, call in enumerate(asked)]
    for job in jobs:
        assert job.wait(LONG)
    *fits, swept, seeds = [job.outcome() for job in jobs]
    models = [vars(fit.model) for fit in fits]
    tables = [swept.table, seeds.drop(columns="seconds")]
    rows = [{**fit.row, "seconds": 0} for fit in fits]
    arrays = [swept.alpha, swept.residuals, *(table.to_csv() for table in tables)]
    return [str(rows), *map(pickle.dumps, arrays), *map(bits, models)]


def process_of(runner):
    with runner.waiting(object(), whereabouts) as job:
        assert job.wait(LONG)
    return job.outcome()


def bits(model):
    return {name: np.asarray(value).tobytes() for name, value in model.items() if name[-1] == "_"}


class Owner:
    """Follows the jobs."""


@pytest.fixture(scope="module")
def images(forty_faces):
    return load_dataset(forty_faces)


@pytest.fixture(scope="module")
def in_threads(images):
    return outcomes(Runner(InThreads(DaemonThreads()), 1, 2**26), images)


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_workers_give_what_threads_give(number, images, in_threads):
    workers = Workers(number)
    try:
        runner = Runner(workers, workers.slots, 2**26)
        until(lambda: process_of(runner) != os.getpid())
        assert outcomes(runner, images) == in_threads
    finally:
        workers.close()
