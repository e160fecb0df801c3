"""Shared fixtures, and the settings of every property test."""

import numpy as np
import pytest
from hypothesis import settings

from epca import EPCA
from epca.corruption import occlude
from epca.data import load_dataset

settings.register_profile("seeded", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("seeded")


@pytest.fixture(scope="session")
def faces():
    """The 400 ORL faces, 32 × 32."""
    return load_dataset("orl")


@pytest.fixture(scope="session")
def damage(faces):
    """The same faces damaged as in the paper."""
    return occlude(faces.X, random_state=0)


@pytest.fixture(scope="session")
def small_faces(faces):
    """Damaged faces at 16 × 16: more samples than features."""
    blocks = faces.images.reshape(400, 16, 2, 16, 2).mean(axis=(2, 4))
    return occlude(blocks.reshape(400, 256), random_state=0).X


@pytest.fixture
def generator():
    return np.random.default_rng(0)


@pytest.fixture
def solves(monkeypatch):
    """Counts the fits of EPCA that are really computed, the server's warm-up left out."""
    from epca.ui import experiment  # brings Streamlit, which most tests do without

    experiment.warm_up()
    counted, solve = [], EPCA._solve

    def count(model, reduction, callback):
        counted.append((model.sigma, model.n_components))
        return solve(model, reduction, callback)

    monkeypatch.setattr(EPCA, "_solve", count)
    return counted
