"""What Compare says of methods that take no unknown pixels: once, in the page's words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from epca.experiment import Fit, Occlusion, Scenario, fit, prepare
from epca.registry import METHODS, TAKES_NAN
from epca.views import compare, measures, seeds, texts
from epca.views.comparison import Comparison

LABELS = ("EPCA", "PCA", TAKES_NAN)


@pytest.fixture(scope="module")
def found(faces):
    unknown = np.random.default_rng(0).random(faces.images[:20].shape) < 0.05
    few = replace(faces, images=faces.images[:20], labels=faces.labels[:20], unknown=unknown)
    scenario = Scenario(n_components=2, occlusion=Occlusion(samples=0.2, seed=0))
    prepared = prepare(scenario, few)
    return Comparison(
        scenario, prepared, {label: fit(prepared, scenario, label) for label in LABELS}
    )


@pytest.fixture(scope="module")
def rows(found):
    return measures.measures(LABELS, found.fits, found.prepared)


def test_a_row_says_it_in_short(rows):
    assert rows["failure"].tolist() == [texts.TAKES_NONE, texts.TAKES_NONE, ""]
    assert measures.readable(rows)["note"].tolist() == rows["failure"].tolist()


def test_the_line_beside_it_calls_nothing_failed(found, rows):
    lines = compare.lines(found.scenario, rows, LABELS)
    assert not any("failed" in line.get("note", "") for line in lines.values())


def test_who_takes_them_is_said_once(found, rows):
    said = [*compare.remarks(found, rows), *compare.notes(measures.readable(rows))]
    (told,) = [text for text in said if "unknown" in text]
    assert told.endswith(texts.WHO_TAKES_UNKNOWN)
    assert not any("NaN" in text for text in said)


def test_means_over_seeds_say_nothing_more(found):
    raw = pd.DataFrame([found.fits[label].row for label in LABELS])
    assert raw["failure"].str.contains("X contains NaN").tolist() == [True, True, False]
    assert not any("NaN" in text for text in seeds.hidden_by_means(raw))


@pytest.mark.parametrize("label", [label for label in METHODS if label != TAKES_NAN])
def test_the_error_of_every_method_is_known(found, label):
    failed = fit(found.prepared, found.scenario, label)
    assert texts.fails_by_unknown(failed.row)


def test_other_failures_keep_their_words(found):
    broken = Fit({"method": "PCA", "failure": "it broke.", "converged": False}, None)
    rows = measures.measures(["PCA"], {"PCA": broken}, found.prepared)
    assert compare.notes(measures.readable(rows)) == ["**PCA** it broke."]
    assert compare.lines(found.scenario, rows, ["PCA"])["PCA"]["note"].startswith("failed")
