"""The page Framework: its lines are the library's, its pictures tell Eqs. 11–12, its clouds bear anything."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.linear_model import LinearRegression
from streamlit.testing.v1 import AppTest

from epca import EPCA, METHODS
from epca.activation import activate, local_minima
from epca.data.clouds import DIRECTION, LIMITS, MOST, PRESETS, check_cloud, decode_cloud, draw_cloud, encode_cloud
from epca.plots.framework import ACTIVATED, bars_figure, line_look, minima_figure, pair_figure, waterfill_figure
from epca.regression import CoRobustRegressor
from epca.ui import waterfill
from epca.ui.framework import LEARNERS, describe, learn, script, sentence
from tests.test_activation import objective
from tests.test_downloads import execute

APP = str(Path(__file__).resolve().parents[1] / "app.py")
losses_strategy = arrays(
    float, st.integers(2, 20), elements=st.floats(-6, 6).map(lambda exponent: 10.0**exponent), fill=st.nothing()
)
places = st.tuples(*(st.integers(round(-100 * limit), round(100 * limit)).map(lambda value: value / 100) for limit in LIMITS))
clouds = st.lists(places, min_size=3, max_size=MOST).map(np.array)
needs_no_rest = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # the page says it


@pytest.fixture
def app():
    """The page, opened."""
    test = AppTest.from_file(APP, default_timeout=60)
    test.switch_page("pages/framework.py")
    return test


def link(**parameters):
    test = AppTest.from_file(APP, default_timeout=60)
    test.query_params.update(parameters)
    return test.switch_page("pages/framework.py").run()


def spoken(app):
    return next(markdown.value for markdown in app.main.markdown if "points activated" in markdown.value)


@given(losses_strategy)
@example(np.arange(1.0, 8) ** 2)  # the third root lies on the level
@example(np.ones(5))
def test_the_waterfilling_picture_has_the_k_of_activate(losses):
    """k bars stand in the water, which is √λ high in all; the level of j samples lies above the j-th bar for j ≤ k alone."""
    result = activate(losses)
    level = result.multiplier**0.5
    figure = waterfill_figure(losses, result.weights, level)
    ground, water, levels = figure.data
    roots, depths = np.array(ground.y), np.array(water.y)
    assert f"{result.n_activated} of {len(losses)} below" in figure.layout.title.text
    assert [note.text for note in figure.layout.annotations] == [f"k = {result.n_activated}"]
    assert list(ground.marker.color).count(ACTIVATED) == list(ground.marker.pattern.shape).count("") == result.n_activated
    slack = 1e-9 * roots[-1]
    assert np.count_nonzero(roots < level - slack) <= result.n_activated <= np.count_nonzero(roots <= level + slack)
    assert depths.sum() == pytest.approx(level)
    order = [int(name) - 1 for name in ground.customdata]
    np.testing.assert_allclose(depths / level, result.weights[order], atol=1e-9)
    above = [j for j, candidate in zip(levels.x, levels.y, strict=True) if candidate > roots[j - 1] + slack]
    assert all(j <= result.n_activated for j in above)
    assert all(levels.y[j - 2] >= roots[j - 1] - slack for j in range(2, result.n_activated + 1))
    assert figure.layout.shapes[0].y0 == level


def test_the_lines_are_those_of_the_estimators():
    points = draw_cloud("a cluster of outliers", 3)
    learned = learn(points, "subspace", 0.25, 1.0)
    assert list(learned.lines) == list(LEARNERS["subspace"])
    for label, (mean, direction) in learned.lines.items():
        model = METHODS[label](1, **({"sigma": 0.25} if label == "EPCA" else {})).fit(points)
        np.testing.assert_allclose(mean, model.mean_)
        np.testing.assert_allclose(direction, model.components_[0])
    learned = learn(points, "regression", 0.25, 2.0)
    plain, robust = LinearRegression().fit(points[:, :1], points[:, 1]), CoRobustRegressor(sigma=0.25, gamma=2.0)
    robust.fit(points[:, :1], points[:, 1])
    for (mean, direction), model in zip(learned.lines.values(), (plain, robust), strict=True):
        assert direction[1] / direction[0] == pytest.approx(model.coef_[0])
        assert mean[1] == pytest.approx(model.intercept_)
    np.testing.assert_allclose(learned.activation.weights, robust.alpha_, atol=1e-9)


@needs_no_rest
@settings(deadline=None, max_examples=60)
@given(points=clouds, exponent=st.sampled_from([-6, 0, 6]), gamma=st.sampled_from([1.0, 1.5, 5.0]))
@example(points=np.zeros((3, 2)), exponent=-6, gamma=1.0)
@example(points=np.array([[0.0, 0], [1, 1], [2, 2]]), exponent=0, gamma=1.0)
@example(points=np.array([[1.0, -4], [1, 0], [1, 4], [1, 2]]), exponent=-6, gamma=1.5)
@example(points=np.array([[0.0, 0]] * 59 + [[6.0, 4.0]]), exponent=-6, gamma=5.0)
def test_any_cloud_can_be_learned_from(points, exponent, gamma):
    """Collinear, coinciding, far: finite lines, weights on the simplex, EPCA's own α, a picture and a sentence."""
    for learner in LEARNERS:
        learned = learn(points, learner, 2.0**exponent, gamma)
        for line in learned.lines.values():
            assert np.isfinite(line).all()
            assert np.hypot(*line[1]) == pytest.approx(1)
            assert describe(line, learner)
        assert learned.activation.weights.sum() == pytest.approx(1)
        if learned.is_exact:
            assert sentence(learned).startswith(f"The line passes through every point: all {len(points)} are activated alike")
            np.testing.assert_allclose(learned.activation.weights, 1 / len(points), atol=0.5 / len(points))
        else:
            assert sentence(learned).startswith(f"{learned.activation.n_activated} of {len(points)} points activated")
        if gamma == 1:
            waterfill_figure(learned.losses, learned.activation.weights, learned.activation.multiplier**0.5)
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
        lines = [learn(draw_cloud(preset, seed), "subspace", 0.125, 1.0).lines for seed in range(10)]
        off = {label: np.median([np.arccos(abs(DIRECTION @ line[label][1])) for line in lines]) for label in ("PCA", "EPCA")}
        assert off["EPCA"] < 0.5 * off["PCA"]


@pytest.mark.parametrize("points", [np.zeros((3, 2)), np.array([[0.0, 0], [1, 1], [2, 2], [3, 3]])])
def test_a_line_through_every_point_is_said(points):
    for learner in LEARNERS:
        learned = learn(points, learner, 1.0, 1.0)
        assert learned.is_exact
        np.testing.assert_allclose(learned.activation.weights, 1 / len(points), rtol=1e-6)
    assert not learn(draw_cloud("clean"), "subspace", 1.0, 1.0).is_exact


def test_descriptions():
    assert describe((np.zeros(2), DIRECTION), "subspace") == "26.6°, 0.0° off the preset's"
    assert describe((np.zeros(2), -DIRECTION), "subspace") == "26.6°, 0.0° off the preset's"
    assert describe((np.array([0.0, -1.0]), np.array([1.0, 2.0]) / 5**0.5), "regression") == "y = 2.00 x − 1.00"


@given(clouds)
def test_a_link_restores_the_points(points):
    np.testing.assert_array_equal(decode_cloud(encode_cloud(points)), points)
    assert re.fullmatch(r"[-\d._]*", encode_cloud(points))
    assert len(encode_cloud(points)) <= 10 * MOST


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[0, 0], [1, 1]], "A cloud of 2 points was asked for; it must have 3 to 60."),
        ([[0, 0]] * 61, "A cloud of 61 points was asked for; it must have 3 to 60."),
        ([[0, 0], [7, 0], [1, 1]], "Point 2 is at 7, 0; x must be within ±6 and y within ±4."),
        ([[0, 0], [1, 0], [1, float("nan")]], "Point 3 is at 1, nan; x must be within ±6 and y within ±4."),
        ([[0, 0], [1, float("inf")], [1, 1]], "Point 2 is at 1, inf; x must be within ±6 and y within ±4."),
        ([[0, 0], [1], [1, 1]], "Points must be pairs of numbers x, y."),
        ([1, 2, 3], "Points must be pairs of numbers x, y."),
        ("what", "Points must be pairs of numbers x, y."),
        (None, "Points must be pairs of numbers x, y."),
    ],
)
def test_bad_points_are_refused_in_one_sentence(values, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_cloud(values)


def test_presets_are_seeded_and_stay_in_the_plane():
    for preset in PRESETS:
        for seed in range(20):
            points = draw_cloud(preset, seed)
            np.testing.assert_array_equal(check_cloud(points), points)
            np.testing.assert_array_equal(draw_cloud(preset, seed), points)
        assert not np.array_equal(draw_cloud(preset, 0), draw_cloud(preset, 1))
    with pytest.raises(ValueError, match="preset='x' must be one of clean, one far outlier"):
        draw_cloud("x")


def test_figures_by_their_traces():
    weights = np.array([0.0, 0.25, 0.75])
    figure = bars_figure(np.array([5.0, 2.0, 1.0]), weights, "Loss", "h")
    assert [(trace.name, list(trace.x), list(trace.y)) for trace in figure.data] == [
        ("activated", [2, 3], [2.0, 1.0]), ("inactive", [1], [5.0]),
    ]  # fmt: skip
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 2
    assert bars_figure(weights, weights, "w", "w", is_log=True).layout.yaxis.type == "log"
    minima = minima_figure([2, 3, 4], [11.0, 10.0, 12.0], 1)
    assert list(minima.data[0].marker.symbol) == ["circle-open", "star", "circle-open"]
    assert list(minima.data[0].y) == [11.0, 10.0, 12.0]
    assert [list(trace.y) for trace in pair_figure(weights, weights[::-1]).data] == [[0, 0.25, 0.75], [0.75, 0.25, 0]]


def test_lines_of_a_learner_differ_in_colour_and_dash():
    for labels in LEARNERS.values():
        assert len({line_look(label).colour for label in labels}) == len({line_look(label).dash for label in labels}) == len(labels)


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


@given(losses_strategy.filter(lambda losses: len(losses) <= waterfill.MOST))
def test_losses_are_read_as_written(losses):
    for separator in (", ", " ", ";", ",\n"):
        np.testing.assert_array_equal(waterfill.parse(separator.join(map(repr, losses.tolist()))), losses)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "“” is not a number; write losses such as 2, 2.3"),
        ("1, two", "“two” is not a number"),
        ("1", "The number of losses is 1 and must be between 2 and 12"),
        ("1 " * 13, "The number of losses is 13"),
        ("1, 0", "The loss 0 must be between 1e-06 and 1e+06."),
        ("1, nan", "The loss nan must be"),
        ("1, -2", "The loss -2 must be"),
        ("1, inf", "The loss inf must be"),
    ],
)
def test_bad_losses_are_refused_in_one_sentence(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        waterfill.parse(text)


@given(losses=st.lists(st.sampled_from([1.0, 1.0, 2.0, 3.0]), min_size=2, max_size=6).map(np.array), gamma=st.floats(0.2, 0.95))
def test_swapped_weights_are_as_good(losses, gamma):
    """And they are others exactly where the page says that there are several."""
    result = activate(losses, gamma)
    other = waterfill.swapped(losses, result.weights)
    assert objective(losses, other, gamma) == pytest.approx(result.objective, rel=1e-9)
    text = waterfill.explain(losses, gamma, result, local_minima(losses, gamma))
    assert ("different weights reach it" in text) == (not np.allclose(other, result.weights, atol=1e-9))


def test_page_at_its_defaults(app):
    app.run()
    assert not app.exception
    learned = learn(draw_cloud("one far outlier"), "subspace", 0.125, 1.0)
    assert spoken(app) == f"**{sentence(learned)}**"
    assert len(app.get("plotly_chart")) == 5
    assert any("nearly always 2 or 3" in markdown.value for markdown in app.markdown)


def test_every_control_changes_what_is_shown(app):
    app.run()
    before = spoken(app)
    for change in (
        lambda: app.selectbox(key="cloud").set_value("a cluster of outliers"),
        lambda: app.number_input(key="cloud_seed").set_value(5),
        lambda: app.select_slider(key="sigma_2d").set_value(4),
        lambda: app.slider(key="gamma").set_value(3.0),
        lambda: app.button_group(key="learner").set_value("regression"),
    ):
        change().run()
        assert not app.exception
        assert spoken(app) != before
        before = spoken(app)
    assert "every point is activated" in app.info[0].value


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()


def test_points_are_added_moved_and_removed_by_the_controls(app):
    app.run()
    points = draw_cloud("one far outlier").tolist()
    app.number_input(key="point_x").set_value(4.5).run()
    app.number_input(key="point_y").set_value(-3.0).run()
    press(app, "Add x, y")
    assert app.session_state["_points"].tolist() == [*points, [4.5, -3.0]]
    app.number_input(key="point").set_value(2).run()
    press(app, "Move point to x, y")
    assert app.session_state["_points"].tolist() == [points[0], [4.5, -3.0], *points[2:], [4.5, -3.0]]
    press(app, "Remove point")
    assert app.session_state["_points"].tolist() == [points[0], *points[2:], [4.5, -3.0]]
    assert "of 21 points" in spoken(app)
    app.number_input(key="point").set_value(22).run()
    press(app, "Remove point")
    assert app.error[0].value == "There is no point 22; they are numbered from 1 to 21."
    app.selectbox(key="cloud").set_value("clean").run()
    assert "of 20 points" in spoken(app)
    assert not app.error


def test_a_link_restores_the_view():
    points = np.array([[0.0, 0.0], [1.0, 0.5], [2.0, 1.01], [-3.0, 3.0]])
    app = link(points=encode_cloud(points), learner="regression", sigma_2d="2^2", gamma="2.0", losses="1, 1, 1", gamma_losses="0.5")
    assert not app.exception
    assert not app.main.warning
    assert spoken(app).startswith(f"**{sentence(learn(points, 'regression', 4.0, 2.0))}")
    assert any(markdown.value.startswith("γ < 1") for markdown in app.markdown)


@pytest.mark.parametrize("text", ["x", "1.2", "0.0_1.1_99999.0", "0.0_1.1_1", "_", "1" * 5000])
def test_bad_points_in_a_link_are_said_once(text):
    app = link(points=text)
    assert not app.exception
    assert app.main.warning[0].value.startswith("The link's points cannot be shown: ")
    assert "of 21 points" in spoken(app)
    app.run()
    assert not app.main.warning


@pytest.mark.parametrize(
    ("losses", "gamma", "expected"),
    [
        ("1, 4, 9, 16", 1.0, "γ = 1: sparse and unique. 2 of 4 losses are activated; the objective is 34."),
        ("1, 4, 9, 16", 2.0, "γ > 1: dense and unique. All 4 losses are activated"),
        (", ".join("1" * 10), 0.5, "The smallest objective, 14, activates 4 of 10 losses. **210 different weights reach it**"),
        ("1, 2, 3", 0.5, "No equal losses can swap their weights here"),
    ],
)
def test_losses_of_ones_own(app, losses, gamma, expected):
    app.run()
    app.text_input(key="losses").set_value(losses).run()
    app.slider(key="gamma_losses").set_value(gamma).run()
    assert not app.exception
    assert any(expected in markdown.value for markdown in app.markdown)


def test_losses_that_cannot_be_read_are_said(app):
    app.run()
    app.text_input(key="losses").set_value("1, x").run()
    assert not app.exception
    assert app.error[0].value == "“x” is not a number; write losses such as 2, 2.3, 2.7, 3, 3.5, 4, 9."
