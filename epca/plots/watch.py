"""Two runs of the algorithm over their iterations; colour, dash and marker tell them apart."""

import plotly.graph_objects as go

from epca.palette import BLUE, GREY, VERMILION
from epca.plots.frame import framed

LOOKS = ((BLUE, "solid", "circle"), (VERMILION, "dash", "diamond-open"))
HEIGHT = 340


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
        y_axis |= {"type": "log", "dtick": 1}
    return framed(figure, title, HEIGHT, showlegend=True, xaxis_title="iteration", yaxis=y_axis)
