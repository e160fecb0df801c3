"""The page Tune: the library's numbers; its sweeps come in the background and fit nothing twice."""

import json

import numpy as np
import pytest

from epca import EPCA, METHODS
from epca.corruption import occlude
from epca.experiment import Occlusion, Scenario, prepare, run, sweep
from epca.linalg import reduce_to_span
from epca.metrics import is_collapsed
from epca.tasks import SWEPT as COLUMNS
from epca.ui.parts import downloads
from epca.views import tune
from tests.files import npy, pictures
from tests.visit import charts, execute, metrics, settle, texts, visit, visit_with_upload


def open_tune(*wishes, **settings):
    """The page at these settings, as a link gives them, with these parts wished for."""
    app = visit("tune", **settings, **dict.fromkeys(wishes, "true"))
    assert not app.exception
    return app


def open_upload(content, *wishes, is_occluded=False, c):
    """The page of uploaded images."""
    app = visit_with_upload("mine.npy", npy(content), is_occluded=is_occluded)
    app.slider(key="c").set_value(c).run()
    app.switch_page("pages/tune.py")
    app.query_params.clear()
    app.query_params.update(dict.fromkeys(wishes, "true"))
    settle(app.run())
    assert not app.exception
    return app


def test_numbers_and_loss_equal_a_plain_recomputation(faces):
    page = open_tune(sigma="2^9")
    occluded = occlude(faces.X, random_state=0)
    X = occluded.X
    epca = EPCA(30, sigma=2.0**9).fit(X)
    pca = METHODS["PCA"](30).fit(X)
    t = epca.residuals(X)
    errors = [np.sum((faces.X - model.reconstruct(X)) ** 2) for model in (epca, pca)]
    k = epca.n_activated_
    clean = len(np.setdiff1d(np.flatnonzero(epca.alpha_), occluded.samples))
    share = 1 - np.sum((1 + 2**9) * t**2 / (t + 2**9)) / epca.objective_history_[-1]
    assert metrics(page) == {
        "Error against PCA's (oracle)": f"{errors[0] / errors[1] - 1:+.1%}".replace("-", "−"),
        "Activated clean (oracle)": f"{clean} of {k}",
        "Activated images": f"{k} of 400",
        "Weights' share of objective": f"{share:.2%}",
    }
    data = charts(page)["loss"]["data"]
    length = 2.0 ** np.array(data[0]["x"])
    h = (1 + 2**9) * length**2 / (length + 2**9)
    np.testing.assert_allclose(data[0]["y"], h, rtol=1e-9)
    np.testing.assert_allclose(
        data[1]["y"], np.gradient(h, length, edge_order=2) / (2 * length), rtol=2e-2
    )
    np.testing.assert_allclose(data[2]["y"], length, rtol=1e-9)
    np.testing.assert_allclose(data[4]["y"], length**2, rtol=1e-9)
    assert sum(data[6]["y"]) == 400
    width = data[6]["width"]
    for bar, count in zip(data[6]["x"], data[6]["y"], strict=True):
        inside = np.sum(np.abs(np.log2(t) - bar) < width / 2 - 1e-9)
        assert abs(int(inside) - count) <= 1  # on an edge
    assert f"Residuals above σ, {np.sum(t > 2**9)} of 400 here," in " ".join(texts(page))


def test_scree_equals_the_variances(faces):
    page = open_tune()
    X = occlude(faces.X, random_state=0).X
    values = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2
    share, held = charts(page)["scree"]["data"][:2]
    np.testing.assert_allclose(share["y"], values[:100] / values.sum(), rtol=1e-6)
    np.testing.assert_allclose(held["y"], np.cumsum(values)[:100] / values.sum(), rtol=1e-6)
    assert share["customdata"] == [[0, c] for c in range(1, 101)]
    said = " ".join(texts(page))
    assert f"c = 30 holds {values[:30].sum() / values.sum():.1%} of the variance" in said


LINK = {"dataset": "digits", "c": "8", "sigma": "2^4", "kind": "block-black"}
SWEPT = Scenario("digits", Occlusion("block-black"), n_components=8, sigma=2.0**4)


@pytest.fixture(scope="module")
def swept():
    """The page of SWEPT with everything computed."""
    return open_tune("sweep", "fine", "csweep", "map", **LINK)


@pytest.mark.slow
def test_a_link_restores_what_was_computed(swept):
    assert all(swept.toggle(key=key).value for key in ("sweep", "fine", "csweep", "map"))
    assert set(charts(swept)) == {
        "loss", "sigma_oracle", "sigma_blind", "live", "fine_curve",
        "scree", "rank_oracle", "rank_blind", "map_chart",
    }  # fmt: skip


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
            np.testing.assert_allclose(trace["y"], table[column], rtol=1e-9)
            assert trace["customdata"] == [[e, 8] for e in range(-20, 21)]
    for frame, model in zip(shown["live"]["frames"], models, strict=True):
        assert len(frame["data"][0]["y"]) + len(frame["data"][1]["y"]) == model.n_activated_
        assert f"k = {model.n_activated_}," in frame["layout"]["title"]["text"]
    best = int(table["error"].idxmin()) - 20
    assert any(
        text.startswith(f"**Oracle**: the error is lowest at σ = 2^{best},")
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
    text = next(text for text in texts(swept) if text.startswith("**Without clean images**"))
    assert f"we propose σ = 2^{exponent}." in text
    change = f"{errors[0] / errors[1] - 1:+.1%}".replace("-", "−")
    assert text.endswith(f"Its error, known to the oracle alone, is {change} against PCA.")


@pytest.mark.slow
def test_rank_and_map_charts_equal_a_plain_recomputation(swept):
    shown = charts(swept)
    ranks = shown["rank_blind"]["data"][0]["x"]
    assert ranks == list(range(3, 65, 3))
    table = sweep(SWEPT, n_components=[int(rank) for rank in ranks]).table
    np.testing.assert_allclose(shown["rank_oracle"]["data"][0]["y"], table["error"], rtol=1e-9)
    np.testing.assert_allclose(shown["rank_blind"]["data"][0]["y"], table["n_activated"])
    squares = shown["map_chart"]["data"][0]
    assert squares["marker"]["symbol"] == "square"
    assert len(squares["customdata"]) == 11 * 6
    chosen = [[-20, 5], [8, 20], [20, 50]]
    for exponent, c in chosen:
        error = sweep(SWEPT, sigma=[2.0**exponent], n_components=[c]).table["error"][0]
        assert squares["marker"]["color"][
            squares["customdata"].index([exponent, c])
        ] == pytest.approx(error)
    assert np.isfinite(squares["marker"]["color"]).all()


@pytest.mark.slow
def test_the_script_prints_the_pages_numbers(monkeypatch, tmp_path):
    taken = {}
    monkeypatch.setattr(
        downloads, "offer", lambda name, code, *, table: taken.update(code=code, table=table)
    )
    page = open_tune("sweep", "fine", **LINK)
    printed = execute(taken["code"], tmp_path).split()
    for title, rows in taken["table"].groupby("part", sort=False):
        numbers = rows[list(COLUMNS)].to_string(index=False).split()
        assert any(printed[i : i + len(numbers)] == numbers for i in range(len(printed))), title
    assert set(taken["table"]["part"]) == {"now", "σ sweep", "fine search"}
    now = taken["table"].query("part == 'now'").iloc[0]
    assert metrics(page)["Activated images"] == f"{now['n_activated']:.0f} of 1797"


def test_a_fit_that_fails_says_why_and_the_rest_stands(monkeypatch):
    """No setting of the sidebar is known to make a fit fail: one is made to."""
    solve = EPCA._solve

    def fail(model, reduction, callback):
        if model.sigma == 2.0**4:
            raise FloatingPointError("the eigenvalues did not come.")
        return solve(model, reduction, callback)

    monkeypatch.setattr(EPCA, "_solve", fail)
    page = open_upload(pictures(20, seed=3), "sweep", "csweep", "map", c=2)
    page.select_slider(key="sigma").set_value(4)
    settle(page.run())
    assert not page.exception
    assert page.error[0].value == (
        "EPCA could not be fitted: the eigenvalues did not come. "
        "Change the occlusion, c or the data."
    )
    notes = [warning.value for warning in page.main.warning]
    assert "1 of 41 fits failed (σ = 2^4, c = 2): the eigenvalues did not come." in notes
    assert any(
        note.startswith("19 of 19 fits failed (σ = 2^4, c = 1; σ = 2^4, c = 2; ") for note in notes
    )
    assert any(
        note.startswith("2 of 22 fits failed (σ = 2^4, c = 5; σ = 2^4, c = 10)") for note in notes
    )
    shown = charts(page)
    assert {"sigma_blind", "scree", "map_chart"} <= set(shown)
    assert "rank_blind" not in shown
    assert [i - 20 for i, k in enumerate(shown["sigma_blind"]["data"][0]["y"]) if k is None] == [4]
    assert len(shown["live"]["frames"]) == 40
    assert 4 not in shown["map_chart"]["data"][0]["x"]


def test_where_the_truth_is_not_known_there_is_no_oracle():
    page = open_upload(pictures(12), "sweep", "csweep", "map", is_occluded=True, c=3)
    shown = charts(page)
    assert {"sigma_blind", "rank_blind", "map_chart", "live"} <= set(shown)
    assert not {"sigma_oracle", "rank_oracle", "fine_curve"} & set(shown)
    assert [metrics(page)[name] for name in metrics(page) if "oracle" in name] == ["–", "–"]
    assert page.main.info[0].value == tune.NO_TRUTH
    assert not any(text.startswith("**Oracle**") for text in texts(page))
    proposal = next(text for text in texts(page) if text.startswith("**Without clean images**"))
    assert "oracle" not in proposal
    assert shown["map_chart"]["layout"]["title"]["text"] == "Activated k over σ and c"
    assert "oracle" not in json.dumps(shown)


def test_nothing_occluded():
    page = open_tune("sweep", samples="0", c="3")
    assert metrics(page)["Activated clean (oracle)"] == "–"
    assert tune.NO_OCCLUSION in [caption.value for caption in page.caption]
    assert (
        len([trace for trace in charts(page)["sigma_oracle"]["data"] if "customdata" in trace]) == 1
    )


def test_a_collapse_and_a_late_fit_are_said_and_marked():
    pixels = pictures(30)
    page = open_upload(pixels, "csweep", c=25)
    assert "fitted exactly" in page.warning[0].value
    X = occlude(pixels.reshape(30, -1).astype(float), random_state=0).X
    reduction = reduce_to_span(X)
    states = []
    for c in range(1, 30):
        model = EPCA(c).fit_reduced(reduction)
        state = "circle" if model.converged_ else "circle-open"
        states.append("x" if is_collapsed(model.residuals(X)) else state)
    assert {"x", "circle"} <= set(states)
    assert charts(page)["rank_blind"]["data"][0]["marker"]["symbol"] == states


def test_buttons_set_sigma():
    page = open_tune("sweep", c="3")
    label = page.button(key="set_proposal").label
    page.button(key="set_proposal").click().run()
    assert label == f"Set σ = 2^{page.select_slider(key='sigma').value} (proposal)"
    assert page.select_slider(key="sigma").value != 0
