"""The scripts that pages offer run, and print the page's numbers."""

import numpy as np
import pytest

from epca.data import read_bytes
from epca.experiment import Scenario, prepare, run
from epca.ui import downloads, store
from epca.ui.settings import Setup
from tests.files import npy, pictures
from tests.visit import execute


@pytest.fixture
def setup(faces):
    return Setup(
        Scenario(kind="block-black", samples=0.3, seed=4, n_components=10, sigma=2.0**9), faces
    )


def test_home(setup, tmp_path):
    printed = execute(downloads.script("Home", downloads.HOME, setup), tmp_path)
    table = run(setup.scenario, ["PCA", "EPCA"]).table
    assert (
        printed.split()
        == table[["method", "error", "n_activated", "clean_among_activated"]]
        .to_string(index=False)
        .split()
    )


def test_activated(setup, tmp_path):
    printed = execute(
        downloads.script("Activated samples", downloads.ACTIVATED, setup, selected=[3, 12]),
        tmp_path,
    )
    table, (epca,) = run(setup.scenario, ["EPCA"])
    residuals = epca.residuals(prepare(setup.scenario).occluded.X)
    assert f"{epca.n_activated_} of 400 activated" in printed
    assert f"{table['weights_share'][0]:.6f}"[:8] in printed
    assert f"image 12: alpha {epca.alpha_[12]:.6g}, residual {residuals[12]:.6g}" in printed


def test_an_upload_names_its_file(monkeypatch, tmp_path):
    content = npy(pictures(12))
    images = read_bytes("mine.npy", content, is_occluded=True)
    monkeypatch.setattr(store, "uploaded", lambda: images)
    monkeypatch.setattr(store, "upload_name", lambda: "mine.npy")
    (tmp_path / "mine.npy").write_bytes(content)
    scenario = Scenario(dataset="mine", n_components=3)
    code = downloads.script("Home", downloads.HOME, Setup(scenario, images))
    table = run(scenario, ["PCA", "EPCA"], prepare=lambda it: prepare(it, images)).table
    assert str(table["n_activated"].dropna().astype(int).iloc[0]) in execute(code, tmp_path)
    assert np.isnan(table["error"]).all()
