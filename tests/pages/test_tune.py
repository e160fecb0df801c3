"""The page Tune: faces, numbers and loss at the chosen σ and c, and what to do without them."""

import json

import numpy as np
import pytest

from epca import EPCA, METHODS
from epca.corruption import occlude
from epca.linalg import reduce_to_span
from epca.metrics import is_collapsed
from epca.views import tune
from epca.views.texts import sigma_text
from tests.files import pictures
from tests.tuned import open_tune, open_upload, said, show
from tests.visit import (
    charts,
    components,
    metrics,
    settle,
    texts,
)


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
    length = np.array(data[0]["x"])
    median = np.median(pca.residuals(X))
    h = (1 + 2**9) * length**2 / (length + 2**9)
    at_median = (1 + 2**9) * median**2 / (median + 2**9)
    np.testing.assert_allclose(data[0]["y"], h / at_median, rtol=1e-9)
    np.testing.assert_allclose(data[1]["y"], length / median, rtol=1e-9)
    np.testing.assert_allclose(data[2]["y"], (length / median) ** 2, rtol=1e-9)
    bars = [trace for trace in data if trace["type"] == "bar"]
    assert [sum(trace["y"]) for trace in bars] == [320, 80]
    kinds = (np.delete(t, occluded.samples), t[occluded.samples])
    for trace, shown in zip(bars, kinds, strict=True):
        for bar, count in zip(trace["x"], trace["y"], strict=True):
            assert count == np.sum(np.abs(shown - bar) < trace["width"] / 2)
    assert f"M = {median:.0f} is PCA's median residual" in said(page)
    assert f"EPCA's residuals above σ, {np.sum(t > 2**9)} of 400 here," in said(page)
    assert f"At σ = 512 (2⁹), c = 30: {epca.n_iter_} iterations." in said(page)


def test_the_strip_shows_the_faces_that_are_tuned(faces):
    page = open_tune(sigma="2^9")
    X = occlude(faces.X, random_state=0).X
    epca = EPCA(30, sigma=2.0**9).fit(X)
    shown = components(page)
    assert [row["label"] for row in shown["tune_faces"]["rows"]] == ["Occluded", "EPCA"]
    ids = [int(head) for head in shown["tune_faces"]["heads"]]
    assert len(ids) == 8
    order = np.argsort(-epca.alpha_, kind="stable")[: epca.n_activated_]
    assert [cell["id"] for cell in shown["trusted_most"]["cells"]] == order.tolist()
    moved = components(open_tune(sigma="2^20"))["tune_faces"]["rows"]
    before = shown["tune_faces"]["rows"]
    assert moved[0]["picture"] == before[0]["picture"]
    assert moved[1]["picture"] != before[1]["picture"]


@pytest.mark.slow
def test_axes_stand_still_while_sigma_moves():
    """In the page, with EPCA's own residuals; log-log is a switch."""
    for link in ({}, {"loglog": "true"}):
        layouts = [
            charts(open_tune(c="5", sigma=sigma, **link))["loss"]["layout"]
            for sigma in ("2^-20", "2^9")
        ]
        names = [name for name in layouts[0] if name.startswith(("xaxis", "yaxis"))]
        assert len(names) == (6 if link else 4)
        for name in names:
            assert layouts[0][name]["range"] == layouts[1][name]["range"]


def test_scree_equals_the_variances(faces):
    page = open_tune(part="rank")
    X = occlude(faces.X, random_state=0).X
    values = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2
    share, held = charts(page)["scree"]["data"][:2]
    np.testing.assert_allclose(share["y"], values[:100] / values.sum(), rtol=1e-6)
    np.testing.assert_allclose(held["y"], np.cumsum(values)[:100] / values.sum(), rtol=1e-6)
    assert share["customdata"] == [[0, c] for c in range(1, 101)]
    assert f"c = 30 holds {values[:30].sum() / values.sum():.1%} of the variance" in said(page)


@pytest.mark.slow
def test_a_fit_that_fails_says_why_and_the_rest_stands(monkeypatch):
    """No setting of the sidebar is known to make a fit fail: one is made to."""
    solve = EPCA._solve

    def fail(model, reduction, callback):
        if model.sigma == 2.0**4:
            raise FloatingPointError("the eigenvalues did not come.")
        return solve(model, reduction, callback)

    monkeypatch.setattr(EPCA, "_solve", fail)
    page = open_upload(pictures(20, seed=3), "sweep", "csweep", "map", c=2)
    page.select_slider(key="sigma_shown").set_value(4)
    settle(page.run())
    assert not page.exception
    assert page.error[0].value == (
        "EPCA could not be fitted: the eigenvalues did not come. "
        "Change the occlusion, c or the data."
    )

    def notes():
        return [warning.value for warning in page.main.warning]

    named = "σ = 16 (2⁴), c = "
    assert f"1 of 41 fits failed ({named}2): the eigenvalues did not come." in notes()
    shown = charts(page)
    assert [i - 20 for i, k in enumerate(shown["sigma_blind"]["data"][0]["y"]) if k is None] == [4]
    assert len(shown["live"]["frames"]) == 40
    shown = show(page, "rank")
    assert any(note.startswith(f"19 of 19 fits failed ({named}1; {named}2; ") for note in notes())
    assert "scree" in shown
    assert "rank_blind" not in shown
    heat, dots = show(page, "map")["map_chart"]["data"]
    assert any(note.startswith(f"2 of 22 fits failed ({named}5; {named}10)") for note in notes())
    assert 4 not in heat["x"]
    assert 4 not in dots["x"]


@pytest.mark.slow
def test_where_the_truth_is_not_known_there_is_no_oracle():
    page = open_upload(pictures(12), "sweep", "csweep", "map", is_occluded=True, c=3)
    shown = charts(page)
    assert {"sigma_blind", "live"} <= set(shown)
    assert not {"sigma_oracle", "fine_curve"} & set(shown)
    assert [metrics(page)[name] for name in metrics(page) if "oracle" in name] == ["–", "–"]
    assert page.main.info[0].value == tune.NO_TRUTH
    assert tune.NO_TRUTH in said(page)
    assert not any(text.startswith("**Oracle**") for text in texts(page))
    proposal = next(text for text in texts(page) if text.startswith("**M/8 rule"))
    assert "oracle" not in proposal
    assert [trace["name"] for trace in shown["loss"]["data"] if trace["type"] == "bar"] == [
        "residuals"
    ]
    by_rank = show(page, "rank")
    assert "rank_blind" in by_rank
    assert "rank_oracle" not in by_rank
    by_both = show(page, "map")
    title = by_both["map_chart"]["layout"]["title"]["text"]
    assert title == "Estimated error (10⁶, no clean image used) over σ and c"
    values = page.segmented_control(key="map_value_shown")
    assert values.options == ["estimated error", "k"]
    values.set_value("k").run()
    title = charts(page)["map_chart"]["layout"]["title"]["text"]
    assert title == "Activated images k over σ and c"
    assert "oracle" not in json.dumps([shown, by_rank, by_both])


@pytest.mark.slow
def test_nothing_occluded():
    page = open_tune("sweep", samples="0", c="3")
    assert metrics(page)["Activated clean (oracle)"] == "–"
    assert tune.NO_OCCLUSION in said(page)
    assert (
        len([trace for trace in charts(page)["sigma_oracle"]["data"] if "customdata" in trace]) == 1
    )


@pytest.mark.slow
def test_a_collapse_and_a_late_fit_are_said_and_marked():
    pixels = pictures(30)
    page = open_upload(pixels, "csweep", c=25)
    assert "fitted exactly" in page.warning[0].value
    X = occlude(pixels.reshape(30, -1).astype(float), random_state=0).X
    reduction = reduce_to_span(X)
    states = []
    for c in range(2, 30, 2):  # at most 20 ranks
        model = EPCA(c).fit_reduced(reduction)
        state = "circle" if model.converged_ else "circle-open"
        states.append("x" if is_collapsed(model.residuals(X)) else state)
    assert {"x", "circle"} <= set(states)
    assert charts(page)["rank_blind"]["data"][0]["marker"]["symbol"] == states


@pytest.mark.slow
def test_buttons_set_sigma():
    page = open_tune("sweep", c="3")
    label = page.button(key="set_proposal").label
    page.button(key="set_proposal").click().run()
    exponent = page.select_slider(key="sigma_shown").value
    assert label == f"Set σ = {sigma_text(exponent)} (M/8 rule)"
    assert exponent != 0
