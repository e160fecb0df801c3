"""The framework in pictures: water-filling (Eqs. 11–12), losses, weights, minima for γ < 1."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from epca.palette import BLUE, GREY, VERMILION, WATER
from epca.plots.frame import LEGEND, MARGIN
from epca.plots.methods import LOOKS

ACTIVATED = BLUE
NOT_ACTIVATED = GREY
LEVEL = VERMILION
HEIGHT = 360
DASHES = {  # Plotly's name → SVG's
    "solid": "",
    "dot": "2 5",
    "dash": "8 5",
    "longdash": "14 6",
    "dashdot": "12 5 2 5",
}
LIKE = {  # a learner of a line → the method it looks like
    "least squares": "PCA",
    "co-robust regression": "EPCA",
}


class Line(NamedTuple):
    colour: str
    dash: str  # as in SVG


def line_look(label):
    """How a method's line looks in the plane: the same as in all charts."""
    colour, dash, _ = LOOKS[LIKE.get(label, label)]
    return Line(colour, DASHES[dash])


def plane_figure(points, weights, lines, limits):
    """Points (n, 2) and lines in the plane; a dot's size is its α, the activated ones are filled.

    lines : label → a point of the line (2,) and its direction (2,)
    limits : how far the plane goes, ± x and ± y
    """
    reach = 2 * np.hypot(*limits) * np.array([-1.0, 1.0])[:, np.newaxis]  # past every corner
    traces = [_line(label, mean + reach * direction) for label, (mean, direction) in lines.items()]
    is_activated = weights > 0
    marker = {
        "color": ACTIVATED,
        "size": (10 + 28 * np.sqrt(weights)).tolist(),
        "symbol": np.where(is_activated, "circle", "circle-open").tolist(),
        "line": {"width": 2},
    }
    dots = {
        "type": "scatter",
        "x": points[:, 0].tolist(),
        "y": points[:, 1].tolist(),
        "mode": "markers",
        "showlegend": False,
        "marker": marker,
        "customdata": [[i, weight] for i, weight in enumerate(weights.tolist(), start=1)],
        "hovertemplate": "sample %{customdata[0]}: α %{customdata[1]:.3f}<extra></extra>",
    }
    x_axis, y_axis = ({"range": [-limit, limit], "zeroline": False} for limit in limits)
    y_axis |= {"scaleanchor": "x", "constrain": "domain"}
    return _figure(
        [*traces, dots],
        "Dot size: α; filled: activated, open: not activated",
        "x",
        "y",
        x_axis,
        y_axis,
    )


def _line(label, ends):
    """A method's line through two points (2, 2)."""
    colour, dash, _ = LOOKS[LIKE.get(label, label)]
    return {
        "type": "scatter",
        "x": ends[:, 0].tolist(),
        "y": ends[:, 1].tolist(),
        "name": label,
        "mode": "lines",
        "line": {"color": colour, "dash": dash, "width": 3},
        "hoverinfo": "name",
    }


def waterfill_figure(losses, weights, level):
    """Bars √f (n,), smallest first, with water up to the level √λ (Eqs. 11–12).

    The water over a bar is α√λ deep; all of it together is √λ. The open dots S_j/(j − 1) are the
    level that j activated samples would give. Up to k they lie above their bars, after k they do
    not.
    """
    order = np.argsort(losses, kind="stable")
    roots = np.sqrt(losses[order])
    k = int(np.count_nonzero(weights))
    ranks = np.arange(1, len(roots) + 1)
    levels = np.cumsum(roots)[1:] / ranks[:-1]
    top = min(1.1 * max(roots[-1], levels.max()), 4 * level) or 1.0  # some may leave the picture
    shapes, notes = _level_and_k(level, k)
    return _figure(
        _waterfill_traces(order, roots, levels, level, k),
        f"Water-filling: {k} of {len(roots)} below √λ = {level:.3g}",
        "rank by rising loss",
        "√f",
        {"range": [0.4, len(roots) + 0.6]},
        {"range": [0, top]},
        barmode="stack",
        shapes=shapes,
        annotations=notes,
    )


def _waterfill_traces(order, roots, levels, level, k):
    """Bars, water and dots of the samples in this order (n,)."""
    ranks = np.arange(1, len(roots) + 1)
    is_activated = ranks <= k
    colours = np.where(is_activated, ACTIVATED, NOT_ACTIVATED).tolist()
    patterns = np.where(is_activated, "", "/").tolist()
    water = (np.maximum(level - roots, 0) * is_activated).tolist()
    names = {
        "customdata": (order + 1).tolist(),
        "hovertemplate": "sample %{customdata}: %{y:.4g}<extra></extra>",
    }
    return [
        _bars(ranks, roots, "√f", colours, patterns) | names,
        _bars(ranks, water, "water, α√λ", WATER, "") | names,
        {
            "type": "scatter",
            "x": ranks[1:].tolist(),
            "y": levels.tolist(),
            "name": "S<sub>j</sub>/(j − 1)",
            "mode": "lines+markers",
            "marker": {"color": LEVEL, "symbol": "circle-open", "size": 8, "line": {"width": 2}},
            "line": {"color": LEVEL, "width": 1, "dash": "dot"},
            "hovertemplate": "j = %{x}: %{y:.4g}<extra></extra>",
        },
    ]


def _level_and_k(level, k):
    """Lines at the level and after the k-th bar, and the note that names k."""
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
        "line": {"color": NOT_ACTIVATED, "dash": "dot"},
    }
    k_text = {
        "x": k + 0.5,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "text": f"k = {k}",
        "showarrow": False,
    }
    return [level_line, k_line], [k_text]


def bars_figure(values, weights, title, y_title, *, is_log=False):
    """A value (n,) per sample, in order; bars of activated samples are filled, others hatched."""
    looks = [
        ("activated", weights > 0, ACTIVATED, ""),
        ("not activated", weights == 0, NOT_ACTIVATED, "/"),
    ]
    numbers = np.arange(1, len(values) + 1)
    traces = [
        _bars(numbers[mask], values[mask], name, colour, shape)
        for name, mask, colour, shape in looks
        if mask.any()
    ]
    y_axis = {"type": "log", "dtick": 1} if is_log else {}
    return _figure(traces, title, "sample", y_title, y_axis=y_axis)


def pair_figure(first, second):
    """Two different vectors of weights (n,) that are equally good, side by side."""
    numbers = np.arange(1, len(first) + 1)
    traces = [
        _bars(numbers, first, "one minimiser", ACTIVATED, ""),
        _bars(numbers, second, "another", LEVEL, "/"),
    ]
    return _figure(traces, "Two weights, equally good", "sample", "w")


def minima_figure(counts, objectives, best):
    """Objective of the best local minimum with k activated samples, over k.

    `best` is the index of the smallest.
    """
    is_best = np.arange(len(counts)) == best
    marker = {
        "color": np.where(is_best, ACTIVATED, LEVEL).tolist(),
        "symbol": np.where(is_best, "star", "circle-open").tolist(),
        "size": 12,
        "line": {"width": 2},
    }
    trace = {
        "type": "scatter",
        "x": list(counts),
        "y": list(objectives),
        "mode": "lines+markers",
        "showlegend": False,
        "marker": marker,
        "line": {"color": NOT_ACTIVATED, "width": 1, "dash": "dot"},
        "hovertemplate": "k = %{x}: %{y:.6g}<extra></extra>",
    }
    title = "Local minima; the star is the smallest"
    return _figure([trace], title, "activated samples k", "objective", {"dtick": 1})


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
    """The figure, built in one call. Adding part by part would check every part again."""
    layout |= {
        "title": title,
        "height": HEIGHT,
        "margin": MARGIN | {"t": 60},
        "legend": LEGEND | {"y": -0.32},
        "xaxis": {"title": x_title, **dict(x_axis)},
        "yaxis": {"title": y_title, "exponentformat": "power", **dict(y_axis)},
    }
    return go.Figure(traces, layout)
