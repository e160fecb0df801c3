"""A second method with σ: the paper's protocol takes it as it takes EPCA, with nothing to edit."""

import csv
import io
import re

import numpy as np
import pytest

from epca import EPCA, METHODS, paper
from epca.paper.protocol import COARSE, COLUMNS
from tests.raw_csv import SHIPPED, text_of

BEST = {"EPCA": 3, "EPCA2": -5}  # log₂ of the σ with the smallest error, in the fits made up here


@pytest.fixture(autouse=True)
def epca2(monkeypatch):
    """A subclass of EPCA among the methods, under its own label."""
    monkeypatch.setitem(METHODS, "EPCA2", type("EPCA2", (EPCA,), {"label": "EPCA2"}))


def made_up(task, sigma=None, callback=None):
    """A row whose error is smallest at the method's own best σ."""
    exponent = task.exponent if task.rule == "coarse" else np.log2(sigma or 1.0)
    row = task._asdict() | {"sigma": 2.0**exponent, "error": abs(exponent - BEST[task.method])}
    row |= {"n_activated": 5, "collapsed": False, "failure": ""}
    return {name: row[name] for name in COLUMNS if name in row}


@pytest.fixture
def options(forty_faces):
    return paper.Options((forty_faces,), tuple(BEST), (3,), 1)


@pytest.fixture
def raw(options, tmp_path, monkeypatch):
    monkeypatch.setattr("epca.paper.reproduction.fit", made_up)
    return paper.run(paper.plan(options), tmp_path)


def test_it_is_planned_with_every_rule(options):
    tasks = paper.plan(options)
    first, second = (
        [task._replace(method="") for task in tasks if task.method == label] for label in BEST
    )
    assert first == second
    assert {task.rule for task in second} == {*paper.RULES, "coarse", "fine", "curve"}


def test_each_method_has_its_own_oracle(raw):
    oracle = raw[raw["rule"] == "oracle"].set_index("method")["sigma"]
    assert np.log2(oracle).to_dict() == BEST


def test_each_method_has_its_own_curves_and_rows(raw, forty_faces):
    *_, sigma, rank = paper.figures(raw)
    for figure in (sigma, rank):
        assert [trace.name for trace in figure.data] == [f"{forty_faces}, {name}" for name in BEST]
    for trace, best in zip(sigma.data, BEST.values(), strict=True):
        assert list(trace.x) == list(COARSE)
        assert trace.x[np.argmin(trace.y)] == best
    assert {row["method"] for row in paper.activation(paper.summary(raw))} == set(BEST)


def with_second(rule=None):
    """The shipped run with EPCA's rows once more as EPCA2's, under this rule if it is given."""
    header, *rows = csv.reader(io.StringIO(SHIPPED))
    again = [dict(zip(header, row, strict=True)) for row in rows if row[3] == "EPCA"]
    for row in again:
        row["method"] = "EPCA2"
        row["rule"] = row["rule"] if rule is None else rule
    return text_of([header, *rows, *(row.values() for row in again)])


def test_its_raw_csv_is_accepted():
    raw = paper.read_bytes("mine.csv", with_second())
    table = paper.summary(raw).set_index("method")
    assert table.loc["EPCA2", "error"].tolist() == table.loc["EPCA", "error"].tolist()


def test_its_rows_need_a_rule():
    message = "which must be given for EPCA and EPCA2 and empty for the others."
    with pytest.raises(ValueError, match=re.escape(message)):
        paper.read_bytes("mine.csv", with_second(rule=""))
