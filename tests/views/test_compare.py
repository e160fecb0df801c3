"""What the page Compare shows, without the page: measures, marks, means, pictures on one scale."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from epca.experiment import Fit, Scenario, prepare, run
from epca.views import compare, measures, shows
from epca.views.comparison import Comparison
from epca.views.measures import BEST

GOOD = {"method": "A", "failure": "", "converged": True, "collapsed": False}


@pytest.fixture(scope="module")
def compared():
    """EPCA and PCA at a low rank, where their residuals differ."""
    scenario = Scenario(n_components=5)
    prepared = prepare(scenario)
    table, models = run(scenario, ["EPCA", "PCA"], prepare=lambda _: prepared)
    rows = table.to_dict("records")
    fits = {row["method"]: Fit(row, model) for row, model in zip(rows, models, strict=True)}
    return Comparison(scenario, prepared, fits)


@pytest.fixture(scope="module")
def view(compared):
    return compare.View(compared)


def test_pca_is_fitted_whatever_is_chosen():
    assert measures.with_pca(["EPCA", "R1PCA"]) == ("PCA", "EPCA", "R1PCA")
    assert measures.with_pca(["EPCA", "PCA"]) == ("PCA", "EPCA")


def test_measures_have_the_chosen_methods_and_their_error_against_pca(compared):
    fits = compared.fits
    rows = measures.measures(["EPCA", "R1PCA"], fits, compared.prepared)  # R1PCA is not fitted yet
    assert rows["method"].tolist() == ["EPCA"]
    assert rows["against_pca"][0] == fits["EPCA"].row["error"] / fits["PCA"].row["error"] - 1
    assert "accuracy" not in rows


def test_measures_have_the_accuracies_that_are_known(compared):
    rows = measures.measures(["EPCA", "PCA"], compared.fits, compared.prepared, {"PCA": (0.5, 0.1)})
    np.testing.assert_array_equal(rows["accuracy"], [np.nan, 0.5])
    np.testing.assert_array_equal(rows["accuracy_sd"], [np.nan, 0.1])


def test_measures_without_a_pca_that_works_have_no_comparison(compared):
    broken = Fit({"method": "PCA", "failure": "it broke.", "converged": False}, None)
    rows = measures.measures(["EPCA", "PCA"], compared.fits | {"PCA": broken}, compared.prepared)
    assert "against_pca" not in rows
    assert measures.readable(rows).loc["PCA", "note"] == "it broke."


def test_a_tie_is_not_marked():
    rows = pd.DataFrame({"method": ["A", "B", "C"], "auc": [0.9, 0.9, 0.1]})
    assert measures.readable(rows)["AUC"].tolist() == ["0.900", "0.900", "0.100"]


def test_what_reads_the_same_is_a_tie():
    rows = pd.DataFrame({"method": ["A", "B", "C"], "auc": [0.90001, 0.90002, 0.1]})
    assert not any(line[0].best for line in measures.cells(rows).values())
    rows["auc"] = [0.9001, 0.9008, 0.1]
    assert [line[0].best for line in measures.cells(rows).values()] == [False, True, False]


def test_errors_share_the_unit_of_the_largest():
    rows = pd.DataFrame({"method": ["A", "B"], "error": [2.5e8, 1.25e8], "error_clean": [1e8, 4e4]})
    shown = measures.readable(rows)
    assert shown["error (10⁶)"].tolist() == ["250.0", f"{BEST}125.0"]
    assert shown["on clean (10⁶)"].tolist() == ["100.0", f"{BEST}0.0"]
    small = measures.readable(rows.assign(error=[5e6, 4e6], error_clean=np.nan))
    assert small["error (10⁶)"].tolist() == ["5.000", f"{BEST}4.000"]
    tiny = measures.readable(rows.assign(error=[9.5, 0.0], error_clean=np.nan))
    assert tiny["error"].tolist() == ["9.5", f"{BEST}0.0"]


@pytest.mark.parametrize(
    ("error", "heading", "text"),
    [
        (181_649_000, "error (10⁶)", "181.6"),
        (4_664_312_000, "error (10⁹)", "4.664"),
        (9_999_900, "error (10⁶)", "10.000"),
        (10_000_000, "error (10⁶)", "10.0"),
        (999_940_000, "error (10⁶)", "999.9"),
        (999_950_000, "error (10⁹)", "1.000"),
        (999.94, "error", "999.9"),
        (1234.0, "error (10³)", "1.234"),
    ],
)
def test_errors_stay_below_a_thousand_so_that_their_columns_stay_narrow(error, heading, text):
    shown = measures.readable(pd.DataFrame({"method": ["A"], "error": [error]}))
    assert shown[heading].tolist() == [text]


@pytest.mark.parametrize(
    ("changes", "shares"),
    [
        ([0.0, -0.454, 0.1], [0.0, -0.908, 0.2]),  # half of a bar is 50%
        ([0.0, -0.02], [0.0, -1.0]),
        ([0.0, 3.0], [0.0, 3.0]),  # longer than the bar, which ends at its edge
        ([0.0, np.nan], [0.0, None]),
    ],
)
def test_bars_are_shares_of_a_round_change(changes, shares):
    rows = pd.DataFrame({"method": list("ABC")[: len(changes)], "against_pca": changes})
    found = [line[0].share for line in measures.cells(rows).values()]
    assert found == [None if share is None else pytest.approx(share) for share in shares]


def test_the_lowest_error_and_the_highest_auc_are_best_and_a_lone_row_is_not_marked():
    rows = pd.DataFrame({"method": ["A", "B"], "error": [2e7, 1e7], "auc": [0.2, 0.1]})
    shown = measures.readable(rows)
    assert shown["error (10⁶)"].tolist() == ["20.0", f"{BEST}10.0"]
    assert shown["AUC"].tolist() == [f"{BEST}0.200", "0.100"]
    assert measures.readable(rows[:1])["AUC"].tolist() == ["0.200"]


def test_seconds_and_iterations_are_no_contest():
    rows = pd.DataFrame({"method": ["A", "B"], "iterations": [2, 1], "seconds": [0.5, 0.25]})
    shown = measures.readable(rows)
    assert shown["iterations"].tolist() == ["2", "1"]
    assert shown["seconds"].tolist() == ["0.50", "0.25"]


def test_a_dash_stands_for_what_is_not_known_and_a_spread_follows_what_is():
    rows = pd.DataFrame({"method": ["A", "B"], "accuracy": [np.nan, 0.5]})
    shown = measures.readable(rows.assign(accuracy_sd=[np.nan, 0.01]))
    assert shown["clustering accuracy"].tolist() == ["–", "50.0% ± 1.0%"]  # no contest
    spread = pd.DataFrame({"against_pca": [0.01, 0.02]})
    rows = pd.DataFrame({"method": ["A", "B"], "against_pca": [-0.1, 0.0]})
    assert measures.readable(rows, spread)["against PCA"].tolist() == [
        f"{BEST}−10.0% ± 1.0%",
        "+0.0% ± 2.0%",
    ]


def test_the_best_is_marked_unless_another_is_nearer_than_their_own_spreads():
    """A third one that scatters widely, far off, changes nothing."""
    rows = pd.DataFrame({"method": ["A", "B", "C"], "error": [10.0, 12.0, 100.0]})
    for own, is_best in {0.1: True, 3.0: False}.items():
        for spread in ([own, 0.1, 50.0], [0.1, own, 50.0]):
            found = measures.cells(rows, pd.DataFrame({"error": spread}))
            assert [found[label][0].best for label in "ABC"] == [is_best, False, False]


def test_what_did_not_converge_says_so():
    rows = pd.DataFrame([GOOD | {"error": 1.0, "converged": False, "collapsed": True}])
    note = "not converged: it could still change; collapsed: some images are fitted exactly"
    assert measures.readable(rows).loc["A", "note"] == note
    assert measures.readable(pd.DataFrame([GOOD | {"error": 1.0}])).loc["A", "note"] == ""


def test_a_line_of_the_matrix_names_all_that_is_wrong():
    wrong = {"error": 1.0, "preview": True, "converged": False, "collapsed": True}
    found = compare.lines(Scenario(), pd.DataFrame([GOOD | {"method": "PCA"} | wrong]), ["PCA"])
    assert found["PCA"]["note"].startswith("preview; not converged; collapsed")


def largest(values):
    """Label → largest magnitude; they must differ, else scales of their own would look the same."""
    found = {label: np.abs(part).max() for label, part in values.items()}
    assert min(found.values()) < 0.98 * max(found.values())
    return found


@pytest.mark.parametrize("show", ["residuals", "errors"])
def test_signed_pictures_share_one_scale(view, show):
    ids = [1 if show == "errors" else 0]  # where the methods' scales differ
    rows = view.stages(ids, show)
    X = view.prepared.occluded.X[ids]
    aim = view.prepared.clean[ids] if show == "errors" else X
    left = {label: aim - model.reconstruct(X) for label, model in view.models.items()}
    limit = max(largest(left).values())
    for label, values in left.items():
        assert rows[label].limit == limit
        np.testing.assert_allclose(rows[label].values.reshape(1, -1), values)
    assert view.scale_text(rows) == f"colours: ±{limit:.3g}"
    assert view.scale_text(view.stages([0], "reconstructions")) == ""


def test_components_share_one_scale(view):
    first = {label: model.components_ for label, model in view.models.items()}
    limit = max(largest(first).values())
    for label, pictures in view.components().items():
        shown = pictures[0].reshape(view.n_components, -1)
        np.testing.assert_allclose(shown / 127.5 - 1, first[label] / limit, atol=1e-12)
    assert view.n_components == 5


def test_reconstructions_come_after_the_clean_and_the_occluded(view):
    rows = view.stages([3, 12], "reconstructions")
    assert list(rows) == ["Clean", "Occluded", "EPCA", "PCA"]
    X = view.prepared.occluded.X[[3, 12]]
    expected = [view.prepared.clean[[3, 12]], X]
    expected += [model.reconstruct(X) for model in view.models.values()]
    for pictures, images in zip(rows.values(), expected, strict=True):
        np.testing.assert_allclose(pictures[0, :2].reshape(2, -1), images)


def test_without_a_truth_residuals_are_compared(compared):
    images = replace(compared.prepared.images, is_occluded=True)
    view = compare.View(compared._replace(prepared=compared.prepared._replace(images=images)))
    model = view.models["EPCA"]
    X = view.prepared.occluded.X
    np.testing.assert_allclose(view.per_sample["EPCA"], model.residuals(X), rtol=1e-7)
    assert view.errors([2]).index.name == "residual (length)"
    assert next(iter(view.stages([2], "reconstructions"))) == "As they come"


def test_a_method_that_failed_has_no_pictures(compared):
    broken = compared._replace(fits=compared.fits | {"PCA": Fit({"failure": "no."}, None)})
    view = compare.View(broken)
    assert list(view.components()) == list(view.per_sample) == ["EPCA"]


def test_dots_of_a_pair_are_filled_by_the_method_that_activates(view):
    alpha = view.models["EPCA"].alpha_
    for across, up in (("PCA", "EPCA"), ("EPCA", "PCA")):
        dots = view.pair_figure(across, up, [3]).data[0]
        filled = np.array(["open" not in symbol for symbol in dots.marker.symbol])
        np.testing.assert_array_equal(filled, (alpha > 0)[list(dots.customdata)])


def test_ten_components_are_shown_where_there_are_more(compared):
    scenario = replace(compared.scenario, n_components=12)
    _, models = run(scenario, ["PCA"], prepare=lambda _: compared.prepared)
    fits = {"PCA": Fit({}, models[0])}
    view = compare.View(Comparison(scenario, compared.prepared, fits))
    assert view.n_components == view.components()["PCA"].shape[1] == 10


def test_a_line_waits_for_its_fit_and_says_why_it_failed(view):
    labels = ["EPCA", "R1PCA", "LpPCA"]
    found = view.matrix(labels, [3], "reconstructions", {"LpPCA": "it broke.", "EPCA": ""})
    assert list(found) == ["Clean", "Occluded", *labels]
    assert (found["R1PCA"], found["LpPCA"]) == (compare.FITTING, "it broke.")
    assert found["EPCA"].shape == (1, 1, 32, 32)


def test_errors_are_offered_only_where_there_is_a_truth(faces):
    assert shows.shows_for(faces, ["PCP"]) == tuple(shows.SHOWS)
    unknown = shows.shows_for(replace(faces, is_occluded=True), ["PCP"])
    assert set(shows.SHOWS) - set(unknown) == {"errors"}


def test_lines_say_in_a_word_what_went_wrong():
    rows = pd.DataFrame([GOOD | {"method": "PCA-AN", "error": 1.0, "converged": False}])
    line = compare.lines(Scenario(), rows, ["PCA-AN", "PCA"])
    assert line["PCA-AN"]["note"] == "not converged; n_active = 0.8"
    assert line["PCA"]["cells"] == []  # not fitted yet
    rows = pd.DataFrame([GOOD | {"method": "LpPCA", "failure": "it broke."}])
    assert compare.lines(Scenario(), rows, ["LpPCA"])["LpPCA"]["note"] == "failed; p = 1.2"


def test_selected_images_come_before_the_usual_ones(compared):
    assert compare.shown_ids(compared, list(range(20))) == list(range(8))
    assert compare.shown_ids(compared, []) == compared.shown.tolist()
