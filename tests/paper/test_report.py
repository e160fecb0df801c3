"""Tables, figures and the report of a reproduction."""

import re

import numpy as np
import pandas as pd
import pytest

from epca import paper
from epca.paper.protocol import COARSE, COLUMNS, RANKS
from epca.plots.paper import difference_figure


def test_summary_by_hand():
    row = {"dataset": "yale", "n_components": 10, "method": "PCA", "rule": "", "failure": ""}
    rows = [
        row | {"seed": s, "error": e, "accuracy": a}
        for s, e, a in [(0, 16e7, 0.40), (1, 18e7, 0.44)]
    ]
    rows.append(rows[0] | {"method": "EPCA", "rule": "fixed", "sigma": 1.0, "collapsed": True})
    rows.append(rows[0] | {"method": "EPCA", "rule": "coarse"})
    table = paper.summary(pd.DataFrame(rows, columns=COLUMNS))
    assert table["method"].tolist() == ["PCA", "EPCA"]
    pca, epca = table.to_dict("records")
    assert (pca["seeds"], pca["error"], pca["error_paper"]) == (2, 17e7, 16.39e7)
    assert pca["error_sd"] == pytest.approx(np.sqrt(2) * 1e7)
    assert pca["error_difference"] == pytest.approx(17 / 16.39 - 1)
    assert pca["accuracy_difference"] == pytest.approx(0.42 - 0.4303)
    assert (epca["collapsed"], epca["seeds"]) == (1, 1)
    first, second = paper.paper_table(table, "error", "yale")
    assert first == {
        "method": "PCA",
        "c = 10": "17.00 ± 1.41",
        "paper, c = 10": "16.39",
        "difference, c = 10": "+3.7%",
    }
    assert second["c = 10"] == "16.00"
    assert paper.paper_table(table, "accuracy", "yale")[0]["difference, c = 10"] == "−1.0"
    assert paper.exceptions(table).empty
    far = paper.exceptions(table.assign(error_difference=[0.06, -0.2]))
    assert far["method"].tolist() == ["EPCA", "PCA"]


def test_figures(raw):
    difference, losses, sigma, rank = paper.figures(paper.shipped())
    assert [(trace.name, trace.visible) for trace in difference.data] == [
        *((name, True) for name in ("orl-cai", "yale", "coil20")),
        *((name, "legendonly") for name in ("jaffe", "umist")),
    ]
    table = paper.summary(paper.shipped())
    alone = difference_figure(table[table["dataset"] == "jaffe"])
    assert [(trace.name, trace.visible) for trace in alone.data] == [("jaffe", True)]
    by_name = {(trace.name, i >= 3): trace for i, trace in enumerate(losses.data)}
    t = np.array(by_name["σ-loss", False].x)
    np.testing.assert_allclose(by_name["σ-loss", False].y, 1.1 * t**2 / (np.abs(t) + 0.1))
    np.testing.assert_allclose(by_name["σ-loss", True].y, 2 * t**2 / (np.abs(t) + 1))
    assert list(sigma.data[0].x) == list(COARSE)
    shipped = paper.shipped()
    is_coarse = (shipped["rule"] == "coarse") & (shipped["dataset"] == "orl-cai")
    at_one = shipped[is_coarse & (shipped["sigma"] == 1)]["error"]
    assert sigma.data[0].y[20] == pytest.approx(at_one.mean())
    assert sigma.data[0].error_y.array[20] == pytest.approx(at_one.std())
    assert list(rank.data[0].x) == list(RANKS)
    symbols = dict(zip(rank.data[0].x, rank.data[0].marker.symbol, strict=True))
    assert (symbols[10], symbols[50]) == ("circle", "x")
    assert len(paper.figures(raw)) == 4


def test_report_is_complete_and_needs_no_network(finished_run, forty_faces):
    text = (finished_run / "report.html").read_text(encoding="utf-8")
    assert text.count("plotly.js v") == 1
    assert text.count('class="plotly-graph-div"') == 4
    assert text.index("plotly.js v") < text.index('class="plotly-graph-div"')
    for item in paper.deviations():
        assert item.shown[0] in text
    for part in (
        forty_faces,
        *paper.RULES.values(),
        "scikit-learn",
        "Table I",
        "Table III",
        "0, 1",
        "runs of k-means",
    ):
        assert part in text
    assert "<script src" not in text
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert "http" not in markup


def test_report_escapes_names(raw):
    assert "<script>bad" not in paper.report(
        raw.assign(dataset="<script>bad"), {"x": "<script>bad"}
    )
