"""A measure is a row in `metrics` and one in the table of columns: then it is everywhere."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from epca import metrics, tasks
from epca.experiment import Scenario, fit, prepare
from epca.views import compare, measures, scripts, seeds
from tests.visit import execute

LABELS = ("PCA", "EPCA")
SCENARIO = Scenario(n_components=5)


def size(fitted):
    return float(fitted.clean.shape[0] * fitted.model.n_components_)


@pytest.fixture(autouse=True)
def _size(monkeypatch):
    column = measures.Measure("size", "n times c.", "{:.0f}".format)
    monkeypatch.setitem(metrics.MEASURES, "size", metrics.Measure(size))
    monkeypatch.setitem(measures.MEASURES, "size", column)


def rows_of(images):
    prepared = prepare(SCENARIO, images)
    fits = {label: fit(prepared, SCENARIO, label) for label in LABELS}
    return measures.measures(LABELS, fits, prepared)


def test_a_new_measure_is_in_the_table_and_its_meaning_below(faces):
    assert measures.readable(rows_of(faces))["size"].tolist() == ["2000", "2000"]
    assert "- **size**: n times c." in compare.meanings()


def test_a_new_measure_has_a_mean_over_seeds_in_the_table_and_in_the_file(faces):
    rows = tasks.at_once(tasks.seeds(faces, SCENARIO, LABELS, 2))
    averaged = seeds.against_pca(rows, LABELS, faces.squared_length)
    shown = measures.readable(*seeds.averages(averaged))
    assert shown["size"].tolist() == ["2000 ± 0", "2000 ± 0"]
    table = compare.table(pd.DataFrame({"method": LABELS}), averaged)
    assert table["size_mean"].tolist() == [2000, 2000]


def test_the_script_prints_a_new_measure_alone_and_over_seeds(faces, tmp_path):
    body, values = scripts.compare(LABELS, [3], runs=0, n_seeds=2)
    printed = execute(scripts.script("Compare", body, SCENARIO, faces, **values), tmp_path)
    heads = [line.split() for line in printed.splitlines() if "against_pca" in line]
    assert len(heads) == 3  # of the fits, the means and the standard deviations
    assert all("size" in names for names in heads)
    assert printed.count("2000.0") == 4


def test_a_measure_that_needs_the_truth_is_unknown_without_it(faces):
    unknown = replace(faces, is_occluded=True)
    assert np.isnan(rows_of(unknown)["size"]).all()
