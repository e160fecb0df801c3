"""Curves over σ and c, the σ-loss over the residuals, a map over σ and c, weights frame by frame.

A point that can be clicked carries [log₂ σ, c] as customdata: a click sets these.
"""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from epca.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION
from epca.plots.frame import LEGEND, framed
from epca.plots.samples import LOOKS

CURVE = BLUE
NOW = PURPLE
BEST = GREEN
PROPOSED = VERMILION
STATES = {"": "circle", "collapsed": "x", "not converged": "circle-open"}  # of a fit → marker
LOSS_LINES = ((CURVE, "solid"), (GREY, "dot"), (GREY, "dash"))
PANEL = 150  # height of a panel in pixels
EDGE = 130  # height of what surrounds the panels
MOST_WEIGHTS = 400  # dots in a frame
CORNER = {"x": 1, "xanchor": "right", "yanchor": "top"}  # for the legend and the buttons


class Panel(NamedTuple):
    """One curve, and the name and height of a level to compare it with."""

    label: str
    values: np.ndarray  # (m,)
    form: str = "~g"
    level: tuple | None = None
    range: tuple | None = None


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


def curves_figure(title, x_title, x, panels, *, choices=None, marks=(), states=None):
    """Panels one above the other over the same x (m,); the states (m,) choose the markers."""
    states = [""] * len(x) if states is None else states
    figure = make_subplots(rows=len(panels), shared_xaxes=True, vertical_spacing=0.08)
    for row, panel in enumerate(panels, 1):
        hover = f"{x_title} %{{x}}<br>{panel.label} %{{y:.4g}}<br>%{{text}}<extra></extra>"
        figure.add_scatter(
            x=list(map(float, x)),
            y=list(map(float, panel.values)),
            customdata=choices,
            mode="lines+markers",
            showlegend=False,
            text=states,
            hovertemplate=hover,
            line={"color": CURVE, "width": 1.5},
            marker={"symbol": [STATES[state] for state in states], "size": 8},
            row=row,
            col=1,
        )
        figure.update_yaxes(
            title=panel.label, tickformat=panel.form, range=panel.range, row=row, col=1
        )
        if panel.level is not None:
            figure.add_hline(panel.level[1], line_dash="dot", line_color=GREY, row=row, col=1)
            _legend(figure, panel.level[0], mode="lines", line={"color": GREY, "dash": "dot"})
    for mark in marks:
        _mark(figure, mark)
    for state, symbol in STATES.items():
        if state and state in states:
            marker = {"color": CURVE, "symbol": symbol, "size": 8}
            _legend(figure, state, mode="markers", marker=marker)
    figure.update_xaxes(title=x_title, row=len(panels), col=1)
    return _framed(figure, title, EDGE + PANEL * len(panels))


def loss_figure(t, losses, residuals, sigma):
    """Losses {name: (value, weight)} at lengths t (m,), above a histogram of the residuals (n,).

    The σ-loss comes first.
    """
    figure = make_subplots(
        rows=3, shared_xaxes=True, vertical_spacing=0.06, row_heights=[0.4, 0.4, 0.2]
    )
    x = np.log2(t).tolist()
    for (name, curves), (colour, dash) in zip(losses.items(), LOSS_LINES, strict=True):
        for row, y in enumerate(curves, 1):
            look = {"line": {"color": colour, "dash": dash}, "name": name, "showlegend": row == 1}
            figure.add_scatter(
                x=x, y=y.tolist(), mode="lines", hovertemplate="%{y:.4g}", row=row, col=1, **look
            )
    counts, edges = np.histogram(np.log2(np.maximum(residuals, t[0])), bins=40)
    figure.add_bar(
        x=((edges[:-1] + edges[1:]) / 2).tolist(),
        y=counts.tolist(),
        width=float(edges[1] - edges[0]),
        name="residuals of EPCA",
        hovertemplate="%{y} images",
        marker_color=ORANGE,
        row=3,
        col=1,
    )
    _mark(figure, Mark(float(np.log2(sigma)), "σ now", NOW, "solid"))
    axes = [("loss h(t)", "log"), ("weight d(t)", "log"), ("images", "linear")]
    for row, (label, scale) in enumerate(axes, 1):
        axis = {"title": label, "type": scale, "exponentformat": "power", "nticks": 5}
        figure.update_yaxes(row=row, col=1, **axis)
    figure.update_xaxes(title="log₂ t of the residual length t, in the unit of σ", row=3, col=1)
    return _framed(figure, "The σ-loss, its weight, the residuals", EDGE + 3 * PANEL)


def map_figure(label, choices, values, *, now, collapsed):
    """One square per [log₂ σ, c] of the choices, coloured by its value.

    ✕ marks collapsed fits, a frame the present setting.
    """
    exponents, ranks = zip(*choices, strict=True) if choices else ((), ())
    rows = list(map(str, sorted(set(ranks))))
    height = 30 * max(len(rows), 4)  # of the squares
    figure = go.Figure()
    hover = f"σ = 2^%{{x}}, c = %{{y}}<br>{label} %{{marker.color:.4g}} %{{text}}<extra></extra>"
    figure.add_scatter(
        x=list(exponents),
        y=[str(rank) for rank in ranks],
        customdata=choices,
        mode="markers+text",
        showlegend=False,
        text=["✕" if is_collapsed else "" for is_collapsed in collapsed],
        textfont={"color": "white"},
        hovertemplate=hover,
        marker=_squares(values, height),
    )
    if list(now) in choices:
        frame = {"symbol": "square-open", "size": 25, "color": NOW, "line": {"width": 3}}
        place = {"x": [now[0]], "y": [str(now[1])], "mode": "markers", "marker": frame}
        figure.add_scatter(hoverinfo="skip", showlegend=False, **place)
    figure.update_xaxes(title="log₂ σ", tickvals=sorted(set(exponents)))
    figure.update_yaxes(title="rank c", type="category", categoryorder="array", categoryarray=rows)
    return _framed(figure, f"{label[0].upper()}{label[1:]} over σ and c", EDGE + height + 60)


def _squares(values, height):
    """Markers coloured by value, with a colour bar below the squares, which are so high."""
    below = {"orientation": "h", "y": -80 / height, "yanchor": "top", "thickness": 12, "nticks": 6}
    return {
        "symbol": "square",
        "size": 20,
        "color": list(map(float, values)),
        "colorscale": "Viridis",
        "showscale": True,
        "colorbar": below,
    }


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
    legend = LEGEND | {"y": LEGEND["y"] * 3 * PANEL / height, "yanchor": "top"}
    return framed(figure, title, height, hovermode="closest", legend=legend)
