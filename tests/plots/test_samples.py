"""Charts of samples: every dot where it belongs, with its id."""

import numpy as np
import pytest

from epca.metrics import outlier_map
from epca.plots.samples import (
    LOOKS,
    Samples,
    alpha_pair_figure,
    embedding_figure,
    outlier_figure,
)

ALPHA = np.array([0.0, 0.5, 0.2, 0.0, 0.3])
OCCLUDED = np.array([True, False, True, False, False])
NAMES = [f"image {i}" for i in range(5)]
SAMPLES = Samples(ALPHA > 0, OCCLUDED, NAMES, selected=(2,))
SCORES = np.random.default_rng(0).standard_normal((5, 3))
RESIDUALS = np.arange(1.0, 6.0)


def figures(samples=SAMPLES):
    """(figure, x of each sample, y of each sample)."""
    distances = outlier_map(SCORES, RESIDUALS, np.full(5, 0.2))
    return [
        (embedding_figure(samples, SCORES[:, :2]), SCORES[:, 0], SCORES[:, 1]),
        (outlier_figure(samples, distances), distances.score_distance, RESIDUALS),
    ]


@pytest.mark.parametrize("which", range(2))
def test_every_dot_carries_its_own_id(which):
    figure, x, y = figures()[which]
    dots = figure.data[0]
    assert sorted(dots.customdata) == list(range(5))
    assert all(type(i) is int for i in dots.customdata)
    for position, i in enumerate(dots.customdata):
        assert dots.x[position] == pytest.approx(x[i])
        assert dots.y[position] == pytest.approx(y[i])
        assert dots.text[position] == NAMES[i]
        look = LOOKS[ALPHA[i] > 0, OCCLUDED[i]]
        assert dots.marker.color[position] == look.colour
        assert dots.marker.symbol[position] == look.symbol


@pytest.mark.parametrize("which", range(2))
def test_the_selected_stand_out_and_the_others_stay(which):
    dots = figures()[which][0].data[0]
    for position, i in enumerate(dots.customdata):
        expected = {2: (14, 1.0), 1: (9, 0.7), 4: (9, 0.7)}.get(i, (8, 0.35))
        assert (dots.marker.size[position], dots.marker.opacity[position]) == expected
    plain = figures(SAMPLES._replace(selected=()))[which][0].data[0]
    assert set(plain.marker.opacity) == {1.0}


def test_a_ring_marks_each_of_the_selected_and_lets_clicks_through():
    figure = figures()[0][0]
    ring = figure.data[-1]
    assert (list(ring.x), list(ring.y)) == ([SCORES[2, 0]], [SCORES[2, 1]])
    assert ring.hoverinfo == "skip"
    assert ring.customdata is None
    assert not figures(SAMPLES._replace(selected=()))[0][0].data[-1].x


@pytest.mark.parametrize("n", [30, 400, 3000, 5000])
@pytest.mark.parametrize("k", [2, 40, 200])
def test_the_activated_lie_over_the_others_and_the_selected_over_all(n, k):
    if k > n:
        pytest.skip("more activated than there are")
    generator = np.random.default_rng(0)
    is_activated = np.zeros(n, bool)
    is_activated[generator.permutation(n)[:k]] = True
    selected = tuple(np.flatnonzero(~is_activated)[:3].tolist())
    samples = Samples(is_activated, is_activated, [""] * n, selected)
    dots = embedding_figure(samples, generator.standard_normal((n, 2))).data[0]
    assert set(dots.customdata) >= {*np.flatnonzero(is_activated), *selected}
    assert len(set(dots.customdata)) == len(dots.customdata)
    assert set(dots.customdata[-len(selected) :]) == set(selected)
    under = dots.customdata[: -k - len(selected)]
    assert not is_activated[list(under)].any()
    sizes = dict(zip(dots.customdata, dots.marker.size, strict=True))
    small = {sizes[i] for i in under} or {4}
    assert max(small) <= 8
    assert (max(small) < 5) == (n >= 3000)
    assert all(sizes[i] == 9 for i in np.flatnonzero(is_activated))


def test_of_very_many_dots_only_those_on_others_of_their_kind_are_left_out():
    n = 20_000
    generator = np.random.default_rng(0)
    places = generator.standard_normal((n, 2))
    places[7] = (9, 9)  # far from all others
    is_occluded = generator.random(n) < 0.2
    samples = Samples(np.arange(n) < 5, is_occluded, [""] * n, selected=(9,))
    figure = embedding_figure(samples, places)
    drawn = np.array(figure.data[0].customdata)
    assert len(drawn) < 1500
    assert {0, 1, 2, 3, 4, 7, 9} <= set(drawn)
    for kind in (True, False):
        alike = drawn[is_occluded[drawn] == kind]
        for i in np.flatnonzero(is_occluded == kind)[:300]:
            nearest = np.abs(places[alike] - places[i]).max(axis=1).min()
            assert nearest < np.ptp(places, axis=0).max() / 32
    note = f"({len(drawn):,} of 20,000 images drawn)"
    assert figure.layout.xaxis.title.text == f"1st coordinate {note}"


def test_up_to_1500_dots_are_all_drawn():
    samples = Samples(None, None, [""] * 1500)
    figure = embedding_figure(samples, np.zeros((1500, 2)))
    assert sorted(figure.data[0].customdata) == list(range(1500))
    assert figure.layout.xaxis.title.text == "1st coordinate"


def test_looks_differ_in_shape_and_titles_name_the_axes():
    both = (False, True)
    assert len({LOOKS[activated, occluded].symbol for activated in both for occluded in both}) == 4
    assert LOOKS[True, None].symbol != LOOKS[False, None].symbol
    assert LOOKS[None, True].symbol != LOOKS[None, False].symbol
    for figure, _, _ in figures():
        assert figure.layout.title.text
        assert figure.layout.xaxis.title.text
        assert figure.layout.yaxis.title.text
        assert [trace.name for trace in figure.data[1:-1]] == [
            "activated, clean",
            "activated, occluded",
            "not activated, clean",
            "not activated, occluded",
        ]


def test_an_unknown_truth_is_not_named():
    figure = figures(SAMPLES._replace(is_occluded=None))[0][0]
    assert [trace.name for trace in figure.data[1:-1]] == ["activated", "not activated"]


def test_two_fits_weights_beside_each_other():
    figure = alpha_pair_figure(ALPHA, np.array([1.0, 0.0]))
    assert [trace.name for trace in figure.data] == ["A, pinned", "B, now"]
    assert [list(trace.y) for trace in figure.data] == [[0.5, 0.3, 0.2], [1.0]]
    assert len({trace.line.dash for trace in figure.data}) == 2
    assert len({trace.marker.symbol for trace in figure.data}) == 2
