"""The run that comes with the package: all of it, as the command gives it, and small."""

import numpy as np
import pandas as pd
import pytest

from epca import paper
from epca.data import DataError
from epca.paper import shipping
from epca.paper.protocol import COARSE, COLUMNS, RANKS
from epca.paper.tables import rank_curve, sigma_curve
from epca.registry import PAPER_METHODS
from tests.paper.test_protocol import PAPERS


def test_it_has_all_sets_seeds_and_methods_and_is_small():
    raw = paper.shipped()
    assert tuple(raw.columns) == COLUMNS
    assert (raw["failure"] == "").all()
    counts = raw[raw["rule"].isin(["", *paper.RULES])].groupby("dataset")["method"].value_counts()
    expected = dict.fromkeys(PAPER_METHODS, 30) | {"EPCA": 90}  # ten seeds, three ranks
    assert {name: counts[name].to_dict() for name in PAPERS} == dict.fromkeys(PAPERS, expected)
    assert set(raw["seed"]) == set(range(10))
    assert sorted(np.log2(raw.loc[raw["rule"] == "coarse", "sigma"].unique())) == list(COARSE)
    assert shipping.FILE.stat().st_size <= 300_000


def test_cutting_keeps_every_number_that_is_shown(raw, monkeypatch, tmp_path):
    """To seven digits, of which a standard deviation loses some."""
    monkeypatch.setattr(shipping, "FILE", tmp_path / "cut.csv")
    raw.to_csv(tmp_path / "raw.csv", index=False)
    shipping.ship(tmp_path / "raw.csv")
    again = paper.shipped()
    assert len(again) < len(raw)
    shown = {"rtol": 1e-3, "check_dtype": False}
    for of in (paper.summary, sigma_curve, rank_curve):
        first, second = (of(rows).drop(columns="seconds", errors="ignore") for rows in (raw, again))
        pd.testing.assert_frame_equal(first, second, **shown)


@pytest.mark.slow
def test_it_is_what_the_command_gives(tmp_path):
    """Seed 0 of Yale at c = 10 again, without the clustering."""
    options = paper.Options(("yale",), seeds=1, ranks=(10,), clustering_runs=0)
    try:
        tasks = paper.plan(options)
    except DataError:
        pytest.skip("yale.npz is in no folder of EPCA_DATASETS, and may not be redistributed")
    again = paper.run(tasks, tmp_path)
    again = again[again["rule"].isin(["", "fixed", "residual", "curve"])]
    keys = ["dataset", "seed", "n_components", "method", "rule"]
    both = again.merge(paper.shipped(), on=keys, suffixes=("", "_shipped"))
    assert len(both) == 8 + 2 + len(RANKS) - 1 - 2  # Fig. 4's c = 30 and 50 are under "fixed" there
    np.testing.assert_allclose(both["error"], both["error_shipped"], rtol=1e-6)
    np.testing.assert_array_equal(both["n_activated"], both["n_activated_shipped"])


def test_epca_at_small_sigma_is_pca_om():
    """In the shipped run to a thousandth (Yale: four), and nearly so in the paper's own table."""
    table = paper.summary(paper.shipped())
    errors = table.set_index(["dataset", "n_components", "method", "rule"])["error"]
    for dataset in PAPERS:
        rel = 4e-3 if dataset == "yale" else 1e-3
        for c in (10, 30, 50):
            ours = errors[dataset, c, "EPCA", "fixed"]
            assert ours == pytest.approx(errors[dataset, c, "PCA-OM", ""], rel=rel)
            theirs = paper.published("error", dataset, c, "PCA-OM")
            assert paper.published("error", dataset, c, "EPCA") == pytest.approx(theirs, rel=0.03)
