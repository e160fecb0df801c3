"""Compare's switches: robust reconstructions, left-out residuals, a method beyond the paper."""

import numpy as np
import pytest

from epca import METHODS
from epca.experiment import Scenario, run
from epca.images import data_url, row
from epca.views.pictures import laid_out
from tests.compared import cells, lines, texts
from tests.visit import PAPER, charts, components, execute, offered, visit

CHOSEN = ["EPCA", "PCA"]


@pytest.fixture(scope="module")
def models(occluded):
    return {label: METHODS[label](30).fit(occluded.X) for label in CHOSEN}


@pytest.fixture
def page():
    """The page with robust reconstructions."""
    return visit("compare", methods=CHOSEN, sel=["0", "12"], robust="true", **PAPER)


def test_faces_and_errors_are_of_robust_reconstructions(page, models, faces, occluded):
    assert not page.exception
    back = {label: model.reconstruct(occluded.X, robust=True) for label, model in models.items()}
    left = {label: np.square(faces.X - X).sum(axis=1) for label, X in back.items()}
    plain = run(Scenario(), CHOSEN).table.set_index("method")
    is_occluded = np.isin(np.arange(400), occluded.samples)
    for label, line in cells(page).items():
        losses = left[label]
        assert line["error (10⁶)"]["text"] == f"{losses.sum() / 1e6:.1f}"
        assert line["error (10⁶)"]["text"] != f"{plain.loc[label, 'error'] / 1e6:.1f}"
        change = losses.sum() / left["PCA"].sum() - 1
        assert line["against PCA"]["text"] == f"{change:+.1%}".replace("-", "−")
        assert line["on clean (10⁶)"]["text"] == f"{losses[~is_occluded].sum() / 1e6:.1f}"
        assert line["on occluded (10⁶)"]["text"] == f"{losses[is_occluded].sum() / 1e6:.1f}"
        assert line["AUC"]["text"] == f"{plain.loc[label, 'auc']:.3f}"  # of the subspace
        pixels = laid_out(row(back[label][[0, 12]], (32, 32)), gap=1, zoom=1)
        assert lines(page)[label]["picture"] == data_url(pixels)
        shown = page.table[1].value.loc[label].tolist()
        assert shown == [f"{losses[i] ** 0.5:,.0f}" for i in (0, 12)]
    pair = charts(page)["pair"]["data"][0]
    np.testing.assert_allclose(np.square(pair["y"]).sum(), left["EPCA"].sum(), rtol=1e-9)
    assert components(page)["matrix"]["corner"] == "robust"
    assert "Faces and errors are of robust reconstructions" in page.main.caption[0].value


@pytest.mark.slow
def test_the_script_prints_the_robust_numbers(page, tmp_path):
    found = offered(page)
    printed = execute(found["code"], tmp_path).splitlines()
    assert found["table"]["robust_reconstruction"].all()
    for label in CHOSEN:
        alone, images = (line.split()[1:] for line in printed if line.startswith(f"{label} "))
        assert texts(page, "error (10⁶)")[label] == f"{float(alone[0]) / 1e6:.1f}"
        assert texts(page, "on occluded (10⁶)")[label] == f"{float(alone[3]) / 1e6:.1f}"
        assert page.table[1].value.loc[label, "image 0"] == f"{float(images[2]):,.0f}"


def test_off_by_default_and_nothing_is_said_of_it():
    page = visit("compare", methods=CHOSEN, **PAPER)
    assert page.toggle(key="robust").value is False
    assert components(page)["matrix"]["corner"] == ""
    assert not [caption for caption in page.main.caption if "robust" in caption.value]
    assert "as in the paper" in page.main.expander[0].markdown[0].value


def test_left_out_is_a_method_of_its_own_beyond_the_paper():
    label = "EPCA, left-out"
    page = visit("compare", methods=["EPCA", label], **PAPER)
    groups = {item.key: item for item in page.get("button_group")}
    assert groups["methods_of_beyond_the_paper"].value == [label]
    assert groups["methods_of_the_paper"].value == ["EPCA"]
    table = run(Scenario(), ["EPCA", label]).table.set_index("method")
    assert texts(page, "error (10⁶)") == {
        name: f"{error / 1e6:.1f}" for name, error in table["error"].items()
    }
    assert lines(page)[label]["colour"] != lines(page)["EPCA"]["colour"]
    assert lines(page)["EPCA"]["note"] == lines(page)[label]["note"] == "σ = 1 (2⁰), γ = 1"


def test_with_the_sidebars_switch_epca_has_left_out_residuals_and_says_so():
    label = "EPCA, left-out"
    page = visit("compare", methods=["EPCA", label], left_out="true", **PAPER)
    shown = texts(page, "error (10⁶)")
    assert shown["EPCA"] == shown[label]
    assert lines(page)["EPCA"]["note"] == "left-out residuals, σ = 1 (2⁰), γ = 1"
    assert "it is “EPCA, left-out”, not the paper's method" in page.main.caption[0].value


def test_no_method_is_drawn_against_itself():
    """Where the method across is taken away, another takes its place, but not the one up."""
    app = visit("compare", methods=["EPCA", "PCA", "PCA-OM"])
    assert [app.selectbox(key=key).value for key in ("across", "up")] == ["PCA", "EPCA"]
    paper = app.button_group(key="methods_of_the_paper")
    paper.set_value(["EPCA", "PCA-OM"]).run()
    assert not app.exception
    assert [app.selectbox(key=key).value for key in ("across", "up")] == ["PCA-OM", "EPCA"]
