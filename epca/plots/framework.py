"""The framework in pictures: water-filling (Eqs. 11–12), losses and weights, the minima of γ < 1."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from epca.palette import BLUE, GREY, VERMILION, WATER
from epca.plots.frame import LEGEND, MARGIN
from epca.plots.methods import LOOKS

ACTIVATED, INACTIVE, LEVEL = BLUE, GREY, VERMILION
HEIGHT = 360
DASHES = {
    "solid": "",
    "dot": "2 5",
    "dash": "8 5",
    "longdash": "14 6",
    "dashdot": "12 5 2 5",
}  # Plotly's names in SVG
LIKE = {
    "least squares": "PCA",
    "co-robust regression": "EPCA",
}  # learners of a line that look like their twins


class Line(NamedTuple):
    colour: str
    dash: str  # as in SVG


def line_look(label):
    """How a method's line is drawn in the plane: as in all charts."""
    colour, dash, _ = LOOKS[LIKE.get(label, label)]
    return Line(colour, DASHES[dash])


def waterfill_figure(losses, weights, level):
    """√f (n,) rising, filled up to the level √λ: the water over a bar is α√λ, all of it together √λ high (Eqs. 11–12).

    The open dots S_j/(j − 1) are the level if j samples were activated. They lie above the bars up to k and not after it.
    """
    order = np.argsort(losses, kind="stable")
    roots, k = np.sqrt(losses[order]), int(np.count_nonzero(weights))
    ranks = np.arange(1, len(roots) + 1)
    levels = np.cumsum(roots)[1:] / ranks[:-1]
    names = {
        "customdata": (order + 1).tolist(),
        "hovertemplate": "sample %{customdata}: %{y:.4g}<extra></extra>",
    }
    is_in = ranks <= k
    colours, shapes = (
        np.where(is_in, ACTIVATED, INACTIVE).tolist(),
        np.where(is_in, "", "/").tolist(),
    )
    water = (np.maximum(level - roots, 0) * is_in).tolist()
    circle = {"color": LEVEL, "symbol": "circle-open", "size": 8, "line": {"width": 2}}
    traces = [
        _bars(ranks, roots, "√f", colours, shapes) | names,
        _bars(ranks, water, "water, α√λ", WATER, "") | names,
        {
            "type": "scatter",
            "x": ranks[1:].tolist(),
            "y": levels.tolist(),
            "name": "S<sub>j</sub>/(j − 1)",
            "mode": "lines+markers",
            "marker": circle,
            "line": {"color": LEVEL, "width": 1, "dash": "dot"},
            "hovertemplate": "j = %{x}: %{y:.4g}<extra></extra>",
        },
    ]
    level_line = {
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": level,
        "y1": level,
        "line": {"color": LEVEL, "dash": "dash"},
    }
    k_line = {
        "x0": k + 0.5,
        "x1": k + 0.5,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": INACTIVE, "dash": "dot"},
    }
    k_text = {
        "x": k + 0.5,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "text": f"k = {k}",
        "showarrow": False,
    }
    top = (
        min(1.1 * max(roots[-1], levels.max()), 4 * level) or 1.0
    )  # the far ones may leave the picture
    layout = {"barmode": "stack", "shapes": [level_line, k_line], "annotations": [k_text]}
    axes = {"range": [0.4, len(roots) + 0.6]}, {"range": [0, top]}
    title = f"Water-filling: {k} of {len(roots)} below √λ = {level:.3g}"
    return _figure(traces, title, "rank by rising loss", "√f", *axes, **layout)


def bars_figure(values, weights, title, y_title, *, is_log=False):
    """A value (n,) per sample in their order; the activated filled, the others hatched."""
    looks = [("activated", weights > 0, ACTIVATED, ""), ("inactive", weights == 0, INACTIVE, "/")]
    numbers = np.arange(1, len(values) + 1)
    traces = [
        _bars(numbers[mask], values[mask], name, colour, shape)
        for name, mask, colour, shape in looks
        if mask.any()
    ]
    return _figure(
        traces, title, "sample", y_title, y_axis={"type": "log", "dtick": 1} if is_log else {}
    )


def pair_figure(first, second):
    """Two different weights (n,) that are equally good, side by side."""
    numbers = np.arange(1, len(first) + 1)
    traces = [
        _bars(numbers, first, "one minimiser", ACTIVATED, ""),
        _bars(numbers, second, "another", LEVEL, "/"),
    ]
    return _figure(traces, "Two weights, equally good", "sample", "w")


def minima_figure(counts, objectives, best):
    """Objective of the best local minimum with k activated samples, over k; `best` is the index of the smallest."""
    is_best = np.arange(len(counts)) == best
    marker = {
        "color": np.where(is_best, ACTIVATED, LEVEL).tolist(),
        "symbol": np.where(is_best, "star", "circle-open").tolist(),
        "size": 12,
        "line": {"width": 2},
    }
    trace = {
        "type": "scatter", "x": list(counts), "y": list(objectives), "mode": "lines+markers", "showlegend": False, "marker": marker,
        "line": {"color": INACTIVE, "width": 1, "dash": "dot"}, "hovertemplate": "k = %{x}: %{y:.6g}<extra></extra>",
    }  # fmt: skip
    return _figure(
        [trace],
        "Local minima; the star is the smallest",
        "activated samples k",
        "objective",
        {"dtick": 1},
    )


def _bars(x, y, name, colour, shape):
    marker = {"color": colour, "pattern": {"shape": shape}, "line": {"width": 0}}
    hover = "sample %{x}: %{y:.4g}<extra></extra>"
    return {
        "type": "bar",
        "x": list(map(int, x)),
        "y": list(map(float, y)),
        "name": name,
        "marker": marker,
        "hovertemplate": hover,
    }


def _figure(traces, title, x_title, y_title, x_axis=(), y_axis=(), **layout):
    """The figure, in one go: adding part by part checks every part again and takes several times as long."""
    layout |= {
        "title": title,
        "height": HEIGHT,
        "margin": MARGIN | {"t": 60},
        "legend": LEGEND | {"y": -0.32},
        "xaxis": {"title": x_title, **dict(x_axis)},
        "yaxis": {"title": y_title, "exponentformat": "power", **dict(y_axis)},
    }
    return go.Figure(traces, layout)
