"""The framework's plane as a chart that a report carries."""

import numpy as np
import pytest

from epca.data.clouds import LIMITS, draw_cloud
from epca.views import framework


@pytest.fixture
def points():
    return draw_cloud("one far outlier", 0)


@pytest.mark.parametrize("learner", framework.LEARNERS)
def test_the_plane_has_every_line_and_fills_the_activated(points, learner):
    learned = framework.learn(points, learner, 1.0, 1.0)
    plane, *_ = framework.figures(points, learned, 1.0)
    *lines, dots = plane.data
    assert [line.name for line in lines] == list(framework.LEARNERS[learner].methods)
    for line in lines:
        mean, direction = learned.lines[line.name]
        ends = np.column_stack([line.x, line.y]) - mean
        across = ends @ np.array([-direction[1], direction[0]])
        np.testing.assert_allclose(across, 0, atol=1e-9)
        assert np.ptp(ends @ direction) > 2 * np.hypot(*LIMITS)
    np.testing.assert_array_equal(np.column_stack([dots.x, dots.y]), points)
    filled = np.array(dots.marker.symbol) == "circle"
    np.testing.assert_array_equal(filled, learned.activation.weights > 0)
    assert np.argmax(dots.marker.size) == np.argmax(learned.activation.weights)


def test_water_is_drawn_where_there_is_a_level(points):
    counts = [
        len(framework.figures(points, framework.learn(points, "subspace", 1.0, gamma), gamma))
        for gamma in (1.0, 2.0)
    ]
    assert counts == [4, 3]
