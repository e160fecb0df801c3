"""What Tune says of a suggestion, without the page: why, what to set, the regret of the rule."""

import numpy as np
import pandas as pd
import pytest

from epca.choosing import (
    CleanEstimate,
    Suggestion,
    estimate_clean,
    sigma_from_residuals,
    validation,
)
from epca.choosing.clean import GOOD
from epca.choosing.suggestion import AT_THE_END, COLUMNS, LOOK, NO_OPTIMUM, SWAPPED
from epca.corruption import KINDS
from epca.experiment import Scenario, prepare
from epca.registry import METHODS
from epca.views.choice import end_warning, estimate_text
from epca.views.points import Points
from epca.views.suggestion import (
    INSIDE,
    METHODS_TRIED,
    QUESTIONS,
    UNSEEN,
    VALIDATED,
    Advice,
    Looks,
    candidates,
    offer_text,
    regret_table,
    regret_text,
    sigma_advice,
)
from epca.views.texts import LEFT_OUT
from epca.views.tune import View

EXPONENTS = range(-20, 21)


@pytest.fixture(scope="module")
def view(faces):
    scenario = Scenario(n_components=5, sigma=2.0**3)
    return View(scenario, prepare(scenario, faces), pca_error=100.0)


def estimate_of(view, looks):
    """An estimate in which these images look occluded, and are black."""
    is_occluded = np.isin(np.arange(400), looks)
    images = np.where(is_occluded[:, None], 0.0, view.prepared.occluded.X)
    return CleanEstimate(images, is_occluded, is_occluded / 2, False)


def suggestion(view, rows, best, warnings=(SWAPPED,), **own):
    """Rows are (method, c, σ, estimated error in millions); best is the place of the lowest."""
    fits = [
        ("rank", method, c, sigma, error * 1e6, False, True, "") for method, c, sigma, error in rows
    ]
    method, c, sigma, _ = rows[best]
    curves = pd.DataFrame(fits, columns=COLUMNS)
    estimate = estimate_of(view, range(80))
    sigma = None if np.isnan(sigma) else sigma
    return Suggestion(method, c, sigma, own, curves, estimate, "why", warnings)


def test_what_is_not_asked_for_stays_as_it_is(view):
    methods, ranks, sigmas = candidates("rank", view, EXPONENTS, 45)
    assert (methods, sigmas) == (("EPCA",), (8.0,))
    assert ranks == (2, 5, 10, 15, 20, 25, 30, 40)
    methods, ranks, sigmas = candidates("sigma", view, EXPONENTS, 45)
    assert (methods, ranks) == (("EPCA",), (5,))
    middle = round(np.log2(sigma_from_residuals(view.prepared.reduction, 5)))
    assert sigmas == tuple(2.0 ** (middle + step) for step in (-6, -4, -2, 0, 2, 4, 6))
    assert candidates("method", view, EXPONENTS, 45) == (METHODS_TRIED, (5,), (8.0,))
    assert "8 ranks up to 40" in offer_text(view, EXPONENTS, 45)


@pytest.mark.parametrize("question", ["rank", "sigma"])
def test_c_and_sigma_are_suggested_for_left_out_residuals_where_these_are_on(view, question):
    guarded = View(view.scenario.at(left_out=True), view.prepared, pca_error=100.0)
    assert candidates(question, guarded, EXPONENTS, 45)[0] == (LEFT_OUT,)


def test_the_regret_told_is_that_of_left_out_residuals_where_it_was_measured():
    assert "with EPCA, left-out, a c chosen this way cost 0.71% more" in regret_text(
        "rank", LEFT_OUT
    )
    assert regret_text("sigma", LEFT_OUT) == regret_text("sigma")
    assert regret_text("method", LEFT_OUT) == regret_text("method")


def test_a_rank_is_set_by_its_button(view):
    rows = [("EPCA", 2, 8.0, 9.0), ("EPCA", 10, 8.0, 4.0), ("EPCA", 5, 8.0, 7.0)]
    advice = Advice(view, "rank", suggestion(view, rows, 1))
    assert advice.text == (
        "**c = 10** has the smallest estimated error (no clean image used) of the 3 ranks tried "
        "at σ = 8 (2³)."
    )
    assert (advice.name, advice.settings, advice.is_set) == ("c = 10", {"c": 10}, False)
    curve = advice.figure.data[0]
    assert (list(curve.x), list(curve.y)) == ([2, 5, 10], [9, 7, 4])
    assert Advice(view, "rank", suggestion(view, rows, 2)).is_set


def test_sigma_is_named_as_people_read_it(view):
    rows = [("EPCA", 5, 2048.0, 9.0), ("EPCA", 5, 2.0, 4.0)]
    advice = Advice(view, "sigma", suggestion(view, rows, 1))
    assert advice.text.startswith("**σ = 2 (2¹)** has")
    assert advice.text.endswith("of the 2 σ tried at c = 5.")
    assert advice.settings == {"sigma": 1}
    assert [point[0] for point in advice.figure.data[0].customdata] == [1, 11]


def test_a_method_is_compared_with_the_next(view):
    rows = [("EPCA", 5, 8.0, 8.0), ("PCA", 5, np.nan, 10.0), ("PCA-AN", 5, np.nan, 6.0)]
    advice = Advice(view, "method", suggestion(view, rows, 2, n_active=320))
    assert advice.text == (
        "**PCA-AN**, k = 320, has the smallest estimated error (no clean image used) of 3 methods "
        "at c = 5, σ = 8 (2³): −25.0% against EPCA, the next."
    )
    assert advice.shares == {"n_active": 0.8}
    assert advice.table["against EPCA"].to_dict() == {
        "PCA-AN": "−25.0%",
        "EPCA": "+0.0%",
        "PCA": "+25.0%",
    }


def test_without_a_suggestion_its_reason_stands(view):
    found = suggestion(view, [("EPCA", 5, 8.0, 8.0)], 0)._replace(method=None, why="It broke.")
    advice = Advice(view, "rank", found)
    assert (advice.is_made, advice.text) == (False, "It broke.")


def test_what_holds_always_is_no_warning(view):
    found = suggestion(view, [("EPCA", 5, 8.0, 8.0)], 0, (LOOK, SWAPPED))
    assert Advice(view, "rank", found).warnings == [LOOK]


@pytest.mark.parametrize("question", ["rank", "method"])
def test_the_regret_is_that_of_the_shipped_table(question):
    asked = QUESTIONS[question]
    table = validation()
    method = "" if question == "method" else "EPCA"
    rows = table[(table["question"] == question) & (table["method"] == method)]
    inside = rows[rows["kind"] == "inside"].set_index("rule")
    rows = rows[rows["kind"] == "all"].set_index("rule")
    ours = rows.loc["estimate"]
    text = regret_text(question)
    of = method and f"with {method}, "
    start = f"In {ours['places']} tests on other data, {of}a {asked.what} chosen this way cost "
    assert text.startswith(start)
    for name in ("mean", "ninety", "worst"):
        assert f"{ours[name]:.2g}%" in text
    assert f"; {asked.rival} cost {rows.loc[asked.rival, 'mean']:.2g}% on average." in text
    told = inside.loc["estimate"]
    assert (
        f"In the {told['places']} tests where the largest c is not simply the best, it cost "
        f"{told['mean']:.2g}% and {asked.rival} cost {inside.loc[asked.rival, 'mean']:.2g}%."
    ) in text
    assert text.endswith(UNSEEN)


def test_of_all_sigmas_one_is_to_be_taken_which_costs_the_least():
    """The differences are tiny, and none of it depends on c."""
    rows = validation().query("question == 'sigma' and kind == 'all'").set_index("rule")
    auto, one = "σ = “auto”", "σ = 1"
    assert rows.loc[["estimate", auto, one], "mean"].idxmin() == one
    assert rows.loc[one, "worst"] < 1
    assert rows.loc[["estimate", auto, one], "mean"].max() < 0.1
    text = regret_text("sigma")
    assert text == f"{sigma_advice()} {UNSEEN}"
    assert text.startswith("**Take σ = 1**, unless")
    for rule in ("estimate", auto, one):
        assert f"{rows.loc[rule, 'mean']:.2g}%" in text
        assert f"and {rows.loc[rule, 'worst']:.2g}%" in text
    assert "largest c" not in text


def test_a_little_occlusion_of_every_image_is_not_seen_which_is_said(faces):
    light = prepare(Scenario().at(kind="own-pixels", samples=1.0, pixels=0.1), faces)
    assert light.truth.all()
    assert estimate_clean(light.occluded.X).is_occluded.mean() < 0.3
    assert 0.1 < GOOD == 1 / 8
    assert "less than an eighth of an image is not seen" in UNSEEN
    assert METHODS["Cauchy PCA"].label in UNSEEN


def test_the_table_has_failures_too():
    whole = regret_table(is_by_kind=False)
    assert {"c", "σ", "method", "k"} == set(whole["choice of"])
    assert {"estimate", "GCV", "Gavish–Donoho", "parallel analysis"} < set(whole["by"])
    assert whole["refused"].max() > 0
    kinds = regret_table(is_by_kind=True)
    labels = {kind.label for kind in KINDS.values()}
    assert set(kinds["occlusion"]) - labels == {INSIDE}
    assert {"other pixels in every image", "black square"} < set(kinds["occlusion"])
    assert "9 of 10 within" in kinds
    assert "at most the number under “9 of 10 within”" in VALIDATED


def test_what_looks_occluded_is_counted_and_shown(view):
    occluded = view.prepared.occluded.samples
    clean = np.setdiff1d(np.arange(400), occluded)[:3]
    looks = Looks(view.prepared, estimate_of(view, [*occluded[:7], *clean]))
    assert looks.text == (
        "**10 of 400 images look occluded.** Oracle: 7 of the 80 occluded ones, and 3 clean ones. "
        f"{SWAPPED}"
    )
    assert len(looks.ids) == 6
    given, estimated = looks.stages.values()
    np.testing.assert_array_equal(given[0, 0].ravel(), view.prepared.occluded.X[looks.ids[0]])
    assert not estimated.any()
    none = Looks(view.prepared, estimate_of(view, []))
    assert len(none.ids) == 0
    assert none.text.startswith("**0 of 400 images look occluded.**")


def swept(estimates, errors=(3.0, 2.0, 4.0)):
    return Points(
        pd.DataFrame(
            {
                "sigma": 1.0,
                "n_components": [5, 10, 15],
                "error": errors,
                "estimated_error": estimates,
            }
        )
    )


def test_a_sweep_says_where_the_estimate_is_lowest_and_what_that_costs():
    text = estimate_text(swept([1.0, 5.0, 6.0]))
    assert "it is lowest at σ = 1 (2⁰), c = 5. Its level is not that of the error." in text
    assert text.endswith("known to the oracle alone, is 50.0% above the lowest.")
    assert "oracle" not in estimate_text(swept([1.0, 5.0, 6.0], np.nan))


def test_a_sweep_warns_where_the_estimate_is_lowest_at_the_end(view):
    few = estimate_of(view, range(3))
    many = estimate_of(view, range(80))
    falling = swept([3.0, 2.0, 1.0])
    assert end_warning(falling, few) == NO_OPTIMUM
    assert end_warning(falling, many) == AT_THE_END
    assert end_warning(swept([3.0, 1.0, 2.0]), few) == ""
    assert swept([np.nan] * 3).best_estimate is None
