"""Two runs of the algorithm over their iterations; colour, dash and marker tell them apart."""

import numpy as np
import plotly.graph_objects as go

from epca.palette import BLUE, GREY, VERMILION
from epca.plots.frame import framed

LOOKS = ((BLUE, "solid", "circle"), (VERMILION, "dash", "diamond-open"))
HEIGHT = 340
TICKS = np.array([1, 2, 3, 5])  # of a decade, on a log axis of few
FEW = 300  # a log axis has few decades if its largest value is not so many times its smallest


def runs_figure(runs, title, y_title, *, threshold=None, is_log=False):
    """One line per run {name: values, from the start on}, and a dotted line at the threshold."""
    figure = go.Figure()
    for (name, values), (colour, dash, symbol) in zip(runs.items(), LOOKS, strict=False):
        figure.add_scatter(
            x=list(range(len(values))),
            y=[float(value) for value in values],
            name=name,
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 1.5},
            marker={"symbol": symbol, "size": 7},
            hovertemplate="iteration %{x}: %{y:.4g}<extra></extra>",
        )
    if threshold is not None:
        figure.add_hline(threshold, line_dash="dot", line_color=GREY, line_width=1)
    y_axis = {"title": y_title, "exponentformat": "power"}
    if is_log:
        heights = [*runs.values(), [] if threshold is None else [threshold]]
        y_axis |= {"type": "log", **_log_ticks(np.concatenate(heights))}
    return framed(figure, title, HEIGHT, showlegend=True, xaxis_title="iteration", yaxis=y_axis)


def _log_ticks(values):
    """Powers of ten; more than these where there would be so few that nothing could be read."""
    low = values.min()
    high = values.max()
    if not 0 < low <= high < FEW * low:
        return {"dtick": 1}
    decades = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    return {"tickvals": np.outer(decades, TICKS).ravel().tolist()}
