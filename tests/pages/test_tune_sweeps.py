"""The sweeps of the page Tune: in the background, cancelled for good, and never fitted twice."""

import pytest

from epca import METHODS
from epca.choosing.clean import FIRST_RANK
from epca.corruption import occlude
from epca.plots import tune as plots
from epca.ui.jobs import bars
from tests.files import npy, pictures
from tests.visit import (
    PAPER,
    PATIENCE,
    at,
    charts,
    followed,
    leave,
    metrics,
    offered,
    press,
    switch,
    turn_to,
    visit,
    visit_with_upload,
)


@pytest.fixture
def impatient(monkeypatch):
    """No page waits a moment for what it has in the background, however fast the machine is."""
    monkeypatch.setattr(bars, "PATIENCE", 0)


@pytest.mark.slow
def test_moving_along_the_sweep_fits_the_faces_of_the_present_place_alone(faces, solves):
    """And a place that was shown before not at all."""
    page = visit("tune", **PAPER | {"seed": "21", "c": "8", "part": "sigma"})
    assert len(solves) == 1
    switch(page, "sweep")
    assert not page.exception
    assert solves.pop(1) == (1.0, FIRST_RANK)  # the estimate of the clean images
    assert len(solves) == 1 + 41
    X = occlude(faces.X, random_state=21).X
    for exponent in (-20, 5, 20, 5):
        page.select_slider(key="sigma_shown").set_value(exponent).run()
        assert not page.exception
        marks = [
            shape["x0"]
            for shape in charts(page)["sigma_oracle"]["layout"]["shapes"]
            if shape["line"]["color"] == plots.NOW
        ]
        assert set(marks) == {exponent}
        begun = len(solves)
        k = METHODS["EPCA"](8, sigma=2.0**exponent).fit(X).n_activated_
        del solves[begun:]
        assert metrics(page)["Activated images"] == f"{k} of 400"
        bars = [trace for trace in charts(page)["loss"]["data"] if trace["type"] == "bar"]
        assert sum(sum(trace["y"]) for trace in bars) == 400
    assert solves[42:] == [(2.0**exponent, 8) for exponent in (-20, 5, 20)]


def test_the_page_is_complete_before_its_sweeps_are(impatient):
    page = at("tune", seed="22", c="4", sweep="true", csweep="true", map="true").run()
    assert not page.exception
    assert len(followed(page)) == 1  # the sweep that is shown
    assert set(charts(page)) == {"loss"}
    assert metrics(page)["Activated images"].endswith(" of 400")
    files = offered(page)
    assert files["pictures"].keys() == {"Faces"}
    assert files["table"]["part"].tolist() == ["now"]
    leave(page)


@pytest.mark.slow
def test_cancelling_one_sweep_does_not_begin_another_again(impatient):
    page = at("tune", seed="25", c="4", sweep="true", map="true").run()
    for part, title in (("sigma", "σ sweep"), ("map", "σ × c map")):
        page.segmented_control(key="part_shown").set_value(part).run()
        if title not in page.session_state["_followed"]:  # it waits for the estimate
            assert all(job.wait(PATIENCE) for job in followed(page))
            page.run()
        key, _ = page.session_state["_followed"][title]
        page.button(key=f"cancel {hash(key)}").click().run()
    began_again = followed(page)
    leave(page)
    assert not began_again


@pytest.mark.slow
def test_what_is_cancelled_does_not_begin_again_by_itself(impatient, solves):
    page = at("tune", seed="23", c="4", sweep="true").run()
    press(page, "Cancel")
    assert not page.exception
    assert not followed(page)
    begun = len(solves)
    page.run()
    assert page.main.info[0].value == "Cancelled. Change a setting, or start again."
    assert not followed(page)
    assert len(solves) == begun
    press(page, "Start again")
    assert {"sigma_blind", "live"} <= set(charts(page))


@pytest.mark.slow
def test_a_cancelled_sweep_begins_again_by_its_own_switch(impatient):
    page = at("tune", seed="24", c="4", sweep="true").run()
    press(page, "Cancel")
    switch(page, "sweep", False)
    assert "sigma_blind" not in charts(page)
    switch(page, "sweep")
    assert "sigma_blind" in charts(page)


@pytest.mark.slow
def test_moving_over_the_map_fits_the_present_place_alone(solves):
    page = turn_to(visit_with_upload("mine.npy", npy(pictures(20, seed=6))), "tune")
    page.slider(key="c").set_value(2).run()
    begun = len(solves)
    page.segmented_control(key="part_shown").set_value("map").run()
    switch(page, "map")
    assert solves.pop(begun) == (1.0, FIRST_RANK)  # the estimate of the clean images, once
    assert len(solves) == begun + 11 * 2
    page.segmented_control(key="part_shown").set_value("rank").run()
    switch(page, "csweep")
    assert len(solves) == begun + 11 * 2 + 19
    page.slider(key="c").set_value(3).run()
    assert not page.exception
    assert not followed(page)
    assert solves[begun + 22 + 19 :] == [(1.0, 3)]
    assert "rank_blind" in charts(page)
    page.segmented_control(key="part_shown").set_value("map").run()
    assert "map_chart" in charts(page)
    assert solves[begun + 22 + 19 :] == [(1.0, 3)]


@pytest.mark.slow
def test_a_sweep_that_is_not_shown_goes_on_but_not_for_other_settings():
    title = "σ × c map"
    app = at("tune", map="true", part="map", seed="91").run()
    while title not in app.session_state["_followed"]:  # the estimate comes first
        assert all(job.wait(PATIENCE) for job in followed(app))
        app.run()
    app.segmented_control(key="part_shown").set_value("sigma").run()
    assert title in app.session_state["_followed"]
    app.slider(key="samples").set_value(30).run()
    assert title not in app.session_state["_followed"]
    leave(app)
