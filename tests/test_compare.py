"""Compare without a browser: its numbers are the library's, no method is favoured, a failure stays in its row."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from epca import EPCA, METHODS
from epca.experiment import Scenario, prepare, run, sweep
from epca.metrics import clustering_accuracy
from epca.ui import compare, downloads
from epca.ui.compare import BEST
from epca.ui.settings import METHODS_SETTING, Setup
from tests.files import npy, pictures
from tests.visit import charts, execute, visit, visit_with_upload

CHOSEN = METHODS_SETTING.default


@pytest.fixture(scope="module")
def defaults():
    """The page at its defaults, to read only."""
    return visit("compare")


@pytest.fixture(scope="module")
def table():
    return run(Scenario(), CHOSEN).table.set_index("method")


def plain(text):
    return text.removeprefix(BEST)


def test_the_table_equals_a_plain_recomputation(defaults, table):
    assert not defaults.exception
    shown = defaults.table[0].value.map(plain)
    assert shown.index.tolist() == CHOSEN
    for label in CHOSEN:
        row = table.loc[label]
        assert shown.loc[label, "error (10⁶)"] == f"{row['error'] / 1e6:.1f}"
        assert (
            shown.loc[label, "against PCA"]
            == f"{row['error'] / table.loc['PCA', 'error'] - 1:+.1%}"
        )
        assert shown.loc[label, "on clean (10⁶)"] == f"{row['error_clean'] / 1e6:.1f}"
        assert shown.loc[label, "on occluded (10⁶)"] == f"{row['error_occluded'] / 1e6:.1f}"
        assert shown.loc[label, "AUC"] == f"{row['auc']:.3f}"
        assert shown.loc[label, "iterations"] == str(row["iterations"])
    assert shown.loc["PCA", "clean among the top-weighted"] == "–"


def test_the_best_is_marked_whoever_it_is(defaults, table):
    marked = defaults.table[0].value["error (10⁶)"].str.startswith(BEST)
    assert marked.sum() == 1
    assert marked.idxmax() == table["error"].idxmin() != "EPCA"


def test_equal_values_are_marked_alike():
    rows = pd.DataFrame({"method": ["A", "B", "C"], "auc": [0.9, 0.9, 0.1]})
    assert compare.readable(rows)["AUC"].tolist() == [f"{BEST}0.900", f"{BEST}0.900", "0.100"]


def test_own_parameters_change_their_method_alone(table):
    page = visit("compare")
    page.number_input(key="PCA-AN_n_active").set_value(0.5).run()
    assert not page.exception
    shown = page.table[0].value.map(plain)["error (10⁶)"]
    changed = run(Scenario(parameters=(("PCA-AN", "n_active", 0.5),)), ["PCA-AN"]).table["error"][0]
    assert shown["PCA-AN"] == f"{changed / 1e6:.1f}" != f"{table.loc['PCA-AN', 'error'] / 1e6:.1f}"
    assert shown["EPCA"] == f"{table.loc['EPCA', 'error'] / 1e6:.1f}"


def test_every_own_parameter_has_a_control_and_an_explanation():
    page = visit("compare", methods=list(METHODS))
    assert not page.exception
    controls = {
        control.key: control.help for control in [*page.main.number_input, *page.main.selectbox]
    }
    for label, method in METHODS.items():
        for name, parameter in method.parameters.items():
            if (label, name) != ("EPCA", "sigma"):
                assert controls[f"{label}_{name}"] == parameter.text
    assert page.table[0].value.index.tolist() == list(METHODS)


def test_a_failure_stays_in_its_row(table):
    page = visit("compare", methods=["EPCA", "RSPCA"])
    page.number_input(key="RSPCA_n_nonzero").set_value(5000).run()
    assert not page.exception
    shown = page.table[0].value
    assert shown.loc["RSPCA", "note"].startswith("n_nonzero=5000 must be")
    assert plain(shown.loc["EPCA", "error (10⁶)"]) == f"{table.loc['EPCA', 'error'] / 1e6:.1f}"
    assert len(page.table) == 2  # the errors of the images shown, of the method that works


def test_what_the_means_over_seeds_hide_is_said():
    good = {"method": "A", "failure": "", "converged": True, "collapsed": False}
    rows = [
        good,
        good | {"failure": "it broke.", "converged": False, "collapsed": np.nan},
        good | {"converged": False},
    ]
    rows += [row | {"method": "B"} for row in (good, good | {"collapsed": True})] + [
        good | {"method": "C"}
    ]
    assert list(compare.notes(pd.DataFrame(rows))) == [
        "A: 1 of 3 fits failed and are left out of the means. it broke.",
        "A: 1 of 3 fits did not converge: they could still change.",
        "B: 1 of 2 fits collapsed: some images are fitted exactly.",
    ]


def test_what_did_not_converge_says_so():
    rows = pd.DataFrame(
        [{"method": "A", "error": 1.0, "converged": False, "collapsed": True, "failure": ""}]
    )
    assert (
        compare.readable(rows).loc["A", "note"]
        == "not converged: it could still change; collapsed: some images are fitted exactly"
    )


def test_clustering_on_request(faces, occluded):
    page = visit("compare", methods=["EPCA", "PCA"])
    assert "clustering accuracy" not in page.table[0].value
    page.toggle(key="cluster").set_value(True).run()
    page.number_input(key="runs").set_value(3).run()
    assert not page.exception
    expected = clustering_accuracy(
        EPCA(30).fit(occluded.X).transform(occluded.X), faces.labels, runs=3
    )
    assert (
        plain(page.table[0].value.loc["EPCA", "clustering accuracy"])
        == f"{expected.mean:.1%} ± {expected.sd:.1%}"
    )


def test_several_seeds():
    page = visit("compare", repeat="true", seeds="3", methods=["EPCA", "PCA-AN"])
    assert not page.exception
    table = sweep(Scenario(), ["EPCA", "PCA-AN"], seed=[0, 1, 2]).table
    for label, group in table.groupby("method"):
        error = group["error"] / 1e6
        assert (
            plain(page.table[1].value.loc[label, "error (10⁶)"])
            == f"{error.mean():.1f} ± {error.std(ddof=0):.1f}"
        )


def test_pictures_and_charts_equal_a_plain_recomputation(faces, occluded):
    page = visit("compare", methods=["EPCA", "PCA"])
    page.multiselect(key="sel").set_value([3, 12]).run()
    assert not page.exception
    errors = {
        label: np.linalg.norm(faces.X - model.reconstruct(occluded.X), axis=1)
        for label, model in {
            "EPCA": EPCA(30).fit(occluded.X),
            "PCA": METHODS["PCA"](30).fit(occluded.X),
        }.items()
    }
    shown = page.table[1].value
    assert shown.columns.tolist() == ["image 3", "image 12"]
    assert shown.loc["EPCA"].tolist() == [f"{errors['EPCA'][i]:.0f}" for i in (3, 12)]
    figures = {
        figure["layout"]["title"]["text"]: figure["data"] for figure in charts(page).values()
    }
    pair = figures["Error: EPCA against PCA"][0]
    np.testing.assert_allclose(pair["x"], errors["PCA"], rtol=1e-9)
    np.testing.assert_allclose(pair["y"], errors["EPCA"], rtol=1e-9)
    assert [
        i for i, size in zip(pair["customdata"], pair["marker"]["size"], strict=True) if size == 14
    ] == [3, 12]
    np.testing.assert_allclose(
        figures["Per-image error, smallest first"][1]["y"], np.sort(errors["PCA"]), rtol=1e-9
    )
    alt = [image.proto.imgs[0].alt for image in page.main.image]
    assert alt[:4] == [f"{label}: images 3, 12" for label in ("Clean", "Occluded", "EPCA", "PCA")]


def test_residuals_share_one_scale(faces):
    scenario = Scenario(n_components=5)
    _, models = run(scenario, ["EPCA", "PCA"])
    fits = {
        label: compare.experiment.Fit({}, model)
        for label, model in zip(("EPCA", "PCA"), models, strict=True)
    }
    view = compare.View(Setup(scenario, faces, ("EPCA", "PCA")), fits)
    X = prepare(scenario, faces).occluded.X[:1]
    largest = {
        label: np.abs(X - model.reconstruct(X)).max()
        for label, model in zip(("EPCA", "PCA"), models, strict=True)
    }
    pixels = {label: view.stages([0], "residuals")[label].astype(int) for label in largest}
    top = max(largest, key=largest.get)
    darkest = {
        label: picture[..., :3][picture[..., 3] > 0].sum(axis=1).min()
        for label, picture in pixels.items()
    }
    assert darkest[top] == min(darkest.values())


def test_no_methods_chosen():
    page = visit("compare")
    page.multiselect(key="methods").set_value([]).run()
    assert not page.exception
    assert page.info[0].value == "Choose methods to compare in the sidebar."


def test_without_truth_or_classes():
    page = visit_with_upload("mine.npy", npy(pictures(12)), is_occluded=True)
    page.switch_page("pages/compare.py").run()
    assert not page.exception
    shown = page.table[0].value
    assert set(shown["error (10⁶)"]) == set(shown["AUC"]) == {"–"}
    assert page.toggle(key="cluster").disabled
    assert page.table[1].value.index.name == "residual (length)"


def test_the_script_prints_the_pages_numbers(faces, tmp_path):
    scenario = replace(Scenario(), n_components=10, parameters=(("LpPCA", "p", 1.5),))
    printed = execute(
        downloads.script(
            "Compare", downloads.COMPARE, Setup(scenario, faces), methods=["LpPCA", "PCA"]
        ),
        tmp_path,
    )
    table = run(scenario, ["LpPCA", "PCA"]).table
    for name in ("error", "auc"):
        assert table[[name]].to_string(index=False).split()[1] in printed
