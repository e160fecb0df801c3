"""Figures by their traces: curves, frames, maps, and the looks of methods."""

import numpy as np

from epca.plots import methods
from epca.plots import tune as plots
from epca.plots.framework import minima_figure
from epca.plots.methods import sorted_figure
from epca.registry import METHODS, PAPER_METHODS


def test_frames_carry_the_weights_of_every_step_and_stay_small():
    generator = np.random.default_rng(0)
    alphas = [np.where(generator.random(2000) < 0.9, generator.random(2000), 0) for _ in range(41)]
    is_occluded = generator.random(2000) < 0.2
    steps = [plots.Step(f"2^{i}", f"step {i}", alpha) for i, alpha in enumerate(alphas)]
    figure = plots.live_figure(steps, 3, is_occluded)
    assert len(figure.to_json()) < 1_000_000
    assert [frame.name for frame in figure.frames] == [step.name for step in steps]
    for frame, alpha in zip(figure.frames, alphas, strict=True):
        top = np.argsort(-alpha, kind="stable")[: plots.MOST_WEIGHTS]
        for trace, occluded in zip(frame.data, (False, True), strict=True):
            ranks = np.flatnonzero(is_occluded[top] == occluded)
            assert list(trace.x) == (ranks + 1).tolist()
            assert list(trace.customdata) == top[ranks].tolist()
            np.testing.assert_allclose(trace.y, alpha[top[ranks]], rtol=1e-3)
    assert figure.layout.title.text == "step 3"
    assert [step.args[0] for step in figure.layout.sliders[0].steps] == [
        (step.name,) for step in steps
    ]


def test_curves_tell_state_and_place_without_colour():
    panels = [
        plots.Panel("a", np.array([1.0, np.nan, 3.0])),
        plots.Panel("b", np.arange(3.0), level=("PCA", 2.0)),
    ]
    marks = [plots.Mark(1, "now", plots.NOW, "solid"), plots.Mark(2, "best", plots.BEST, "dot")]
    states = ["", "collapsed", "not converged"]
    axis = plots.Axis("x", np.arange(3), ["first", "second", "third"])
    figure = plots.curves_figure(
        "t", axis, panels, choices=[[0, 5], [1, 5], [2, 5]], marks=marks, states=states
    )
    assert list(figure.data[0].text) == ["first", "second, collapsed", "third, not converged"]
    assert figure.layout.legend.font.size >= 12
    assert list(figure.data[0].marker.symbol) == ["circle", "x", "circle-open"]
    assert [trace.name for trace in figure.data if trace.name][:3] == ["PCA", "now", "best"]
    assert {trace.name for trace in figure.data if trace.name} == {
        "PCA",
        "now",
        "best",
        "collapsed",
        "not converged",
    }
    assert len({shape.line.dash for shape in figure.layout.shapes if shape.x0 in (1, 2)}) == 2
    assert [figure.data[0].customdata[i] for i in range(3)] == [[0, 5], [1, 5], [2, 5]]


def test_a_line_over_many_samples_has_its_ends_and_a_thousand_points():
    heights = np.random.default_rng(0).permutation(5000).astype(float)
    (line,) = sorted_figure({"EPCA": heights}, "title", "error").data
    assert len(line.x) == 1000
    assert (line.x[0], line.x[-1], line.y[0], line.y[-1]) == (1, 5000, 0, 4999)
    assert list(line.y) == [x - 1 for x in line.x]


def test_sorted_values_are_ranked_from_one():
    figure = sorted_figure({"EPCA": [0.3, 0.1, 0.2], "PCA": [2.0, 1.0]}, "t", "y")
    assert [trace.name for trace in figure.data] == ["EPCA", "PCA"]
    assert [trace.x for trace in figure.data] == [(1, 2, 3), (1, 2)]
    assert [trace.y for trace in figure.data] == [(0.1, 0.2, 0.3), (1.0, 2.0)]


def test_the_star_marks_the_smallest_local_minimum():
    (trace,) = minima_figure([2, 3, 4], [7.0, 5.0, 6.0], best=1).data
    assert (trace.x, trace.y) == ((2, 3, 4), (7.0, 5.0, 6.0))
    assert trace.marker.symbol == ("circle-open", "star", "circle-open")


def test_the_map_is_a_heat_map_with_a_place_to_click_in_every_cell():
    cells = [
        plots.Cell(-2, 10, 1.0, False, "a"),
        plots.Cell(-2, 5, 2.0, True, "b"),
        plots.Cell(4, 10, 3.0, False, "c"),
    ]
    ticks = {-2: "2⁻²", 4: "2⁴"}
    figure = plots.map_figure("error", cells, now=(4, 10), ticks=ticks)
    heat, dots = figure.data
    assert heat.type == "heatmap"
    assert heat.x == (-2, 4)
    assert [list(row) for row in heat.z] == [[2.0, None], [1.0, 3.0]]  # c = 5, then c = 10
    assert heat.hoverinfo == "skip"  # else it takes the click
    assert [list(choice) for choice in dots.customdata] == [[-2, 10], [-2, 5], [4, 10]]
    assert (dots.x, dots.y) == ((-2, -2, 4), (1, 0, 1))
    assert dots.marker.color == "rgba(0, 0, 0, 0)"
    assert dots.text == ("", "✕", "")
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (1.0, 7.0, 0.5, 1.5)
    assert figure.layout.xaxis.title.text == "σ"
    assert figure.layout.xaxis.ticktext == ("2⁻²", "2⁴")
    assert figure.layout.yaxis.title.text == "rank c"
    assert figure.layout.yaxis.ticktext == ("5", "10")
    assert not plots.map_figure("error", cells, now=(0, 10), ticks=ticks).layout.shapes
    (alone,) = plots.map_figure("error", cells[2:], now=(4, 10), ticks=ticks).layout.shapes
    assert alone.x0 < 4 < alone.x1


def test_every_method_has_a_look_of_its_own():
    assert set(methods.LOOKS) <= set(METHODS)
    assert len({methods.colour(label) for label in PAPER_METHODS}) == len(PAPER_METHODS)
    found = [*methods.LOOKS.values(), *methods.OTHERS]
    assert len({(shade, dash) for shade, dash, _ in found}) == len(found)
    assert len({symbol for *_, symbol in found}) == len(found)


def test_a_method_without_a_row_has_a_look_that_no_other_has():
    own = methods.look("Tenth")
    assert own == methods.look("Tenth")
    assert own not in [methods.look(label) for label in methods.LOOKS]
    assert own["line"]["color"] == methods.colour("Tenth")
    names = map(str, range(100))
    shades = {methods.look(name)["marker"]["symbol"] for name in names}
    assert len(shades) == len(methods.OTHERS)  # so that two new ones hardly look alike
