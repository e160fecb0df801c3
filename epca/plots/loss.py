"""The σ-loss between its two limits (the paper's Fig. 2) over a histogram of residuals."""

from typing import NamedTuple

import numpy as np
from plotly.subplots import make_subplots

from epca.palette import GREY, PURPLE
from epca.plots.frame import framed
from epca.plots.samples import LOOKS

# The limits are thin and come on top: where the σ-loss has reached one of them, both are seen.
LINES = (
    {"color": PURPLE, "width": 5},
    {"color": GREY, "dash": "dash", "width": 2},
    {"color": GREY, "dash": "dot", "width": 2},
)
SIGMA = {"color": PURPLE, "width": 2}
REFERENCE = {"color": GREY, "width": 1}
HEIGHT = 420
NOTE = {"showarrow": False, "yref": "paper", "font": {"size": 12}}
LEGEND = {"orientation": "v", "font": {"size": 12}, "bgcolor": "rgba(0, 0, 0, 0)"}


class Curves(NamedTuple):
    """One panel: the same quantity of several losses, the σ-loss first."""

    label: str
    values: dict  # name of the loss → (m,)
    range: tuple
    scale: str = "linear"


class Bars(NamedTuple):
    """The histogram: counts per kind of image (True: occluded; None: all) between the edges."""

    edges: np.ndarray  # (b + 1,)
    counts: dict  # kind → (b,)
    most: float  # upper end of its axis


class Line(NamedTuple):
    """A vertical line, written at its upper end."""

    x: float
    text: str
    look: dict
    anchor: str = "left"


def loss_figure(x, panels, bars, *, axis, lines, note=""):
    """Panels of curves over lengths x (m,), and the histogram beneath them on the same axis.

    axis : what Plotly's shared x axis is to have: its title, range, ticks
    note : what lies beyond the axis, with an arrow to its side
    """
    shares = [0.6 / len(panels)] * len(panels)
    figure = make_subplots(
        rows=len(panels) + 1, shared_xaxes=True, vertical_spacing=0.04, row_heights=[*shares, 0.4]
    )
    for row, panel in enumerate(panels, 1):
        for (name, values), line in zip(panel.values.items(), LINES, strict=True):
            figure.add_scatter(
                x=x.tolist(),
                y=values.tolist(),
                mode="lines",
                name=name,
                line=line,
                showlegend=row == 1,
                hovertemplate=f"{name}<br>{panel.label} %{{y:,.3~r}}<extra></extra>",
                row=row,
                col=1,
            )
        look = {"title": panel.label, "type": panel.scale, "range": panel.range, "nticks": 5}
        figure.update_yaxes(**look, exponentformat="power", row=row, col=1)
    _add_bars(figure, bars, len(panels) + 1)
    for line in lines:
        figure.add_vline(line.x, line=line.look)
        place = {"x": line.x, "y": 1, "xanchor": line.anchor, "yanchor": "top"}
        figure.add_annotation(text=line.text, **place, **NOTE)
    if note:
        is_left = note.startswith("←")
        place = {"x": 0 if is_left else 1, "xanchor": "left" if is_left else "right"}
        place |= {"y": 1, "xref": "paper", "yanchor": "top"}
        figure.add_annotation(text=note, **place, **NOTE)
    figure.update_xaxes(**axis | {"title": None})
    figure.update_xaxes(title=axis["title"], row=len(panels) + 1, col=1)
    return _laid_out(figure)


def _add_bars(figure, bars, row):
    middles = (bars.edges[:-1] + bars.edges[1:]) / 2
    for kind, counts in bars.counts.items():
        look = LOOKS[None, kind]
        name = "residuals" if kind is None else f"residuals, {look.label}"
        figure.add_bar(
            x=middles.tolist(),
            y=counts.tolist(),
            width=float(bars.edges[1] - bars.edges[0]),
            name=name,
            legend="legend2",
            hovertemplate=f"%{{y}} images<extra>{name}</extra>",
            marker={"color": look.colour, "pattern": {"shape": "/" if kind else ""}},
            row=row,
            col=1,
        )
    figure.update_yaxes(title="images", range=(0, bars.most), nticks=4, row=row, col=1)


def _laid_out(figure):
    corner = {"x": 1, "xanchor": "right", "y": 0.36, "yanchor": "top"}
    return framed(
        figure,
        None,  # the page says it
        HEIGHT,
        barmode="stack",
        bargap=0,
        hovermode="closest",
        legend=LEGEND | {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        legend2=LEGEND | corner,
        margin={"l": 58, "r": 8, "t": 30, "b": 44},
    )
