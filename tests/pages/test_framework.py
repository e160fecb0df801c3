"""The page Framework: its lines are the library's, its clouds bear anything, its controls work."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from epca import EPCA, METHODS
from epca.data.clouds import DIRECTION, PRESETS, draw_cloud, encode_cloud
from epca.plots.framework import (
    bars_figure,
    line_look,
    minima_figure,
    pair_figure,
    waterfill_figure,
)
from epca.regression import CoRobustRegressor
from epca.views import framework
from epca.views.framework import LEARNERS, describe, learn, script, sentence
from tests.drawn import plane_clouds
from tests.visit import execute, texts, visit

needs_no_rest = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning"
)  # the page says it


def spoken(app):
    return next(text for text in texts(app) if "points activated" in text)


def test_the_lines_are_those_of_the_estimators():
    points = draw_cloud("a cluster of outliers", 3)
    learned = learn(points, "subspace", 0.25, 1.0)
    assert list(learned.lines) == list(LEARNERS["subspace"].methods)
    for label, (mean, direction) in learned.lines.items():
        model = METHODS[label](1, **({"sigma": 0.25} if label == "EPCA" else {})).fit(points)
        np.testing.assert_allclose(mean, model.mean_)
        np.testing.assert_allclose(direction, model.components_[0])
    learned = learn(points, "regression", 0.25, 2.0)
    plain, robust = (
        LinearRegression().fit(points[:, :1], points[:, 1]),
        CoRobustRegressor(sigma=0.25, gamma=2.0),
    )
    robust.fit(points[:, :1], points[:, 1])
    for (mean, direction), model in zip(learned.lines.values(), (plain, robust), strict=True):
        assert direction[1] / direction[0] == pytest.approx(model.coef_[0])
        assert mean[1] == pytest.approx(model.intercept_)
    np.testing.assert_allclose(learned.activation.weights, robust.alpha_, atol=1e-9)


@pytest.mark.slow
@needs_no_rest
@given(
    points=plane_clouds,
    exponent=st.sampled_from([-6, 0, 6]),
    gamma=st.sampled_from([1.0, 1.5, 5.0]),
)
@example(points=np.zeros((3, 2)), exponent=-6, gamma=1.0)
@example(points=np.array([[0.0, 0], [1, 1], [2, 2]]), exponent=0, gamma=1.0)
@example(points=np.array([[1.0, -4], [1, 0], [1, 4], [1, 2]]), exponent=-6, gamma=1.5)
@example(points=np.array([[0.0, 0]] * 59 + [[6.0, 4.0]]), exponent=-6, gamma=5.0)
def test_any_cloud_can_be_learned_from(points, exponent, gamma):
    """Collinear, coinciding, far: finite lines, weights on the simplex, a picture, a sentence."""
    for learner in LEARNERS:
        learned = learn(points, learner, 2.0**exponent, gamma)
        for line in learned.lines.values():
            assert np.isfinite(line).all()
            assert np.hypot(*line[1]) == pytest.approx(1)
            assert describe(line, learner)
        assert learned.activation.weights.sum() == pytest.approx(1)
        if learned.is_exact:
            assert sentence(learned).startswith(
                f"The line passes through every point: all {len(points)} are activated alike"
            )
            np.testing.assert_allclose(
                learned.activation.weights, 1 / len(points), atol=0.5 / len(points)
            )
        else:
            assert sentence(learned).startswith(
                f"{learned.activation.n_activated} of {len(points)} points activated"
            )
        if gamma == 1:
            waterfill_figure(
                learned.losses, learned.activation.weights, learned.activation.multiplier**0.5
            )
    model = EPCA(1, sigma=2.0**exponent, gamma=gamma).fit(points)
    again = learn(points, "subspace", 2.0**exponent, gamma)
    assert again.activation.objective == pytest.approx(model.objective_history_[-1], rel=1e-6)


def test_two_dimensions_nearly_always_activate_two_or_three():
    """What the page says, over all presets, ten seeds, σ from 2^-6 to 2^6."""
    counts = [
        learn(draw_cloud(preset, seed), "subspace", 2.0**exponent, 1.0).activation.n_activated
        for preset, seed, exponent in product(PRESETS, range(10), range(-6, 7, 3))
    ]
    assert min(counts) == 2
    assert np.mean(np.array(counts) <= 3) > 0.9


def test_outliers_tilt_pca_more_than_epca():
    """In the median over seeds; single clouds may differ."""
    for preset in ("one far outlier", "a cluster of outliers"):
        lines = [
            learn(draw_cloud(preset, seed), "subspace", 0.125, 1.0).lines for seed in range(10)
        ]
        off = {
            label: np.median([np.arccos(abs(DIRECTION @ line[label][1])) for line in lines])
            for label in ("PCA", "EPCA")
        }
        assert off["EPCA"] < 0.5 * off["PCA"]


@pytest.mark.parametrize("points", [np.zeros((3, 2)), np.array([[0.0, 0], [1, 1], [2, 2], [3, 3]])])
def test_a_line_through_every_point_is_said(points):
    for learner in LEARNERS:
        learned = learn(points, learner, 1.0, 1.0)
        assert learned.is_exact
        np.testing.assert_allclose(learned.activation.weights, 1 / len(points), rtol=1e-6)
    assert not learn(draw_cloud("clean"), "subspace", 1.0, 1.0).is_exact


def test_descriptions():
    assert describe((np.zeros(2), DIRECTION), "subspace") == "26.6°, 0.0° off the cloud's"
    assert describe((np.zeros(2), -DIRECTION), "subspace") == "26.6°, 0.0° off the cloud's"
    assert (
        describe((np.array([0.0, -1.0]), np.array([1.0, 2.0]) / 5**0.5), "regression")
        == "y = 2.00 x − 1.00"
    )
    falling = np.array([1.0, -1.0]) / 2**0.5
    assert describe((np.array([0.0, 1.0]), falling), "regression") == "y = −1.00 x + 1.00"
    assert describe((np.zeros(2), -falling), "subspace") == "−45.0°, 71.6° off the cloud's"


def test_dots_and_lines_of_the_plane():
    learned = learn(draw_cloud("one far outlier"), "subspace", 0.125, 1.0)
    dots, weights = framework.dots(learned), learned.activation.weights
    assert [dot["activated"] for dot in dots] == (weights > 0).tolist()
    assert dots[20] == {"radius": 5, "activated": False, "text": ", α 0.000, not activated"}
    largest = dots[int(weights.argmax())]
    assert largest["radius"] == max(dot["radius"] for dot in dots)
    assert largest["text"] == f", α {weights.max():.3f}, activated"
    lines = framework.lines(learned, "subspace")
    assert [line["name"] for line in lines] == list(LEARNERS["subspace"].methods)
    mean, direction = learned.lines["EPCA"]
    assert lines[-1]["mean"] == mean.tolist()
    assert lines[-1]["direction"] == direction.tolist()
    assert lines[-1]["text"] == describe((mean, direction), "subspace")


def test_points_in_numbers():
    points = draw_cloud("one far outlier")
    learned = learn(points, "subspace", 0.125, 1.0)
    texts = framework.as_texts(framework.point_table(points, learned))
    assert list(texts.index) == [str(i) for i in range(1, 22)]
    assert texts.loc["21", ["x", "y", "alpha", "direct_weight"]].tolist() == ["−5", "3.8", "0", "1"]


def test_a_fit_that_does_not_come_to_rest_is_said():
    learned = learn(draw_cloud("clean"), "subspace", 0.125, 1.0)
    assert framework.summary(learned) == f"**{sentence(learned)}**"
    restless = framework.summary(learned._replace(has_converged=False))
    assert (
        restless == f"**{sentence(learned)}** The fit did not come to rest within its iterations."
    )


def test_large_direct_weights_get_a_log_axis():
    learned = learn(draw_cloud("one far outlier"), "subspace", 0.125, 1.0)
    assert learned.activation.direct_weights.max() > 20
    assert framework.direct_weight_figure(learned).layout.yaxis.type == "log"
    assert framework.loss_figure(learned).layout.yaxis.type is None
    even = learn(draw_cloud("clean"), "subspace", 0.125, 5.0)
    assert framework.direct_weight_figure(even).layout.yaxis.type is None


def test_figures_by_their_traces():
    weights = np.array([0.0, 0.25, 0.75])
    figure = bars_figure(np.array([5.0, 2.0, 1.0]), weights, "Loss", "h")
    assert [(trace.name, list(trace.x), list(trace.y)) for trace in figure.data] == [
        ("activated", [2, 3], [2.0, 1.0]), ("not activated", [1], [5.0]),
    ]  # fmt: skip
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 2
    assert bars_figure(weights, weights, "w", "w", is_log=True).layout.yaxis.type == "log"
    minima = minima_figure([2, 3, 4], [11.0, 10.0, 12.0], 1)
    assert list(minima.data[0].marker.symbol) == ["circle-open", "star", "circle-open"]
    assert list(minima.data[0].y) == [11.0, 10.0, 12.0]
    assert [list(trace.y) for trace in pair_figure(weights, weights[::-1]).data] == [
        [0, 0.25, 0.75],
        [0.75, 0.25, 0],
    ]


def test_lines_of_a_learner_differ_in_colour_and_dash():
    for _, labels in LEARNERS.values():
        assert (
            len({line_look(label).colour for label in labels})
            == len({line_look(label).dash for label in labels})
            == len(labels)
        )


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_scripts_print_the_lines(learner, tmp_path):
    points = draw_cloud("one far outlier", 2)
    printed = execute(script(points, learner, 0.25, 1.5), tmp_path)
    for label, (mean, direction) in learn(points, learner, 0.25, 1.5).lines.items():
        if learner == "subspace":
            assert f"{label} through {mean.round(4)} along {direction.round(4)}" in printed
        else:
            slope = direction[1:] / direction[0]
            assert f"{label} slope {slope.round(4)} intercept {round(float(mean[1]), 4)}" in printed


def test_page_at_its_defaults():
    app = visit("framework")
    assert not app.exception
    learned = learn(draw_cloud("one far outlier"), "subspace", 0.125, 1.0)
    assert spoken(app) == f"**{sentence(learned)}**"
    assert len(app.get("plotly_chart")) == 5
    assert any("nearly always 2 or 3" in markdown.value for markdown in app.markdown)


def test_every_control_changes_what_is_shown():
    app = visit("framework")
    before = spoken(app)
    for change in (
        lambda: app.selectbox(key="cloud_shown").set_value("a cluster of outliers"),
        lambda: app.number_input(key="cloud_seed").set_value(5),
        lambda: app.select_slider(key="sigma_2d_shown").set_value(4),
        lambda: app.slider(key="gamma").set_value(3.0),
        lambda: app.button_group(key="learner_shown").set_value("regression"),
    ):
        change().run()
        assert not app.exception
        assert spoken(app) != before
        before = spoken(app)
    assert "every point is activated" in app.info[0].value


def test_a_link_restores_the_view():
    points = np.array([[0.0, 0.0], [1.0, 0.5], [2.0, 1.01], [-3.0, 3.0]])
    app = visit(
        "framework",
        points=encode_cloud(points),
        learner="regression",
        sigma_2d="2^2",
        gamma="2.0",
        losses="1, 1, 1",
        gamma_losses="0.5",
    )
    assert not app.exception
    assert not app.main.warning
    assert spoken(app).startswith(f"**{sentence(learn(points, 'regression', 4.0, 2.0))}")
    assert any(markdown.value.startswith("γ < 1") for markdown in app.markdown)
