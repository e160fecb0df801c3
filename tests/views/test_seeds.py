"""Measures over several seeds: compared with PCA, averaged, and what the means hide."""

import numpy as np
import pandas as pd

from epca.views import seeds

GOOD = {"method": "A", "failure": "", "converged": True, "collapsed": False}


def test_rows_over_seeds_are_compared_with_pca_of_the_same_seed():
    table = pd.DataFrame(
        {
            "method": ["PCA", "A", "B", "PCA", "A", "B"],
            "seed": [0, 0, 0, 1, 1, 1],
            "error": [10.0, 5.0, 20.0, 100.0, 150.0, 100.0],
        }
    )
    rows = seeds.against_pca(table, ["B", "A"], 1e6)
    assert rows["method"].tolist() == ["B", "B", "A", "A"]
    assert rows["against_pca"].tolist() == [1.0, 0.0, -0.5, 0.5]
    assert "against_pca" not in table
    means, spreads = seeds.averages(rows)
    assert means["method"].tolist() == spreads["method"].tolist() == ["B", "A"]
    assert means["error"].tolist() == [60.0, 77.5]
    assert spreads["error"].tolist() == [40.0, 72.5]


def test_nothing_is_compared_with_an_error_that_is_rounding():
    """As in the matrix: an exact fit of PCA has no error to be 157% above."""
    table = pd.DataFrame({"method": ["PCA", "A"], "seed": [0, 0], "error": [1e-15, 2.6e-15]})
    rows = seeds.against_pca(table, ["PCA", "A"], squared_length=1.0)
    assert rows["against_pca"].isna().all()


def test_what_the_means_over_seeds_hide_is_said():
    failed = GOOD | {"failure": "it broke.", "converged": False, "collapsed": np.nan}
    rows = [GOOD, failed, GOOD | {"converged": False}]
    rows += [GOOD | {"method": "B"}, GOOD | {"method": "B", "collapsed": True}]
    rows += [GOOD | {"method": "C"}]
    assert list(seeds.hidden_by_means(pd.DataFrame(rows))) == [
        "A: 1 of 3 fits failed and are left out of the means. it broke.",
        "A: 1 of 3 fits did not converge: they could still change.",
        "B: 1 of 2 fits collapsed: some images are fitted exactly.",
    ]


def test_notes_where_every_fit_failed():
    rows = pd.DataFrame([{"method": "A", "failure": "it broke.", "converged": False}] * 2)
    assert list(seeds.hidden_by_means(rows)) == [
        "A: 2 of 2 fits failed and are left out of the means. it broke."
    ]
