"""Curves over σ and c, a map over both, weights frame by frame.

A point that can be clicked carries [log₂ σ, c] as customdata: a click sets these.
"""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from epca.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION
from epca.plots.frame import framed
from epca.plots.samples import LOOKS

CURVE = BLUE
NOW = PURPLE
BEST = GREEN
PROPOSED = VERMILION
ESTIMATED = ORANGE
STATES = {"": "circle", "collapsed": "x", "not converged": "circle-open"}  # of a fit → marker
PANEL = 150  # height of a panel in pixels
EDGE = 130  # height of what surrounds the panels
MOST_WEIGHTS = 400  # dots in a frame
CORNER = {"x": 1, "xanchor": "right", "yanchor": "top"}  # for the legend and the buttons


class Panel(NamedTuple):
    """One curve, and the name and height of a level to compare it with."""

    label: str
    values: np.ndarray  # (m,)
    form: str = ",~r"  # of the ticks
    hover: str = ",.4~r"
    level: tuple | None = None
    range: tuple | None = None
    dash: str = "solid"


class Axis(NamedTuple):
    """What the curves lie over: the places (m,), each with its name, and the ticks."""

    title: str
    x: np.ndarray
    names: list
    ticks: list | None = None
    tick_texts: list | None = None


class Cell(NamedTuple):
    """One fit of the map; the text is what hovering says."""

    exponent: int  # log₂ σ
    c: int
    value: float
    is_collapsed: bool
    text: str


class Mark(NamedTuple):
    """A vertical line with its name in the legend."""

    x: float
    text: str
    colour: str
    dash: str


class Step(NamedTuple):
    """One frame: the weights of one fit."""

    name: str
    title: str
    alpha: np.ndarray  # (n,)


def curves_figure(title, axis, panels, *, choices=None, marks=(), states=None):
    """Panels one above the other over the same axis; the states (m,) choose the markers."""
    states = [""] * len(axis.x) if states is None else states
    names = [panel.label for panel in panels]
    figure = make_subplots(
        rows=len(panels), shared_xaxes=True, vertical_spacing=0.16, subplot_titles=names
    )
    figure.update_annotations(x=0, xanchor="left", font_size=13)
    pairs = zip(axis.names, states, strict=True)
    hovers = [f"{name}, {state}" if state else name for name, state in pairs]
    for row, panel in enumerate(panels, 1):
        figure.add_scatter(
            x=list(map(float, axis.x)),
            y=list(map(float, panel.values)),
            customdata=choices,
            mode="lines+markers",
            showlegend=False,
            text=hovers,
            hovertemplate=f"%{{text}}<br>{panel.label} %{{y:{panel.hover}}}<extra></extra>",
            line={"color": CURVE, "width": 1.5, "dash": panel.dash},
            marker={"symbol": [STATES[state] for state in states], "size": 7},
            row=row,
            col=1,
        )
        look = {"tickformat": panel.form, "range": panel.range, "nticks": 4}
        figure.update_yaxes(row=row, col=1, **look)
        if panel.level is not None:
            figure.add_hline(panel.level[1], line_dash="dot", line_color=GREY, row=row, col=1)
            _legend(figure, panel.level[0], mode="lines", line={"color": GREY, "dash": "dot"})
    for mark in marks:
        _mark(figure, mark)
    for state, symbol in STATES.items():
        if state and state in states:
            marker = {"color": CURVE, "symbol": symbol, "size": 8}
            _legend(figure, state, mode="markers", marker=marker)
    figure.update_xaxes(tickvals=axis.ticks, ticktext=axis.tick_texts)
    figure.update_xaxes(title=axis.title, title_standoff=4, row=len(panels), col=1)
    return _framed(figure, title, EDGE + PANEL * len(panels))


def map_figure(label, cells, *, now, ticks):
    """A heat map of the cells over σ and c; ✕ marks collapsed fits, a frame the present setting.

    A click tells nothing in a heat map, so each of its cells has a dot that nobody sees.

    ticks : log₂ σ → its name
    """
    columns = sorted({cell.exponent for cell in cells})
    rows = sorted({cell.c for cell in cells})
    values = {(cell.c, cell.exponent): cell.value for cell in cells}
    figure = go.Figure()
    figure.add_heatmap(
        x=columns,
        y=list(range(len(rows))),
        z=[[values.get((c, exponent)) for exponent in columns] for c in rows],
        colorscale="Viridis",
        colorbar={"thickness": 12, "nticks": 6, "tickformat": ",~r"},
        hoverinfo="skip",
        xgap=1,
        ygap=1,
    )
    figure.add_scatter(
        x=[cell.exponent for cell in cells],
        y=[rows.index(cell.c) for cell in cells],
        customdata=[[cell.exponent, cell.c] for cell in cells],
        mode="markers+text",
        showlegend=False,
        text=["✕" if cell.is_collapsed else "" for cell in cells],
        textfont={"color": "white"},
        hovertext=[cell.text for cell in cells],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={"symbol": "square", "size": 24, "color": "rgba(0, 0, 0, 0)"},
    )
    if now[0] in columns and now[1] in rows:
        width = min(np.diff(columns), default=1)
        _frame(figure, now[0], rows.index(now[1]), float(width))
    figure.update_xaxes(title="σ", tickvals=columns, ticktext=[ticks[i] for i in columns])
    names = list(map(str, rows))
    figure.update_yaxes(title="rank c", tickvals=list(range(len(rows))), ticktext=names)
    figure.update_xaxes(showgrid=False, zeroline=False).update_yaxes(showgrid=False, zeroline=False)
    title = f"{label[0].upper()}{label[1:]} over σ and c"
    return framed(figure, title, EDGE + 30 * max(len(rows), 4), hovermode="closest")


def _frame(figure, x, y, width):
    """A frame around the cell at (x, y)."""
    line = {"color": NOW, "width": 4}
    sides = {"x0": x - width / 2, "x1": x + width / 2, "y0": y - 0.5, "y1": y + 0.5}
    figure.add_shape(type="rect", line=line, **sides)


def live_figure(steps, active, is_occluded):
    """The weights α > 0 of every step, largest first, as frames that the browser plays."""
    kinds = [(True, None)] if is_occluded is None else [(True, False), (True, True)]
    frames = [
        go.Frame(
            data=[_weights(step.alpha, is_occluded, kind) for kind in kinds],
            name=step.name,
            layout={"title": step.title},
        )
        for step in steps
    ]
    figure = go.Figure(frames[active].data, frames=frames)
    largest = max(float(step.alpha.max()) for step in steps)
    most = min(max(np.count_nonzero(step.alpha) for step in steps), MOST_WEIGHTS)
    figure.update_xaxes(title="rank of the image", range=[0, most + 1])
    figure.update_yaxes(title="α", range=[0, 1.05 * largest])
    _framed(figure, steps[active].title, 440)
    slider, menu = _player(steps, active)
    return figure.update_layout(
        margin_t=60,  # the title has two lines
        sliders=[slider],
        updatemenus=[menu],
        showlegend=True,
        legend={"orientation": "v", "y": 0.8} | CORNER,
    )


def _player(steps, active):
    """The slider over the frames, and the buttons that play and pause them."""
    still = {"duration": 0}
    jump = {"mode": "immediate", "frame": still | {"redraw": True}, "transition": still}
    play = jump | {"frame": {"duration": 250, "redraw": True}}
    moves = [
        {"method": "animate", "label": step.name, "args": [[step.name], jump]} for step in steps
    ]
    slider = {
        "active": active,
        "currentvalue": {"prefix": "σ = "},
        "pad": {"t": 45},
        "steps": moves,
    }
    buttons = [
        {"method": "animate", "label": "Play", "args": [None, play]},
        {"method": "animate", "label": "Pause", "args": [[None], jump]},
    ]
    menu = {"type": "buttons", "direction": "left", "showactive": False, "buttons": buttons}
    return slider, menu | {"y": 1} | CORNER


def _weights(alpha, is_occluded, kind):
    order = np.argsort(-alpha, kind="stable")[: min(np.count_nonzero(alpha), MOST_WEIGHTS)]
    shown = np.ones(len(order), bool) if kind[1] is None else is_occluded[order] == kind[1]
    look = LOOKS[kind]
    return go.Scatter(
        x=(np.flatnonzero(shown) + 1).tolist(),
        y=[float(f"{a:.4g}") for a in alpha[order[shown]]],
        mode="markers",
        name=look.label,
        customdata=order[shown].tolist(),
        hovertemplate="image %{customdata}<br>α %{y}<extra></extra>",
        marker={"color": look.colour, "symbol": look.symbol, "size": 8},
    )


def _mark(figure, mark):
    line = {"color": mark.colour, "dash": mark.dash, "width": 2}
    figure.add_vline(mark.x, line=line)
    _legend(figure, mark.text, mode="lines", line=line)


def _legend(figure, name, **look):
    figure.add_scatter(x=[None], y=[None], name=name, hoverinfo="skip", **look)


def _framed(figure, title, height):
    """A legend at the very bottom, whatever the height that the page gives to the chart."""
    corner = {"xref": "container", "x": 0, "yref": "container", "y": 0, "yanchor": "bottom"}
    legend = corner | {"orientation": "h", "font": {"size": 12}}
    margin = {"l": 48, "r": 8, "t": 56, "b": 86}
    return framed(figure, title, height, hovermode="closest", legend=legend, margin=margin)
