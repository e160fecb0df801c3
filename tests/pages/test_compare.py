"""The page Compare: the library's numbers, no method favoured, a failure stays in its row."""

import pytest

from epca import EPCA, METHODS
from epca.data import read_bytes
from epca.experiment import Scenario, run, sweep
from epca.metrics import clustering_accuracy
from epca.ui.frame.images import UPLOAD
from epca.ui.frame.settings import CHOSEN_METHODS, SETTINGS
from epca.ui.parts import matrix
from tests.compared import cells, lines, plain, texts
from tests.files import npy, pictures
from tests.visit import (
    PAPER,
    at,
    components,
    followed,
    press,
    settle,
    switch,
    visit,
)

CHOSEN = CHOSEN_METHODS.default


@pytest.fixture(scope="module")
def paper():
    """The page at the paper's setting, to read only."""
    return visit("compare", **PAPER)


@pytest.fixture(scope="module")
def table():
    return run(Scenario(), CHOSEN).table.set_index("method")


def test_the_matrix_equals_a_plain_recomputation(paper, table):
    assert not paper.exception
    shown = cells(paper)
    assert list(shown) == CHOSEN
    for label in CHOSEN:
        line = {heading: cell["text"] for heading, cell in shown[label].items()}
        measured = table.loc[label]
        assert line["error (10⁶)"] == f"{measured['error'] / 1e6:.1f}"
        change = measured["error"] / table.loc["PCA", "error"] - 1
        assert line["against PCA"] == f"{change:+.1%}".replace("-", "−")
        assert line["on clean (10⁶)"] == f"{measured['error_clean'] / 1e6:.1f}"
        assert line["on occluded (10⁶)"] == f"{measured['error_occluded'] / 1e6:.1f}"
        assert line["AUC"] == f"{measured['auc']:.3f}"
        assert line["iterations"] == str(measured["iterations"])
    assert shown["PCA"]["clean on top"]["text"] == "–"
    table_below = paper.table[0].value.map(plain)
    assert table_below["error (10⁶)"].to_dict() == texts(paper, "error (10⁶)")


def test_bars_show_the_change_against_pca(paper, table):
    changes = table["error"] / table.loc["PCA", "error"] - 1
    assert 0.2 < changes.abs().max() <= 0.5  # so half of a bar is 50%
    for label, line in cells(paper).items():
        assert line["against PCA"]["share"] == pytest.approx(changes[label] / 0.5)
        assert line["error (10⁶)"]["share"] is None
    assert cells(paper)["EPCA"]["against PCA"]["share"] < 0 == changes["PCA"]


def test_clean_and_occluded_stay_on_top_and_every_method_has_its_colour(paper):
    shown = list(lines(paper).values())
    assert [line["label"] for line in shown] == ["Clean", "Occluded", *CHOSEN]
    assert [line["sticky"] for line in shown] == [True, True] + [False] * len(CHOSEN)
    colours = [line["colour"] for line in shown[2:]]
    assert len(set(colours)) == len(CHOSEN)


def test_the_best_is_marked_whoever_it_is(paper, table):
    marked = [label for label, line in cells(paper).items() if line["error (10⁶)"]["best"]]
    assert marked == [table["error"].idxmin()] != ["EPCA"]


def test_a_tie_is_not_marked():
    shown = cells(visit("compare"))
    assert {line["AUC"]["text"] for line in shown.values()} == {"1.000"}
    assert not any(line["AUC"]["best"] for line in shown.values())
    assert sum(line["error (10⁶)"]["best"] for line in shown.values()) == 1


def test_parameters_stand_beside_the_names(paper):
    notes = {label: line.get("note", "") for label, line in lines(paper).items()}
    assert notes["EPCA"] == "σ = 1 (2⁰), γ = 1"
    assert notes["PCA"] == ""
    assert notes["PCA-AN"] == "n_active = 0.8"
    assert notes["R1PCA"] == "τ from the data"


def test_own_parameters_change_their_method_alone(table):
    page = visit("compare", **PAPER)
    page.number_input(key="PCA-AN_n_active").set_value(0.5).run()
    assert not page.exception
    shown = texts(page, "error (10⁶)")
    changed = run(Scenario(parameters=(("PCA-AN", "n_active", 0.5),)), ["PCA-AN"]).table["error"][0]
    assert shown["PCA-AN"] == f"{changed / 1e6:.1f}" != f"{table.loc['PCA-AN', 'error'] / 1e6:.1f}"
    assert shown["EPCA"] == f"{table.loc['EPCA', 'error'] / 1e6:.1f}"
    assert lines(page)["PCA-AN"]["note"] == "n_active = 0.5"


@pytest.mark.slow
def test_every_own_parameter_has_a_control_and_an_explanation():
    page = visit("compare", methods=list(METHODS))
    assert not page.exception
    controls = {
        control.key: control.help for control in [*page.main.number_input, *page.main.selectbox]
    }
    for label, method in METHODS.items():
        for name, parameter in method.parameters.items():
            if name not in {row.field for row in SETTINGS.values()}:
                assert controls[f"{label}_{name}"] == parameter.text
    assert list(cells(page)) == list(METHODS)


def test_a_failure_stays_in_its_row(table):
    page = visit("compare", methods=["EPCA", "RSPCA"], **PAPER)
    page.number_input(key="RSPCA_n_nonzero").set_value(5000).run()
    assert not page.exception
    failed = lines(page)["RSPCA"]
    assert failed["text"].startswith("n_nonzero=5000 must be")
    assert "picture" not in failed
    assert {cell["text"] for cell in failed["cells"]} == {"–"}
    assert page.table[0].value.loc["RSPCA", "note"] == failed["text"]
    assert texts(page, "error (10⁶)")["EPCA"] == f"{table.loc['EPCA', 'error'] / 1e6:.1f}"
    assert page.table[1].value.index.tolist() == ["EPCA"]  # the errors of the images shown


def test_the_lines_of_the_matrix_have_the_order_of_the_buttons():
    """However a link has it, and whatever is taken or left."""
    page = visit("compare", methods=["PCA-AN", "EPCA"])
    group = next(item for item in page.get("button_group") if item.key == "methods_of_the_paper")
    assert group.value == list(cells(page)) == ["EPCA", "PCA-AN"]
    group.set_value(["EPCA", "PCA", "PCA-AN"]).run()
    assert list(cells(page)) == page.query_params["methods"] == ["EPCA", "PCA", "PCA-AN"]
    group = next(item for item in page.get("button_group") if item.key == "methods_of_the_paper")
    group.set_value(["EPCA", "PCA"]).run()
    assert list(cells(page)) == ["EPCA", "PCA"]


def test_clustering_on_request(faces, occluded):
    page = visit("compare", methods=["EPCA", "PCA"], **PAPER)
    assert "clustering accuracy" not in cells(page)["EPCA"]
    switch(page, "cluster")
    page.number_input(key="runs").set_value(3).run()
    assert not page.exception
    expected = clustering_accuracy(
        EPCA(30).fit(occluded.X).transform(occluded.X), faces.labels, runs=3
    )
    shown = texts(page, "clustering accuracy")
    assert shown["EPCA"] == f"{expected.mean:.1%} ± {expected.sd:.1%}"


def test_what_is_not_chosen_is_not_clustered(monkeypatch, nothing_cached):
    clustered = []

    def count(*arguments, **options):
        clustered.append(options)
        return clustering_accuracy(*arguments, **options)

    monkeypatch.setattr("epca.metrics.clustering_accuracy", count)
    page = visit("compare", methods=["EPCA"], cluster="true", runs="2")
    assert list(cells(page)) == ["EPCA"]
    assert "±" in texts(page, "clustering accuracy")["EPCA"]
    assert [options["random_state"] for options in clustered] == [0, 1]


@pytest.mark.slow
def test_several_seeds():
    page = visit("compare", repeat="true", seeds="3", methods=["EPCA", "PCA-AN"], **PAPER)
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


def test_no_methods_chosen():
    page = visit("compare")
    page.multiselect(key="methods").set_value([]).run()
    assert not page.exception
    assert page.info[0].value == "No method is chosen. Choose at least one above."
    assert "matrix" not in components(page)


def test_without_truth_or_classes():
    page = at("compare")
    page.session_state["_upload"] = read_bytes("mine.npy", npy(pictures(12)), is_occluded=True)
    page.session_state["_upload_name"] = "mine.npy"
    page.session_state["_switch_to"] = UPLOAD
    settle(page.run())
    assert not page.exception
    for heading in ("error", "against PCA", "on occluded", "AUC"):
        assert set(texts(page, heading).values()) == {"–"}
    assert next(iter(lines(page))) == "As they come"
    assert page.toggle(key="cluster").disabled
    assert page.table[1].value.index.name == "residual (length)"
    switch_between = next(item for item in page.get("button_group") if item.key == "pictures_shown")
    assert switch_between.options == ["reconstructions", "residuals", "ignored"]


def test_the_matrix_fills_as_each_fit_is_ready(monkeypatch):
    shown = []
    show = matrix.show

    def watch(setup, choice, view, numbers, key="matrix"):
        shown.append((key, list(view.models), numbers.rows["method"].tolist()))
        show(setup, choice, view, numbers, key)

    monkeypatch.setattr(matrix, "show", watch)
    monkeypatch.setattr(matrix, "PATIENCE", -1.0)
    page = visit("compare", c="5", methods=["EPCA", "PCA-OM"])
    assert not page.exception
    assert shown[0] == ("matrix_with_1", [], [])  # PCA, which is not chosen
    assert shown[1] == ("matrix_with_2", ["EPCA"], ["EPCA"])
    assert shown[-1] == ("matrix", ["EPCA", "PCA-OM"], ["EPCA", "PCA-OM"])
    assert [key for key in components(page) if key.startswith("matrix")] == ["matrix"]
