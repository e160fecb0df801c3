"""The page Compare: the library's numbers, no method favoured, a failure stays in its row."""

import numpy as np
import pytest

from epca import EPCA, METHODS
from epca.experiment import Scenario, run, sweep
from epca.metrics import clustering_accuracy
from epca.ui.frame.settings import CHOSEN_METHODS
from epca.views import scripts
from epca.views.compare import BEST
from tests.files import npy, pictures
from tests.visit import (
    at,
    charts,
    execute,
    followed,
    press,
    settle,
    switch,
    turn_to,
    visit,
    visit_with_upload,
)

CHOSEN = CHOSEN_METHODS.default


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
        change = row["error"] / table.loc["PCA", "error"] - 1
        assert shown.loc[label, "against PCA"] == f"{change:+.1%}".replace("-", "−")
        assert shown.loc[label, "on clean (10⁶)"] == f"{row['error_clean'] / 1e6:.1f}"
        assert shown.loc[label, "on occluded (10⁶)"] == f"{row['error_occluded'] / 1e6:.1f}"
        assert shown.loc[label, "AUC"] == f"{row['auc']:.3f}"
        assert shown.loc[label, "iterations"] == str(row["iterations"])
    assert shown.loc["PCA", "clean among the top-weighted"] == "–"


def test_the_best_is_marked_whoever_it_is(defaults, table):
    marked = defaults.table[0].value["error (10⁶)"].str.startswith(BEST)
    assert marked.sum() == 1
    assert marked.idxmax() == table["error"].idxmin() != "EPCA"


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
            if name != "sigma":
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


def test_clustering_on_request(faces, occluded):
    page = visit("compare", methods=["EPCA", "PCA"])
    assert "clustering accuracy" not in page.table[0].value
    switch(page, "cluster")
    page.number_input(key="runs").set_value(3).run()
    assert not page.exception
    expected = clustering_accuracy(
        EPCA(30).fit(occluded.X).transform(occluded.X), faces.labels, runs=3
    )
    shown = page.table[0].value["clustering accuracy"].map(plain)
    assert shown["EPCA"] == f"{expected.mean:.1%} ± {expected.sd:.1%}"


def test_what_is_not_chosen_is_not_clustered(monkeypatch, nothing_cached):
    clustered = []

    def count(*arguments, **options):
        clustered.append(options)
        return clustering_accuracy(*arguments, **options)

    monkeypatch.setattr("epca.metrics.clustering_accuracy", count)
    page = visit("compare", methods=["EPCA"], cluster="true", runs="2")
    assert page.table[0].value.index.tolist() == ["EPCA"]
    assert "±" in page.table[0].value.loc["EPCA", "clustering accuracy"]
    assert [options["random_state"] for options in clustered] == [0, 1]


@pytest.mark.slow
def test_several_seeds():
    page = visit("compare", repeat="true", seeds="3", methods=["EPCA", "PCA-AN"])
    assert not page.exception
    table = sweep(Scenario(), ["EPCA", "PCA-AN"], seed=[0, 1, 2]).table
    for label, group in table.groupby("method"):
        error = group["error"] / 1e6
        shown = plain(page.table[1].value.loc[label, "error (10⁶)"])
        assert shown == f"{error.mean():.1f} ± {error.std(ddof=0):.1f}"
    assert page.table[1].value.index.tolist() == ["EPCA", "PCA-AN"]
    three = page.table[1].value.loc["EPCA", "error (10⁶)"]
    page.number_input(key="seeds").set_value(2)
    settle(page.run())
    assert page.table[1].value.loc["EPCA", "error (10⁶)"] != three


def test_the_page_is_complete_before_several_seeds_are():
    page = at("compare", repeat="true", seeds="20", seed="31", methods=["EPCA"]).run()
    assert not page.exception
    assert len(followed(page)) == 1
    headers = [header.value for header in page.main.header]
    assert headers == ["Image by image", "Components"]
    press(page, "Cancel")
    assert not followed(page)
    assert "Over several seeds" not in [header.value for header in page.main.header]


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
    figures = {it["layout"]["title"]["text"]: it["data"] for it in charts(page).values()}
    pair = figures["Error: EPCA against PCA"][0]
    np.testing.assert_allclose(pair["x"], errors["PCA"], rtol=1e-9)
    np.testing.assert_allclose(pair["y"], errors["EPCA"], rtol=1e-9)
    sizes = zip(pair["customdata"], pair["marker"]["size"], strict=True)
    assert [i for i, size in sizes if size == 14] == [3, 12]
    np.testing.assert_allclose(
        figures["Per-image error, smallest first"][1]["y"], np.sort(errors["PCA"]), rtol=1e-9
    )
    alt = [image.proto.imgs[0].alt for image in page.main.image]
    assert alt[:4] == [f"{label}: images 3, 12" for label in ("Clean", "Occluded", "EPCA", "PCA")]


def test_no_methods_chosen():
    page = visit("compare")
    page.multiselect(key="methods").set_value([]).run()
    assert not page.exception
    assert page.info[0].value == "Choose methods to compare in the sidebar."


def test_without_truth_or_classes():
    page = visit_with_upload("mine.npy", npy(pictures(12)), is_occluded=True)
    turn_to(page, "compare")
    assert not page.exception
    shown = page.table[0].value
    assert set(shown["error (10⁶)"]) == set(shown["AUC"]) == {"–"}
    assert page.toggle(key="cluster").disabled
    assert page.table[1].value.index.name == "residual (length)"


@pytest.mark.slow
def test_the_script_prints_the_pages_numbers(faces, tmp_path):
    scenario = Scenario(n_components=10, parameters=(("LpPCA", "p", 1.5),))
    values = {"methods": ["LpPCA", "PCA"]}
    printed = execute(
        scripts.script("Compare", scripts.COMPARE, scenario, faces, **values), tmp_path
    )
    columns = ["method", "error", "error_clean", "error_occluded", "clean_among_top", "auc"]
    table = run(scenario, ["LpPCA", "PCA"]).table[[*columns, "iterations", "failure"]]
    assert printed.split() == table.to_string(index=False).split()
