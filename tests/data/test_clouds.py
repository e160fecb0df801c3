"""Clouds of points in the plane: links restore them, bad ones are refused, presets are seeded."""

import re

import numpy as np
import pytest
from hypothesis import given

from epca.data.clouds import MOST, PRESETS, check_cloud, decode_cloud, draw_cloud, encode_cloud
from tests.drawn import plane_clouds


@given(plane_clouds)
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
        (
            [[0, 0], [1, 0], [1, float("nan")]],
            "Point 3 is at 1, nan; x must be within ±6 and y within ±4.",
        ),
        (
            [[0, 0], [1, float("inf")], [1, 1]],
            "Point 2 is at 1, inf; x must be within ±6 and y within ±4.",
        ),
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
