"""Compare with the methods beyond the paper: numbers, pictures, scripts; what a preset adds."""

import pytest

from epca.experiment import Scenario, run
from epca.ui.frame.presets import PRESETS
from epca.views.compare import NONE_IGNORED
from tests.compared import lines, texts
from tests.visit import charts, execute, offered, press, visit
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
    assert [shown[label].get("text") for label in FOUR] == [NONE_IGNORED, NONE_IGNORED, None, None]
    titles = [figure["layout"]["title"]["text"] for figure in charts(page).values()]
    assert "Outlier map of PCP" in titles
    assert found["pictures"]["Faces"]()[:4] == b"\x89PNG"
    assert all("Built for" in shown[label]["help"] for label in FOUR)


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
