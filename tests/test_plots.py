"""Figures by their traces: every dot where it belongs, with its id."""

import numpy as np
import pytest

from epca.metrics import outlier_map
from epca.plots.samples import LOOKS, Samples, alpha_figure, alpha_pair_figure, embedding_figure, outlier_figure

ALPHA = np.array([0.0, 0.5, 0.2, 0.0, 0.3])
DAMAGED = np.array([True, False, True, False, False])
NAMES = [f"image {i}" for i in range(5)]
SAMPLES = Samples(ALPHA > 0, DAMAGED, NAMES, selected=(2,))
SCORES = np.random.default_rng(0).standard_normal((5, 3))
RESIDUALS = np.arange(1.0, 6.0)


def figures(samples=SAMPLES):
    distances = outlier_map(SCORES, RESIDUALS, np.full(5, 0.2))
    return [
        (alpha_figure(samples, ALPHA), lambda i: [1, 2, 3, 4, 5][[1, 4, 2, 0, 3].index(i)], lambda i: ALPHA[i]),
        (embedding_figure(samples, SCORES[:, :2]), lambda i: SCORES[i, 0], lambda i: SCORES[i, 1]),
        (outlier_figure(samples, distances), lambda i: distances.score_distance[i], lambda i: RESIDUALS[i]),
    ]


@pytest.mark.parametrize("which", range(3))
def test_every_dot_carries_its_own_id(which):
    figure, x, y = figures()[which]
    dots = figure.data[0]
    assert sorted(dots.customdata) == list(range(5))
    assert all(type(i) is int for i in dots.customdata)
    for position, i in enumerate(dots.customdata):
        assert dots.x[position] == pytest.approx(x(i))
        assert dots.y[position] == pytest.approx(y(i))
        assert dots.text[position] == NAMES[i]
        look = LOOKS[ALPHA[i] > 0, DAMAGED[i]]
        assert dots.marker.color[position] == look.colour
        assert dots.marker.symbol[position] == look.symbol


@pytest.mark.parametrize("which", range(3))
def test_the_selected_stand_out_and_the_others_stay(which):
    dots = figures()[which][0].data[0]
    for position, i in enumerate(dots.customdata):
        assert (dots.marker.size[position], dots.marker.opacity[position]) == ((14, 1.0) if i == 2 else (8, 0.25))
    plain = figures(SAMPLES._replace(selected=()))[which][0].data[0]
    assert set(plain.marker.opacity) == {1.0}


def test_looks_differ_in_shape_and_titles_name_the_axes():
    assert len({look.symbol for (_, is_damaged), look in LOOKS.items() if is_damaged is not None}) == 4
    assert LOOKS[True, None].symbol != LOOKS[False, None].symbol
    for figure, _, _ in figures():
        assert figure.layout.title.text
        assert figure.layout.xaxis.title.text
        assert figure.layout.yaxis.title.text
        assert [trace.name for trace in figure.data[1:]] == [
            "activated, undamaged", "activated, damaged", "inactive, undamaged", "inactive, damaged",
        ]  # fmt: skip


def test_an_unknown_truth_is_not_named():
    figure = figures(SAMPLES._replace(is_damaged=None))[0][0]
    assert [trace.name for trace in figure.data[1:]] == ["activated", "inactive"]


def test_two_fits_weights_beside_each_other():
    figure = alpha_pair_figure(ALPHA, np.array([1.0, 0.0]))
    assert [list(trace.y) for trace in figure.data] == [[0.5, 0.3, 0.2], [1.0]]
    assert len({trace.line.dash for trace in figure.data}) == len({trace.marker.symbol for trace in figure.data}) == 2


def test_outlier_map_names_its_quadrants_and_cut_offs():
    figure = figures()[2][0]
    assert {note.text for note in figure.layout.annotations} == {"regular", "good leverage", "orthogonal outlier", "bad leverage"}
    assert len(figure.layout.shapes) == 2
