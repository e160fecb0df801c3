"""Charts of samples: axes that there are, and quadrants named within them."""

import numpy as np
import pytest

from epca.metrics import OutlierMap
from epca.plots.samples import Samples, embedding_figure, outlier_figure


def test_one_component_has_no_second_coordinate_to_read():
    samples = Samples(None, None, [""] * 5)
    scores = np.random.default_rng(0).standard_normal((5, 3))
    figure = embedding_figure(samples, scores[:, :1])
    assert set(figure.data[0].y) == {0.0}
    assert figure.layout.yaxis.title.text == "2nd coordinate (c = 1: none)"
    assert figure.layout.yaxis.showticklabels is False
    assert embedding_figure(samples, scores).layout.yaxis.showticklabels is None


def mapped(score_distance, orthogonal_distance):
    """The outlier map of samples at these distances, with both cut-offs at 3."""
    n = len(score_distance)
    distances = OutlierMap(np.array(score_distance), np.array(orthogonal_distance), 3.0, 3.0)
    return outlier_figure(Samples(None, None, [""] * n), distances)


def test_outlier_map_names_its_quadrants_within_them():
    figure = mapped([0, 6], [0, 6])
    names = {(note.x, note.y): note.text for note in figure.layout.annotations}
    assert names == {
        (0, 0): "regular",
        (1, 0): "good leverage",
        (0, 1): "orthogonal<br>outlier",
        (1, 1): "bad leverage",
    }
    assert len(figure.layout.shapes) == 2
    assert {note.font.size for note in figure.layout.annotations} == {None}  # the chart's own
    for note in figure.layout.annotations:
        assert (note.xanchor == "right", note.yanchor == "top") == (note.x == 1, note.y == 1)


@pytest.mark.parametrize(
    ("score_distance", "orthogonal_distance", "names"),
    [
        ([0, 2], [0, 2], {"regular"}),  # the cut-offs are beyond all samples
        ([2.9, 9], [0, 6], {"good leverage", "bad leverage"}),
        ([0, 6], [2.9, 9], {"orthogonal<br>outlier", "bad leverage"}),
        (
            [3, 3],
            [3, 3],
            {"regular", "good leverage", "orthogonal<br>outlier", "bad leverage"},
        ),
    ],
)
def test_a_quadrant_too_small_for_its_name_has_none(score_distance, orthogonal_distance, names):
    figure = mapped(score_distance, orthogonal_distance)
    assert {note.text for note in figure.layout.annotations} == names
    for axis, values in [("xaxis", score_distance), ("yaxis", orthogonal_distance)]:
        low, high = figure.layout[axis].range
        assert low < min(*values, 3) <= max(*values, 3) < high
