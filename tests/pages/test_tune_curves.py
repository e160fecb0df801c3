"""The sweeps that the page Tune shows: which one it opens, and the numbers in their charts."""

import numpy as np
import pytest

from epca import METHODS
from epca.experiment import Occlusion, Scenario, prepare, run, sweep
from epca.tasks import ESTIMATED
from epca.tasks import SWEPT as COLUMNS
from epca.views.texts import sigma_text
from tests.tuned import open_tune, show
from tests.visit import at, charts, execute, followed, leave, metrics, offered, texts

LINK = {"dataset": "digits", "c": "8", "sigma": "2^4", "kind": "block-black", "pixels": "20"}
SWEPT = Scenario("digits", Occlusion("block-black"), n_components=8, sigma=2.0**4)


@pytest.fixture(scope="module")
def swept():
    """The page of SWEPT with everything asked for; it opens with the σ sweep."""
    return open_tune("sweep", "fine", "csweep", "map", **LINK)


@pytest.mark.slow
def test_a_link_restores_what_was_computed(swept):
    assert all(swept.toggle(key=key).value for key in ("sweep", "fine", "csweep", "map"))
    shown = {"loss", "sigma_oracle", "sigma_blind", "live", "fine_curve"}
    assert set(charts(swept)) == shown
    assert set(show(swept, "rank")) == {"loss", "rank_oracle", "rank_blind", "scree"}
    assert set(show(swept, "map")) == {"loss", "map_chart"}
    assert set(show(swept, "sigma")) == shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("switch", "part"), [("sweep", "sigma"), ("csweep", "rank"), ("map", "map")]
)
def test_a_link_opens_the_sweep_that_it_asks_for(switch, part):
    page = at("tune", seed="26", c="4", **{switch: "true"}).run()
    assert not page.exception
    assert page.segmented_control(key="part_shown").value == part
    assert len(followed(page)) == 1
    leave(page)


@pytest.mark.slow
def test_a_lessons_step_opens_the_sweep_that_it_speaks_of():
    """Also from another one: the step's settings say which switch is on."""
    page = at("tune", lesson="5", step="4", part="sigma").run()
    next(button for button in page.button if button.label == "Next").click().run()
    page.switch_page("pages/tune.py")
    page.run()
    assert page.toggle(key="csweep").value
    assert page.segmented_control(key="part_shown").value == "rank"
    leave(page)


@pytest.mark.slow
def test_sweep_charts_equal_a_plain_recomputation(swept):
    table, models = sweep(SWEPT, sigma=[2.0**e for e in range(-20, 21)])
    shown = charts(swept)
    for chart, columns in {
        "sigma_oracle": ["error", "clean_among_activated"],
        "sigma_blind": ["n_activated", "weights_share"],
    }.items():
        for trace, column in zip(
            [trace for trace in shown[chart]["data"] if "customdata" in trace], columns, strict=True
        ):
            unit = 1e6 if column == "error" else 1
            np.testing.assert_allclose(trace["y"], table[column] / unit, rtol=1e-9)
            assert trace["customdata"] == [[e, 8] for e in range(-20, 21)]
    for frame, model in zip(shown["live"]["frames"], models, strict=True):
        assert len(frame["data"][0]["y"]) + len(frame["data"][1]["y"]) == model.n_activated_
        assert f"k = {model.n_activated_}," in frame["layout"]["title"]["text"]
    best = int(table["error"].idxmin()) - 20
    assert any(
        text.startswith(f"**Oracle**: the error is lowest at σ = {sigma_text(best)},")
        for text in texts(swept)
    )
    fine = sweep(
        SWEPT,
        sigma=[2.0 ** (best + step) for step in np.arange(-4, 5) / 4 if -20 <= best + step <= 20],
    ).table["error"]
    np.testing.assert_allclose(
        shown["fine_curve"]["data"][0]["y"], fine - fine.min(), atol=1e-6 * fine.min()
    )


@pytest.mark.slow
def test_the_proposal_is_shown_with_its_measured_error(swept):
    prepared = prepare(SWEPT)
    median = np.median(METHODS["PCA"](8).fit(prepared.occluded.X).residuals(prepared.occluded.X))
    exponent = round(np.log2(median / 8))
    errors = run(SWEPT.at(sigma=2.0**exponent), ["EPCA", "PCA"]).table["error"]
    text = next(text for text in texts(swept) if text.startswith("**M/8 rule"))
    assert f": σ = {sigma_text(exponent)}." in text
    change = f"{errors[0] / errors[1] - 1:+.1%}".replace("-", "−")
    assert text.endswith(f"Its error, known to the oracle alone, is {change} against PCA.")


@pytest.mark.slow
def test_rank_and_map_charts_equal_a_plain_recomputation(swept):
    shown = show(swept, "rank")
    ranks = shown["rank_blind"]["data"][0]["x"]
    assert ranks == list(range(4, 65, 4))
    table = sweep(SWEPT, n_components=[int(rank) for rank in ranks]).table
    errors = shown["rank_oracle"]["data"][0]["y"]
    np.testing.assert_allclose(errors, table["error"] / 1e6, rtol=1e-9)
    np.testing.assert_allclose(shown["rank_blind"]["data"][0]["y"], table["n_activated"])
    heat, dots = show(swept, "map")["map_chart"]["data"]
    assert np.shape(heat["z"]) == (6, 11)
    assert len(dots["customdata"]) == 11 * 6
    swept.segmented_control(key="map_value_shown").set_value("k").run()
    counts, _ = charts(swept)["map_chart"]["data"]
    for exponent, c in ([-20, 5], [8, 20], [20, 50]):
        fit = sweep(SWEPT, sigma=[2.0**exponent], n_components=[c]).table.iloc[0]
        place = ([5, 10, 20, 30, 40, 50].index(c), heat["x"].index(exponent))
        assert heat["z"][place[0]][place[1]] == pytest.approx(fit["error"] / 1e6)
        assert counts["z"][place[0]][place[1]] == fit["n_activated"]
    swept.segmented_control(key="map_value_shown").set_value("error").run()
    show(swept, "sigma")


@pytest.mark.slow
def test_the_script_prints_the_pages_numbers(tmp_path):
    page = open_tune("sweep", "fine", "csweep", **LINK)
    show(page, "rank")
    show(page, "sigma")  # the sweep over c, once computed, is taken along
    taken = offered(page)
    printed = execute(taken["code"], tmp_path).split()
    for title, rows in taken["table"].groupby("part", sort=False):
        numbers = rows[[*COLUMNS, *ESTIMATED]].to_string(index=False).split()
        assert any(printed[i : i + len(numbers)] == numbers for i in range(len(printed))), title
    assert set(taken["table"]["part"]) == {"now", "σ sweep", "fine search", "c sweep"}
    now = taken["table"].query("part == 'now'").iloc[0]
    assert metrics(page)["Activated images"] == f"{now['n_activated']:.0f} of 1797"
    assert taken["pictures"]["Faces"]().startswith(b"\x89PNG")
