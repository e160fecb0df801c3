"""Compare with the methods beyond the paper: numbers, pictures, scripts; what a preset adds."""

import numpy as np
import pytest

from epca import METHODS
from epca.experiment import Scenario, run
from epca.images import data_url, row
from epca.plots.methods import colour
from epca.ui.frame.presets import PRESETS
from epca.views.pictures import Heat, laid_out
from epca.views.shows import IGNORED, NONE, SPLIT
from tests.compared import lines, texts
from tests.visit import PAPER, charts, components, execute, offered, press, visit
from tests.visit import texts as said

FOUR = ["Spherical PCA", "ROBPCA", "PCP", "Cauchy PCA"]
SETTING = {"kind": "own-pixels", "samples": 1.0, "pixels": 0.1}
LINK = {"kind": "own-pixels", "samples": "100", "pixels": "10", "c": "5"}


@pytest.fixture(scope="module")
def taken():
    """The page with the four, and what it offers to take away."""
    page = visit("compare", methods=FOUR, pictures="ignored", map_of="PCP", **LINK)
    assert not page.exception
    return page, offered(page)


@pytest.fixture(scope="module")
def table():
    return run(Scenario(n_components=5).at(**SETTING), ["PCA", *FOUR]).table.set_index("method")


@pytest.mark.slow
def test_numbers_are_the_librarys_on_the_page_and_in_the_table(taken, table):
    page, found = taken
    shown = texts(page, "error (10⁶)")
    assert shown == {label: f"{table.loc[label, 'error'] / 1e6:.1f}" for label in FOUR}
    assert found["table"].set_index("method")["error"].to_dict() == pytest.approx(
        table.loc[FOUR, "error"].to_dict()
    )


@pytest.mark.slow
def test_the_script_prints_the_same(taken, table, tmp_path):
    printed = execute(taken[1]["code"], tmp_path).splitlines()
    for label in FOUR:
        line = next(line for line in printed if line.startswith(f"{label} "))
        assert float(line.removeprefix(label).split()[0]) == pytest.approx(
            table.loc[label, "error"], rel=1e-5
        )


def test_pixels_that_are_ignored_and_the_map_of_outliers(taken):
    page, found = taken
    shown = lines(page)
    assert [label for label in shown if shown[label]["sticky"]] == ["Clean", "Occluded", "Mask"]
    assert [shown[label].get("text") for label in FOUR] == ["–", "–", None, None]
    said = [caption.value for caption in page.main.caption]
    assert sum(NONE[IGNORED] in text for text in said) == 1
    titles = [figure["layout"]["title"]["text"] for figure in charts(page).values()]
    assert "Outlier map of PCP" in titles
    assert found["pictures"]["Faces"]()[:4] == b"\x89PNG"
    assert all("Built for" in shown[label]["help"] for label in FOUR)


@pytest.mark.slow
def test_the_parts_of_pcp_stand_in_two_lines_and_are_offered_with_it_alone(occluded):
    link = {"sel": ["3", "12"], "pictures": SPLIT} | PAPER
    page = visit("compare", methods=["EPCA", "PCP"], **link)
    assert not page.exception
    shown = lines(page)
    assert list(shown) == ["Clean", "Occluded", "EPCA", "PCP: L", "PCP: S"]
    assert [label for label in shown if shown[label]["sticky"]] == ["Clean", "Occluded"]
    assert shown["EPCA"]["text"] == "–"
    model = METHODS["PCP"](30).fit(occluded.X)
    limit = np.abs(model.sparse_[[3, 12]]).max()
    low_rank, sparse = (row(part[[3, 12]], (32, 32)) for part in (model.low_rank_, model.sparse_))
    parts = low_rank, Heat(sparse, limit)
    for label, part in zip(("PCP: L", "PCP: S"), parts, strict=True):
        assert shown[label]["picture"] == data_url(laid_out(part, gap=1, zoom=1))
        assert "cells" not in shown[label]  # numbers are of the subspace of rank c
        assert shown[label]["colour"] == colour("PCP")
    assert components(page)["matrix"]["corner"] == f"colours: ±{limit:.3g}"
    assert page.query_params["pictures"] == SPLIT
    assert SPLIT in page.segmented_control(key="pictures_shown").options
    without = visit("compare", methods=["EPCA"], **link)
    assert SPLIT not in without.segmented_control(key="pictures_shown").options
    assert not without.exception


def link_to(preset):
    link = {key: str(value) for key, value in preset.values.items()}
    return link | {"sigma": "2^0", "left_out": "false"}


@pytest.mark.slow
def test_a_regime_is_told_and_its_witness_is_one_click_away():
    preset = PRESETS["squares"]
    app = visit("compare", methods=["PCA"], **link_to(preset))
    assert f"**Black squares.** {preset.shows}" in said(app)
    press(app, "Add Cauchy PCA")
    assert app.session_state["methods"] == ["PCA", "Cauchy PCA"]
    assert "Add Cauchy PCA" not in [button.label for button in app.button]
    app.number_input(key="seed").set_value(1).run()
    assert not any(preset.shows in text for text in said(app))


@pytest.mark.parametrize("more", [{"dataset": "digits"}, {"lesson": "7", "step": "3"}])
def test_a_regime_is_told_of_the_default_images_alone_and_in_no_lesson(more):
    """Its words may be the answer to the lesson's question."""
    preset = PRESETS["pixels"]
    app = visit("compare", methods=["PCA"], **link_to(preset), **more)
    assert not app.exception
    assert not any(preset.shows in text for text in said(app))
    assert "Add Cauchy PCA" not in [button.label for button in app.button]
