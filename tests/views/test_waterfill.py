"""Losses of one's own: read or refused, poured as Eqs. 11–12 say, swapped where as good."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from epca import nonconvex
from epca.activation import activate
from epca.plots.framework import ACTIVATED, waterfill_figure
from epca.views import waterfill
from tests import drawn
from tests.visit import visit
from tests.yardstick import objective


@given(drawn.losses(20, 6))
@example(np.arange(1.0, 8) ** 2)  # the third root lies on the level
@example(np.ones(5))
def test_the_waterfilling_picture_has_the_k_of_activate(losses):
    """k bars stand in the water, and the water in them adds up to √λ.

    The level of j samples lies above the j-th bar for j ≤ k alone.
    """
    result = activate(losses)
    level = result.multiplier**0.5
    figure = waterfill_figure(losses, result.weights, level)
    ground, water, levels = figure.data
    roots, depths = np.array(ground.y), np.array(water.y)
    assert f"{result.n_activated} of {len(losses)} below" in figure.layout.title.text
    assert [note.text for note in figure.layout.annotations] == [f"k = {result.n_activated}"]
    assert (
        list(ground.marker.color).count(ACTIVATED)
        == list(ground.marker.pattern.shape).count("")
        == result.n_activated
    )
    slack = 1e-9 * roots[-1]
    assert (
        np.count_nonzero(roots < level - slack)
        <= result.n_activated
        <= np.count_nonzero(roots <= level + slack)
    )
    assert depths.sum() == pytest.approx(level)
    order = [int(name) - 1 for name in ground.customdata]
    np.testing.assert_allclose(depths / level, result.weights[order], atol=1e-9)
    above = [
        j
        for j, candidate in zip(levels.x, levels.y, strict=True)
        if candidate > roots[j - 1] + slack
    ]
    assert all(j <= result.n_activated for j in above)
    assert all(levels.y[j - 2] >= roots[j - 1] - slack for j in range(2, result.n_activated + 1))
    assert figure.layout.shapes[0].y0 == level


@given(drawn.losses(waterfill.MOST, 6))
def test_losses_are_read_as_written(losses):
    for separator in (", ", " ", ";", ",\n"):
        np.testing.assert_array_equal(
            waterfill.parse(separator.join(map(repr, losses.tolist()))), losses
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The number of losses is 0 and must be between 2 and 12; put commas"),
        (" ; ", "The number of losses is 0 and must be"),
        ("1, two", "“two” is not a number"),
        ("1", "The number of losses is 1 and must be between 2 and 12"),
        ("1 " * 13, "The number of losses is 13"),
        ("1, 0", "The loss 0 must be between 0.000001 and 1,000,000."),
        ("1, nan", "The loss nan must be"),
        ("1, -2", "The loss -2 must be"),
        ("1, inf", "The loss inf must be"),
    ],
)
def test_bad_losses_are_refused_in_one_sentence(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        waterfill.parse(text)


@given(
    losses=st.lists(st.sampled_from([1.0, 1.0, 2.0, 3.0]), min_size=2, max_size=6).map(np.array),
    gamma=st.floats(0.2, 0.95),
)
def test_swapped_weights_are_as_good(losses, gamma):
    """And they are others exactly where the page says that there are several."""
    result = nonconvex.activate(losses, gamma)
    other = waterfill.swapped(losses, result.weights)
    assert objective(losses, other, gamma) == pytest.approx(result.objective, rel=1e-9)
    text = waterfill.explain(losses, gamma, result, nonconvex.local_minima(losses, gamma))
    assert ("different weights reach it" in text) == (
        not np.allclose(other, result.weights, atol=1e-9)
    )


@pytest.mark.parametrize(
    ("gamma", "keys"),
    [
        (0.5, ["losses_weights", "losses_minima"]),
        (1.0, ["losses_weights", "losses_water"]),
        (2.0, ["losses_weights"]),
    ],
)
def test_each_gamma_has_its_pictures(gamma, keys):
    losses = np.array([1.0, 1.0, 2.0, 3.0])
    activation, minima = waterfill.minimise(losses, gamma)
    assert activation.objective == min(minimum.objective for minimum in minima)
    assert len(minima) == 1 or gamma < 1
    figures = waterfill.figures(losses, gamma, activation, minima)
    assert list(figures) == keys
    is_unique = np.array_equal(waterfill.swapped(losses, activation.weights), activation.weights)
    titles = {True: "Weights of the losses", False: "Two weights, equally good"}
    assert figures["losses_weights"].layout.title.text == titles[is_unique]


@pytest.mark.parametrize(
    ("losses", "gamma", "expected"),
    [
        (
            "1, 4, 9, 16",
            1.0,
            "γ = 1: sparse and unique. 2 of 4 losses are activated; the objective is 34.",
        ),
        ("1, 4, 9, 16", 2.0, "γ > 1: dense and unique. All 4 losses are activated"),
        (
            ", ".join("1" * 10),
            0.5,
            "The smallest objective, 14, activates 4 of 10 losses. "
            "**210 different weights reach it**",
        ),
        ("1, 2, 3", 0.5, "No equal losses can swap their weights here"),
    ],
)
def test_losses_of_ones_own(losses, gamma, expected):
    app = visit("framework")
    app.text_input(key="losses").set_value(losses).run()
    app.slider(key="gamma_losses").set_value(gamma).run()
    assert not app.exception
    assert any(expected in markdown.value for markdown in app.markdown)


def test_losses_that_cannot_be_read_are_said():
    app = visit("framework")
    app.text_input(key="losses").set_value("1, x").run()
    assert not app.exception
    assert (
        app.error[0].value == "“x” is not a number; write losses such as 2, 2.3, 2.7, 3, 3.5, 4, 9."
    )
