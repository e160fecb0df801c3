"""The shipped table of regrets, and the rival rules it compares with."""

import numpy as np
import pandas as pd
import pytest

from epca.choosing import validation
from epca.linalg import reduce_to_span
from tests.benchmarks import choosing


@pytest.fixture(scope="module")
def low_rank():
    """Three strong directions in white noise."""
    generator = np.random.default_rng(0)
    signal = generator.standard_normal((200, 3)) @ generator.standard_normal((3, 80)) * 5
    return reduce_to_span(signal + generator.standard_normal((200, 80)))


def test_the_rivals_find_the_rank_of_white_noise_with_a_signal(low_rank):
    assert choosing.gcv(low_rank, range(1, 20)) == 3
    assert choosing.gavish_donoho(low_rank) == 3
    assert choosing.parallel_analysis(low_rank) == 3


def test_a_regret_is_the_error_above_the_best_in_percent():
    scores = np.array([[2.0, 9.0], [3.0, 1.0], [4.0, 5.0]])  # true and estimated errors
    assert choosing._regret(scores) == pytest.approx(50)
    assert np.isnan(choosing._regret(np.array([[2.0, np.nan]])))


def test_the_summary_leaves_refused_places_out():
    raw = pd.DataFrame(
        {
            "kind": ["band", "band", "band"],
            "question": "rank",
            "method": "EPCA",
            "rule": "estimate",
            "regret": [1.0, 3.0, np.nan],
            "refused": [False, False, True],
            "is_recognised": [True, False, False],
            "is_inside": [False, True, True],
        }
    )
    table = choosing.summarise(raw).set_index(["rule", "kind"])
    both = table.loc[("estimate", "all")]
    assert (both["places"], both["refused"], both["mean"], both["worst"]) == (2, 1, 2.0, 3.0)
    assert table.loc[("estimate, occlusion recognised", "all"), "worst"] == 1.0
    assert table.loc[("estimate", "inside"), ["places", "refused", "mean"]].tolist() == [1, 1, 3.0]


def test_no_place_was_used_to_settle_the_rule():
    places = list(choosing.places())
    assert len(places) == len(set(places))
    assert min(place.seed for place in places) >= 10
    assert {"band", "block-black"} < {place.kind for place in places}
    assert {48, 64} < {place.size for place in places}
    assert {0.1, 0.4} < {place.samples for place in places}


def test_the_shipped_table_answers_every_question():
    table = validation()
    whole = table[table["kind"] == "all"]
    n_places = len(list(choosing.places()))
    told = whole[~whole["rule"].str.contains("recognised")]
    assert (told["places"] + told["refused"]).eq(n_places).all()
    ranks = whole[whole["question"] == "rank"]
    assert set(ranks["method"]) == set(choosing.LABELS)
    rivals = {"c = 30", "GCV", "Gavish–Donoho", "parallel analysis"}
    assert rivals | {"estimate"} < set(ranks["rule"])
    assert {"rank", "sigma", "k", "method"} == set(whole["question"])
    assert (table["mean"].dropna() >= 0).all()
    assert (table["worst"] >= table["ninety"])[table["places"] > 0].all()


@pytest.mark.parametrize("method", choosing.LABELS)
def test_the_estimate_beats_every_rival_on_average(method):
    table = validation()
    means = table[(table["question"] == "rank") & (table["kind"] == "all")]
    means = means[means["method"] == method].set_index("rule")["mean"]
    rivals = means[~means.index.str.startswith("estimate")]
    assert means["estimate"] < rivals.min()
