"""What the page Tune shows, without the page: numbers, marks, sentences on the choice of σ."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from epca.choosing import sigma_from_residuals
from epca.experiment import Scenario, prepare
from epca.plots.tune import BEST, NOW, PROPOSED
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.settings import setup_of
from epca.views.choice import Choice, FineSearch
from epca.views.points import Points
from epca.views.texts import sigma_text
from epca.views.tune import NO_CLEAN, NO_OCCLUSION, NO_TRUTH, View

EXPONENTS = np.arange(-20, 21)


def points_of(errors, exponents=EXPONENTS, **columns):
    """Fits at c = 5 with these errors; two samples, of which the first has all the weight."""
    table = pd.DataFrame(
        {
            "sigma": 2.0**exponents,
            "n_components": 5,
            "error": errors,
            "clean_among_activated": 0.5,
            "n_activated": 4,
            "weights_share": 0.25,
            "collapsed": False,
            "converged": True,
            "failure": "",
            "iterations": 7,
        }
    ).assign(**columns)
    alpha = np.vstack([np.ones(len(table)), np.zeros(len(table))])
    return Points(table, alpha, alpha)


def errors_with_lowest(at, lowest=90.0):
    return np.where(at == EXPONENTS, lowest, 100.0 + np.abs(EXPONENTS - at))


@pytest.fixture(scope="module")
def view(faces):
    scenario = Scenario(n_components=5, sigma=2.0**3)
    return View(scenario, prepare(scenario, faces), pca_error=100.0)


def unknown(view):
    """The same images, said to have come occluded."""
    images = replace(view.images, is_occluded=True)
    return View(view.scenario, view.prepared._replace(images=images), np.nan)


# The present σ and c


def test_numbers_at_the_present_place(view):
    row = {"error": 90.0, "n_activated": 40.0, "clean_among_activated": 0.75, "weights_share": 0.01}
    numbers = {label: number for label, (number, _) in view.numbers(row).items()}
    assert numbers == {
        "Error against PCA's (oracle)": "−10.0%",
        "Activated clean (oracle)": "30 of 40",
        "Activated images": "40 of 400",
        "Weights' share of objective": "1.00%",
    }
    assert all(meaning.endswith(".") for _, meaning in view.numbers(row).values())


def test_what_the_oracle_lacks_is_said(view, faces):
    assert view.no_truth == ""
    assert unknown(view).no_truth == NO_TRUTH
    clean = view.scenario.at(samples=0.0)
    assert View(clean, prepare(clean, faces), 1.0).no_truth == NO_OCCLUSION
    every = view.scenario.at(samples=1.0)
    assert View(every, prepare(every, faces), 1.0).no_truth == NO_CLEAN


def test_where_a_fit_stopped_is_said(view):
    row = {"iterations": 1.0, "converged": True}
    assert view.stop_text(row) == "At σ = 8 (2³), c = 5: 1 iteration."
    late = view.stop_text({"iterations": 500.0, "converged": False})
    assert late == "At σ = 8 (2³), c = 5: 500 iterations, the limit: the fit could still change."


def test_residuals_above_sigma_are_counted(view):
    assert "EPCA's residuals above σ, 2 of 4 here," in view.loss_text(
        np.array([1.0, 8.0, 9.0, 100.0])
    )


def test_the_scree_tells_the_variance_up_to_c(view):
    variances = view.prepared.reduction.variances
    shares = variances / variances.sum()
    assert shares.sum() == pytest.approx(1)
    assert view.scree_text(shares).startswith(f"c = 5 holds {shares[:5].sum():.1%} of the variance")
    figure = view.scree_figure(shares, 10)
    assert list(figure.data[0].y) == shares[:10].tolist()
    assert [list(choice) for choice in figure.data[0].customdata] == [[3, c] for c in range(1, 11)]


def test_what_is_shown_is_what_one_takes_away(view):
    view.parts.clear()
    assert view.all_rows() is None
    view.parts["now"] = ([3], [5], pd.DataFrame({"error": [1.0]}))
    view.parts["σ sweep"] = ([0, 1], [5], pd.DataFrame({"error": [2.0, 3.0]}))
    assert view.all_rows()["part"].tolist() == ["now", "σ sweep", "σ sweep"]
    assert view.grids() == {"now": ([3], [5]), "σ sweep": ([0, 1], [5])}


# Charts of a sweep


def names_of(figure):
    """What the legend has."""
    return [trace.name for trace in figure.data if trace.showlegend is not False]


def test_oracle_and_blind_charts_are_told_apart(view):
    points = points_of(errors_with_lowest(2))
    marks = Choice(view, points).marks
    charts = view.curves("sigma", points, points.sigma_axis, marks)
    assert list(charts) == ["sigma_oracle", "sigma_blind"]
    colours = {
        name: {shape.line.color for shape in figure.layout.shapes}
        for name, figure in charts.items()
    }
    assert {BEST, NOW, PROPOSED} <= colours["sigma_oracle"]
    assert BEST not in colours["sigma_blind"]  # known to the oracle alone
    assert {NOW, PROPOSED} <= colours["sigma_blind"]
    assert names_of(charts["sigma_oracle"]) == ["PCA", "σ now", "oracle", "M/8 rule"]
    assert names_of(charts["sigma_blind"]) == ["σ now", "M/8 rule"]
    judged = points_of(errors_with_lowest(2), estimated_error=5e6)
    both = view.curves("sigma", judged, judged.sigma_axis, Choice(view, judged).marks)
    assert names_of(both["sigma_blind"]) == ["σ now", "M/8 rule", "estimate"]
    blind = unknown(view)
    without = points_of(np.full(41, np.nan))
    assert list(blind.curves("sigma", without, without.sigma_axis, [])) == ["sigma_blind"]


def test_curves_name_sigma_in_powers_and_numbers_without_exponents(view):
    errors = errors_with_lowest(2, lowest=159e6)
    figure = view.curves("sigma", points_of(errors), points_of(errors).sigma_axis, [])[
        "sigma_oracle"
    ]
    assert list(figure.layout.xaxis2.ticktext) == ["2⁻²⁰", "2⁻¹⁰", "2⁰", "2¹⁰", "2²⁰"]
    assert figure.data[0].text[24] == "σ = 16 (2⁴), c = 5"
    assert figure.data[0].y[22] == 159  # in millions
    assert figure.layout.annotations[0].text == "error (10⁶)"


def test_frames_are_those_of_the_fits_that_did_not_fail(view):
    failures = np.where(EXPONENTS == 4, "it broke.", "")
    figure = view.live_figure(points_of(errors_with_lowest(2), failure=failures))
    assert len(figure.frames) == 40
    slider = figure.layout.sliders[0]
    assert slider.steps[slider.active].label == "8 (2³)"
    titles = [frame.layout.title.text for frame in figure.frames]
    assert titles[22] == "k = 4, weights' share 25.00%<br>oracle: error −10.0%, 2 of 4 clean"
    blind = unknown(view).live_figure(points_of(np.full(41, np.nan)))
    assert blind.frames[0].layout.title.text == "k = 4, weights' share 25.00%"


def test_the_map_shows_the_error_or_k(view):
    points = points_of(errors_with_lowest(2) * 1e6)
    figure = view.map_figure(points, "error")
    assert list(figure.data[0].z[0]) == errors_with_lowest(2).tolist()
    assert figure.data[1].hovertext[22] == "σ = 4 (2²), c = 5<br>error (10⁶, oracle) 90"
    assert list(figure.layout.xaxis.ticktext)[:2] == ["2⁻²⁰", "2⁻¹⁹"]
    assert set(view.map_figure(points, "k").data[0].z[0]) == {4}
    without = points_of(np.full(41, np.nan))
    assert set(unknown(view).map_figure(without, "k").data[0].z[0]) == {4}


# The choice of σ


def test_the_oracle_takes_the_lowest_error_and_says_how_many_are_as_good(view):
    errors = errors_with_lowest(2)
    errors[30] = 90.05  # within a thousandth
    choice = Choice(view, points_of(errors))
    assert choice.best == 2
    assert choice.oracle_text == (
        "**Oracle**: the error is lowest at σ = 4 (2²), −10.0% against PCA; "
        "2 of 41 σ come within 0.1% of it."
    )


def test_the_proposal_is_the_smallest_usable_from_a_part_of_the_residuals(view):
    wanted = round(np.log2(sigma_from_residuals(view.prepared.reduction, 5)))
    choice = Choice(view, points_of(errors_with_lowest(2)))
    assert choice.proposal == wanted
    error = view.against_pca(errors_with_lowest(2)[wanted + 20])
    assert choice.proposal_text.endswith(f"known to the oracle alone, is {error} against PCA.")
    collapsed = np.isin(EXPONENTS, [wanted, wanted + 1])
    assert Choice(view, points_of(100.0, collapsed=collapsed)).proposal == wanted + 2


@pytest.mark.parametrize(
    ("preset", "median", "part", "nearest"),
    [("paper", 566, 70.7, "64 (2⁶)"), ("opening", 738, 92.3, "128 (2⁷)")],
)
def test_the_proposal_says_its_rule_with_the_figures_numbers(faces, preset, median, part, nearest):
    """Also where the nearest exponent is not that of the nearest σ, as at the opening setting."""
    scenario = setup_of(PRESETS[preset].values, faces).scenario
    view = View(scenario, prepare(scenario, faces), pca_error=100.0)
    text = Choice(view, points_of(100.0)).proposal_text
    assert text.startswith(
        f"**M/8 rule (no clean image used)**: σ = {nearest}. PCA's median residual is M = "
        f"{median}, and M/8 is {part}; the σ with the nearest exponent of 2 is {nearest}."
    )
    assert f"M = {median} is PCA's median residual" in view.loss.text
    at = points_of(100.0).proposal(view.typical_sigma)
    moved = Choice(view, points_of(100.0, collapsed=np.arange(41) == at)).proposal_text
    other = sigma_text(round(np.log2(view.typical_sigma)) + 1)
    assert f"used)**: σ = {other}." in moved
    assert f"exponent of 2 is {nearest}. {other} is the next larger one at which" in moved


def test_where_every_sigma_collapses_there_is_no_proposal(view):
    choice = Choice(view, points_of(100.0, collapsed=True))
    assert choice.proposal is None
    assert "no σ to propose" in choice.proposal_text
    assert [mark.colour for mark in choice.marks] == [NOW, BEST]


def test_without_a_truth_the_proposal_stands_alone(view):
    choice = Choice(unknown(view), points_of(np.full(41, np.nan)))
    assert choice.best is None
    assert "oracle" not in choice.proposal_text
    assert [mark.colour for mark in choice.marks] == [NOW, PROPOSED]


def test_the_fine_search_says_what_it_gains():
    steps = np.arange(4, 13) / 4  # around 2^2
    errors = np.full(9, 100.0)
    errors[5] = 99.0
    found = FineSearch(points_of(errors, steps), coarse=2)
    assert found.best == 2.25
    assert found.nearest == 2
    assert found.text == (
        "**Oracle**: the error is lowest at σ = 4.76 (2²·²⁵), 1.000% below that at σ = 4 (2²). "
        "The sidebar holds whole exponents; the nearest is 4 (2²)."
    )
    assert min(found.figure.data[0].y) == 0
    still = FineSearch(points_of(np.abs(steps - 2) + 1, steps), coarse=2)
    assert still.text.startswith("**Oracle**: the error is lowest at σ = 4 (2²) still.")


def test_the_map_offers_what_the_fits_have(view):
    known = points_of(errors_with_lowest(2), estimated_error=5e6)
    assert view.map_values(known) == ["error", "estimated", "k"]
    assert set(view.map_figure(known, "estimated").data[0].z[0]) == {5}
    assert view.map_values(points_of(np.full(41, np.nan))) == ["k"]
