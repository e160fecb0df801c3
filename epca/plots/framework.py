"""The framework in pictures: water-filling (Eqs. 11–12), losses and weights, the minima of γ < 1."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go


class Line(NamedTuple):
    colour: str  # of Okabe and Ito's palette
    dash: str  # as in SVG


LINES = {  # label → how its line is drawn in the plane
    "PCA": Line("#D55E00", "2 5"),
    "PCA-OM": Line("#009E73", "12 6"),
    "PCA-AN": Line("#CC79A7", "12 5 2 5"),
    "EPCA": Line("#0072B2", ""),
    "least squares": Line("#D55E00", "2 5"),
    "co-robust regression": Line("#0072B2", ""),
}
ACTIVATED, INACTIVE, LEVEL = "#0072B2", "#808080", "#D55E00"
HEIGHT = 360


def waterfill_figure(losses, weights, level):
    """√f (n,) rising, filled up to the level √λ: the water over a bar is α√λ, all of it together √λ high (Eqs. 11–12).

    The open dots S_j/(j − 1) are the level if j samples were activated. They lie above the bars up to k and not after it.
    """
    order = np.argsort(losses, kind="stable")
    roots, names = np.sqrt(losses[order]), [f"{i + 1}" for i in order]
    k = int(np.count_nonzero(weights))
    ranks = np.arange(1, len(roots) + 1)
    levels = np.cumsum(roots)[1:] / ranks[:-1]
    figure = go.Figure()
    ground = {"x": ranks.tolist(), "customdata": names, "hovertemplate": "sample %{customdata}: %{y:.4g}<extra></extra>"}
    colours = [ACTIVATED if rank <= k else INACTIVE for rank in ranks]
    shapes = ["" if rank <= k else "/" for rank in ranks]
    figure.add_bar(y=roots.tolist(), name="√f", marker={"color": colours, "pattern": {"shape": shapes}}, **ground)
    water = np.maximum(level - roots, 0) * (ranks <= k)
    figure.add_bar(
        y=water.tolist(), name="water, α√λ", marker={"color": "rgba(86, 180, 233, 0.45)", "line": {"width": 0}}, **ground
    )
    markers = {"color": LEVEL, "symbol": "circle-open", "size": 8, "line": {"width": 2}}
    figure.add_scatter(
        x=ranks[1:].tolist(), y=levels.tolist(), name="S<sub>j</sub>/(j − 1)", mode="lines+markers", marker=markers,
        line={"color": LEVEL, "width": 1, "dash": "dot"}, hovertemplate="j = %{x}: %{y:.4g}<extra></extra>",
    )  # fmt: skip
    figure.add_hline(level, line={"color": LEVEL, "dash": "dash"})
    figure.add_vline(k + 0.5, line={"color": INACTIVE, "dash": "dot"}, annotation_text=f"k = {k}", annotation_position="top")
    top = min(1.1 * max(roots[-1], levels.max()), 4 * level) or 1.0  # the far ones may leave the picture
    figure.update_yaxes(range=[0, top])
    figure.update_xaxes(range=[0.4, len(roots) + 0.6])
    figure.update_layout(barmode="stack")
    return _titled(figure, f"Water-filling: {k} of {len(roots)} below √λ = {level:.3g}", "rank by rising loss", "√f")


def bars_figure(values, weights, title, y_title, *, is_log=False):
    """A value (n,) per sample in their order; the activated filled, the others hatched."""
    figure = go.Figure()
    for name, mask, colour, shape in [("activated", weights > 0, ACTIVATED, ""), ("inactive", weights == 0, INACTIVE, "/")]:
        if mask.any():
            marker = {"color": colour, "pattern": {"shape": shape}}
            x, y = (np.flatnonzero(mask) + 1).tolist(), values[mask].tolist()
            figure.add_bar(x=x, y=y, name=name, marker=marker, hovertemplate="sample %{x}: %{y:.4g}<extra></extra>")
    if is_log:
        figure.update_yaxes(type="log")
    return _titled(figure, title, "sample", y_title)


def pair_figure(first, second):
    """Two different weights (n,) that are equally good, side by side."""
    figure = go.Figure()
    for name, weights, colour, shape in [("one minimiser", first, ACTIVATED, ""), ("another", second, LEVEL, "/")]:
        look = {"marker": {"color": colour, "pattern": {"shape": shape}}, "hovertemplate": "sample %{x}: %{y:.4g}<extra></extra>"}
        figure.add_bar(x=list(range(1, len(weights) + 1)), y=weights.tolist(), name=name, **look)
    return _titled(figure, "Two weights, equally good", "sample", "w")


def minima_figure(counts, objectives, best):
    """Objective of the best local minimum with k activated samples, over k; `best` is the index of the smallest."""
    figure = go.Figure()
    symbols = ["star" if i == best else "circle-open" for i in range(len(counts))]
    colours = [ACTIVATED if i == best else LEVEL for i in range(len(counts))]
    figure.add_scatter(
        x=list(counts),
        y=list(objectives),
        mode="lines+markers",
        line={"color": INACTIVE, "width": 1, "dash": "dot"},
        marker={"color": colours, "symbol": symbols, "size": 12, "line": {"width": 2}},
        hovertemplate="k = %{x}: %{y:.6g}<extra></extra>",
        showlegend=False,
    )
    figure.update_xaxes(dtick=1)
    return _titled(figure, "Local minima; the star is the smallest", "activated samples k", "objective")


def _titled(figure, title, x_title, y_title):
    figure.update_layout(
        title=title,
        height=HEIGHT,
        margin={"l": 60, "r": 10, "t": 60, "b": 50},
        legend={"orientation": "h", "y": -0.25, "font": {"size": 11}},
    )
    figure.update_xaxes(title=x_title)
    figure.update_yaxes(title=y_title)
    return figure
