"""The page without a browser: its numbers are right, its controls work."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from epca import EPCA, METHODS
from epca.corruption import occlude

APP = str(Path(__file__).resolve().parents[1] / "app.py")


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=60)


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def test_numbers_equal_a_plain_recomputation(app, faces):
    app.run()
    assert not app.exception
    damage = occlude(faces.X, samples=0.2, pixels=0.2, random_state=0)
    epca, pca = EPCA(30, sigma=1.0).fit(damage.X), METHODS["PCA"](30).fit(damage.X)
    errors = [np.sum((faces.X - model.reconstruct(damage.X)) ** 2) for model in (epca, pca)]
    clean = set(np.flatnonzero(epca.alpha_)) - set(damage.samples)
    shown = metrics(app)
    assert shown["EPCA's error against PCA's"] == f"{errors[0] / errors[1] - 1:+.1%}"
    assert shown["Activated faces"] == f"{epca.n_activated_} of 400"
    assert shown["Undamaged among the activated"] == f"{len(clean)} of {epca.n_activated_}"
    assert f"EPCA took {epca.n_iter_} iterations." in app.caption[0].value
    assert app.markdown[0].value.startswith("80 of these 400 faces are damaged.")


def test_four_rows_of_faces(app):
    app.run()
    labels = [markdown.value for markdown in app.markdown]
    assert labels[1:] == ["**Clean**", "**Occluded**", "**PCA**", "**EPCA**"]
    assert len(app.image) == 4


def test_every_control_changes_the_result(app):
    app.run()
    before = metrics(app)
    for change in (
        lambda: app.slider(key="samples").set_value(40),
        lambda: app.slider(key="pixels").set_value(50),
        lambda: app.slider(key="c").set_value(10),
        lambda: app.number_input(key="seed").set_value(5),
        lambda: app.select_slider(key="sigma").set_value(12),
    ):
        change().run()
        assert not app.exception
        assert metrics(app) != before
        before = metrics(app)


def test_nothing_damaged(app):
    app.run()
    app.slider(key="samples").set_value(0).run()
    assert not app.exception
    assert metrics(app)["Undamaged among the activated"] == "–"
    assert app.markdown[0].value.startswith("0 of these 400 faces are damaged.")


def test_damaged_faces_are_shown_first(app):
    app.run()
    app.slider(key="samples").set_value(1).run()
    assert not app.exception
    hit = occlude(np.zeros((400, 1024)), samples=0.01, random_state=0).samples
    assert app.image[1].proto.imgs[0].alt.startswith("Occluded: faces " + ", ".join(map(str, hit)) + ", ")


def test_collapse_notice(app):
    app.run()
    assert not app.warning
    app.slider(key="c").set_value(100).run()
    assert "fitted exactly" in app.warning[0].value


def test_link_restores_settings(app):
    app.query_params["c"] = "10"
    app.query_params["samples"] = "40"
    app.query_params["sigma"] = "2^12"
    app.run()
    assert (app.slider(key="c").value, app.slider(key="samples").value) == (10, 40)
    assert app.select_slider(key="sigma").value == 12


@pytest.mark.parametrize("value", ["999", "-1", "x", ""])
def test_bad_values_in_a_link_fall_back(app, value):
    for key in ("c", "samples", "pixels", "seed", "sigma"):
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert app.slider(key="c").value == 30
    assert app.select_slider(key="sigma").value == 0
