"""The page Tune without a clean image: estimated errors, suggestions, what looks occluded."""

import numpy as np
import pytest

from epca import METHODS
from epca.choosing import estimate_clean, estimated_error, suggest
from epca.choosing.clean import REFUSED
from epca.choosing.suggestion import NO_OPTIMUM, RANKS, SWAPPED
from epca.corruption import occlude
from epca.experiment import Scenario, sweep
from epca.ui.jobs.bars import CANCELLED
from epca.ui.parts.results import ESTIMATE
from epca.views.suggestion import METHODS_TRIED, regret_table, regret_text
from epca.views.texts import sigma_text
from tests.files import npz, pictures
from tests.tuned import open_tune, open_upload, said, show
from tests.visit import (
    at,
    charts,
    components,
    execute,
    followed,
    leave,
    offered,
    press,
    settle,
    switch,
    texts,
    turn_to,
    visit,
    visit_with_upload,
)


def choose(page, question):
    page.segmented_control(key="suggest_shown").set_value(question)
    settle(page.run())
    assert not page.exception
    return page


@pytest.fixture(scope="module")
def small(faces):
    """A hundred faces at 16 × 16, a fifth of them occluded by us."""
    blocks = faces.images[:100].reshape(100, 16, 2, 16, 2).mean(axis=(2, 4))
    occluded = occlude(blocks.reshape(100, 256), samples=0.2, pixels=0.3, random_state=0)
    return np.rint(occluded.X).astype(np.uint8), occluded.samples


@pytest.fixture(scope="module")
def occluded_upload(small):
    """Tune after these faces were uploaded: they are occluded as they come."""
    content = npz(images=small[0].reshape(100, 16, 16))
    page = turn_to(visit_with_upload("mine.npz", content, is_occluded=True), "tune")
    assert not page.exception
    return page


def test_a_new_visitor_sees_what_can_be_suggested_and_nothing_is_computed(solves):
    page = visit("tune", seed="61")
    assert page.segmented_control(key="suggest_shown").options == [
        "Suggest c",
        "Suggest σ",
        "Suggest a method",
    ]
    assert "can be suggested without a clean image" in said(page)
    assert regret_text("rank") in said(page)
    assert len(solves) == 1
    assert "looks_faces" not in components(page)


@pytest.mark.slow
def test_c_is_suggested_for_images_that_came_occluded(occluded_upload, small):
    occluded_upload.slider(key="c").set_value(4)
    page = choose(occluded_upload, "rank")
    X = small[0].astype(float)
    found = suggest(X, ("EPCA",), [c for c in RANKS if c <= 99], [1.0])
    text = next(text for text in texts(page) if text.startswith("**c = "))
    assert text == (
        f"**c = {found.n_components}** has the smallest estimated error (no clean image used) of "
        f"the {len(found.curves)} ranks tried at σ = 1 (2⁰)."
    )
    curve = charts(page)["suggestion"]["data"][0]
    np.testing.assert_allclose(curve["y"], found.curves["estimated_error"] / 1e6, rtol=1e-9)
    assert curve["customdata"] == [[0, c] for c in found.curves["n_components"]]
    assert regret_text("rank") in said(page)
    press(page, f"Set c = {found.n_components}")
    assert page.slider(key="c").value == found.n_components
    follow = page.button(key="follow")
    assert (follow.label, follow.disabled) == (f"c = {found.n_components} is set", True)


def test_what_looks_occluded_is_shown_as_given_and_as_estimated(occluded_upload, small):
    page = choose(occluded_upload, "rank")
    X, samples = small
    estimate = estimate_clean(X.astype(float))
    n_found = estimate.is_occluded.sum()
    assert set(samples) <= set(np.flatnonzero(estimate.is_occluded))
    assert f"**{n_found} of 100 images look occluded.** {SWAPPED}" in texts(page)
    shown = components(page)["looks_faces"]
    assert [row["label"] for row in shown["rows"]] == ["As given", "As estimated"]
    assert len(shown["heads"]) == 6
    assert estimate.is_occluded[[int(head) for head in shown["heads"]]].all()
    assert shown["rows"][0]["picture"] != shown["rows"][1]["picture"]


def test_sigma_and_a_method_are_suggested(occluded_upload, small):
    X = small[0].astype(float)
    page = choose(occluded_upload, "sigma")
    c = page.slider(key="c").value
    curve = charts(page)["suggestion"]["data"][0]
    exponents = [int(exponent) for exponent, _ in curve["customdata"]]
    assert np.diff(exponents).tolist() == [2] * 6
    found = suggest(X, ("EPCA",), [c], [2.0**e for e in exponents])
    lowest = curve["customdata"][int(np.argmin(curve["y"]))][0]
    assert 2.0**lowest == found.sigma
    press(page, f"Set σ = {sigma_text(lowest)}")
    assert page.select_slider(key="sigma_shown").value == lowest
    choose(page, "method")
    found = suggest(X, METHODS_TRIED, [c], [2.0**lowest])
    table = page.main.table[0].value
    best = found.curves.sort_values("estimated_error")
    assert table.index.tolist() == best["method"].tolist()
    errors = [float(text) for text in table["estimated error (10⁶)"]]
    np.testing.assert_allclose(errors, best["estimated_error"] / 1e6, rtol=1e-3)
    assert said(page).count(f"**{found.method}**") == 1


def test_the_suggested_method_is_compared_as_it_was_suggested():
    page = open_tune(suggest="method")
    press(page, "Compare PCA-AN")
    page.switch_page("pages/compare.py")
    settle(page.run())
    assert not page.exception
    assert "PCA-AN" in page.session_state["methods"]
    assert page.session_state["PCA-AN_n_active"] == 320 / 400


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_curves_have_the_estimated_error(small, occluded_upload):
    """Equal to that of plain fits; nobody needs a clean image for it."""
    page = occluded_upload
    page.select_slider(key="sigma_shown").set_value(0).run()
    show(page, "rank")
    page.toggle(key="csweep").set_value(True)
    settle(page.run())
    assert not page.exception
    X = small[0].astype(float)
    estimate = estimate_clean(X)
    first, second = (t for t in charts(page)["rank_blind"]["data"] if "customdata" in t)
    assert first["line"]["dash"] == "solid"
    for i in (2, 9, 15):
        model = METHODS["EPCA"](first["customdata"][i][1], sigma=1.0).fit(X)
        error = estimated_error(estimate, model.reconstruct(X))
        assert first["y"][i] == pytest.approx(error / 1e6)
        assert second["y"][i] == model.n_activated_
    best = first["customdata"][int(np.argmin(first["y"]))][1]
    assert f"it is lowest at σ = 1 (2⁰), c = {best}. Its level is not that of the error." in said(
        page
    )
    assert "oracle alone" not in said(page)
    page.button(key="set_estimate").click().run()
    assert page.slider(key="c").value == best


@pytest.mark.slow
def test_beside_the_dashed_oracle_with_its_measured_regret():
    page = open_tune("csweep")
    table = sweep(Scenario(n_components=30), n_components=[5, 30, 60], sigma=[1.0]).table
    places = [0, 5, 11]  # of these ranks among 5, 10, …, 100
    oracle = charts(page)["rank_oracle"]["data"][0]
    solid = charts(page)["rank_blind"]["data"][0]
    assert (oracle["line"]["dash"], solid["line"]["dash"]) == ("dash", "solid")
    np.testing.assert_allclose(np.take(oracle["y"], places), table["error"] / 1e6, rtol=1e-9)
    at_best = oracle["y"][int(np.argmin(solid["y"]))]
    above = at_best / min(oracle["y"]) - 1
    assert f"known to the oracle alone, is {above:.1%} above the lowest." in said(page)
    assert "Oracle: 80 of the 80 occluded ones, and 0 clean ones." in said(page)
    weights = charts(page)["rank_weights"]["data"][0]["y"]
    np.testing.assert_allclose(np.take(weights, places), table["weights_share"], rtol=1e-9)


@pytest.mark.slow
def test_where_few_images_look_occluded_it_is_said():
    page = open_tune(kind="other-class", suggest="rank")
    assert any(part.value.startswith(NO_OPTIMUM) for part in page.main.warning)
    assert SWAPPED in said(page)


@pytest.mark.slow
def test_where_it_is_refused_the_reason_is_said_and_the_rest_goes_on():
    page = open_tune("csweep", dataset="digits", c="8", kind="band", suggest="rank")
    assert page.main.warning[0].value == REFUSED
    assert "looks_faces" not in components(page)
    shown = show(page, "rank")
    assert f"There is no estimated error: {REFUSED}" in said(page)
    assert {"rank_oracle", "rank_blind", "scree"} <= set(shown)
    assert "rank_weights" not in shown


def test_too_few_images_have_no_estimate_but_a_sweep():
    page = open_upload(pictures(10), "csweep", c=2)
    assert "There is no estimated error: X must have at least 12 images" in said(page)
    assert "rank_blind" in charts(page)
    choose_part = page.segmented_control(key="part_shown")
    choose_part.set_value("suggest").run()
    choose(page, "sigma")
    assert page.main.warning[-1].value.startswith("There is no suggestion: X must have at least 12")


@pytest.mark.slow
def test_an_estimate_that_is_cancelled_holds_nothing_up(nothing_cached, monkeypatch):
    """The sweep goes on without it."""
    monkeypatch.setattr("epca.ui.jobs.bars.PATIENCE", 0.0)
    page = at("tune", seed="62", c="3", csweep="true").run()
    key, _ = page.session_state["_followed"][ESTIMATE]
    page.button(key=f"cancel {hash(key)}").click().run()
    assert ESTIMATE not in page.session_state["_followed"]
    settle(page)
    assert {"rank_oracle", "rank_blind"} <= set(charts(page))
    assert "rank_weights" not in charts(page)


@pytest.mark.slow
def test_the_fine_search_goes_on_without_a_cancelled_estimate(nothing_cached, monkeypatch):
    """It waits for the same estimate as the sweep: once it is said that it was cancelled."""
    monkeypatch.setattr("epca.ui.jobs.bars.PATIENCE", 0.0)
    page = at("tune", dataset="digits", c="4", part="sigma", sweep="true").run()
    key, _ = page.session_state["_followed"][ESTIMATE]
    page.button(key=f"cancel {hash(key)}").click().run()
    settle(page)
    switch(page, "fine")
    assert not page.exception
    assert [info.value for info in page.info].count(CANCELLED) == 1
    assert "fine_curve" in charts(page)


@pytest.mark.slow
def test_taking_a_question_back_ends_its_work(nothing_cached):
    page = at("tune", seed="63", suggest="rank").run()
    assert followed(page)
    page.segmented_control(key="suggest_shown").set_value(None).run()
    rest = followed(page)
    leave(page)
    assert not rest


@pytest.mark.slow
def test_the_table_of_regrets_opens():
    page = visit("tune", regrets="true")
    assert not page.main.table
    page = at("tune")
    page.session_state["regrets"] = True
    page.run()
    shown = [table.value.reset_index() for table in page.main.table]
    assert [len(table) for table in shown] == [
        len(regret_table(is_by_kind=is_by_kind)) for is_by_kind in (False, True)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("question", ["rank", "method"])
def test_the_script_prints_the_suggestion(question, tmp_path):
    taken = offered(open_tune(suggest=question, c="5", kind="band"))
    printed = execute(taken["code"], tmp_path)
    now = taken["table"].drop(columns="part").to_string(index=False).split()
    assert " ".join(now) in " ".join(printed.split())
    assert "images look occluded" in printed
    assert " look occluded." in printed
