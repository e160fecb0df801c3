"""Shared fixtures, and the settings of every property test."""

import os

import numpy as np
import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from epca import EPCA, paper
from epca.corruption import occlude
from epca.data import load_dataset

settings.register_profile("seeded", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("seeded")

# pages run by the tests work in threads: no test waits for a process to start
os.environ.setdefault("EPCA_WORKERS", "0")


def pytest_collection_modifyitems(items):
    """What takes longest comes first, so that nobody waits for it alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


class TwoBrowsers(LoadFileScheduling):
    """Two workers begin with the browser's tests, the third with the others.

    A browser leaves a third of its core to somebody else, but three at once, on two cores, are slow
    enough to miss their deadlines.
    """

    def _assign_work_unit(self, node):
        is_browsing = node in self.nodes[:2]
        for file in self.workqueue:
            if file.startswith("tests/browser/") == is_browsing:
                self.workqueue.move_to_end(file, last=False)
                break
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config, log):
    return TwoBrowsers(config, log)


@pytest.fixture(scope="session")
def faces():
    """The 400 ORL faces, 32 × 32."""
    return load_dataset("orl")


@pytest.fixture(scope="session")
def occluded(faces):
    """The same faces occluded as in the paper."""
    return occlude(faces.X, random_state=0)


@pytest.fixture(scope="session")
def small_faces(faces):
    """Occluded faces at 16 × 16: more samples than features."""
    blocks = faces.images.reshape(400, 16, 2, 16, 2).mean(axis=(2, 4))
    return occlude(blocks.reshape(400, 256), random_state=0).X


@pytest.fixture
def generator():
    return np.random.default_rng(0)


@pytest.fixture
def solves(monkeypatch):
    """Counts the fits of EPCA that are really computed."""
    counted = []
    solve = EPCA._solve

    def count(model, reduction, callback):
        counted.append((model.sigma, model.n_components))
        return solve(model, reduction, callback)

    monkeypatch.setattr(EPCA, "_solve", count)
    return counted


@pytest.fixture
def nothing_cached():
    """No result is cached for all visitors."""
    from epca.ui.jobs.server import runner  # brings Streamlit, which most tests do without

    runner().cache.clear()


@pytest.fixture(scope="session")
def forty_faces(faces, tmp_path_factory):
    """The path of a file with the faces of four people at 16 × 16: its path is its name."""
    path = tmp_path_factory.mktemp("small") / "small.npz"
    np.savez(path, images=faces.images[:40, ::2, ::2], labels=faces.labels[:40])
    return str(path)


@pytest.fixture(scope="session")
def small_options(forty_faces):
    return paper.Options(
        (forty_faces,), methods=("EPCA", "PCA", "RSPCA"), ranks=(3, 5), seeds=2, clustering_runs=2
    )


@pytest.fixture(scope="session")
def finished_run(small_options, tmp_path_factory):
    """The folder of a finished reproduction with these options, to read only."""
    folder = tmp_path_factory.mktemp("run")
    paper.run(paper.plan(small_options), folder)
    paper.finish(folder)
    return folder


@pytest.fixture(scope="session")
def raw(finished_run):
    """Its rows."""
    return paper.read(finished_run)
