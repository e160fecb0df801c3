"""One dot per sample: its place in the subspace, its place in the outlier map.

Every figure has one trace of samples, with their ids as customdata, so that a click tells which
sample was meant. Colour *and* shape tell which samples are activated and which are occluded. The
activated are drawn over the others and the selected over all, so nothing that matters is covered.
If some are selected, the others turn pale. Of very many, those that lie on others of their kind are
left out, which the axis says.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from epca.palette import BLUE, GREY, ORANGE, VERMILION
from epca.plots.frame import framed


class Look(NamedTuple):
    label: str
    colour: str
    symbol: str

    @property
    def glyph(self):
        """The symbol as a character that text can have."""
        return GLYPHS[self.symbol]


GLYPHS = {"circle": "●", "diamond": "◆", "circle-open": "○", "x-thin-open": "✕"}


LOOKS = {  # (is activated, is occluded) → look; None: not known, or does not apply
    (True, False): Look("activated, clean", BLUE, "circle"),
    (True, True): Look("activated, occluded", VERMILION, "diamond"),
    (False, False): Look("not activated, clean", GREY, "circle-open"),
    (False, True): Look("not activated, occluded", GREY, "x-thin-open"),
    (True, None): Look("activated", BLUE, "circle"),
    (False, None): Look("not activated", GREY, "circle-open"),
    (None, False): Look("clean", BLUE, "circle-open"),
    (None, True): Look("occluded", VERMILION, "x-thin-open"),
    (None, None): Look("image", BLUE, "circle-open"),
}
HEIGHT = 380
SELECTED = ORANGE
FEW = 400  # dots that are drawn large and in full colour
MANY = 1500  # more dots are thinned
LETTERS = 34  # of a line of type that fits across a chart beside another
LINES = 10  # of type that fit into its height
CELLS = 32  # along each axis; a cell has one dot of a kind at least


class Samples(NamedTuple):
    """What the figures know of the samples, in the order of their ids."""

    is_activated: np.ndarray | None  # (n,), None for a method that activates no samples
    is_occluded: np.ndarray | None  # (n,), None where it is not known
    names: list  # what hovering says, in words
    selected: tuple = ()  # ids


def alpha_pair_figure(first, second):
    """α of two fits (n,) and (m,), each over its own ranks; A is dashed with open dots."""
    figure = go.Figure()
    for name, alpha, colour, dash, symbol in [
        ("A, pinned", first, VERMILION, "dash", "circle-open"),
        ("B, now", second, BLUE, "solid", "circle"),
    ]:
        heights = np.sort(alpha[alpha > 0])[::-1]
        look = {
            "mode": "lines+markers",
            "line": {"color": colour, "dash": dash, "width": 1},
            "marker": {"symbol": symbol},
        }
        figure.add_scatter(
            x=np.arange(1, len(heights) + 1).tolist(), y=heights.tolist(), name=name, **look
        )
    return _titled(figure, "Weights α > 0, largest first", "rank of the image", "α")


def embedding_figure(samples, scores):
    """The first two coordinates in the learned subspace, of scores (n, c)."""
    n_samples, c = scores.shape
    up = scores[:, 1] if c > 1 else np.zeros(n_samples)
    figure = _figure(samples, scores[:, 0], up)
    names = ["1st coordinate", "2nd coordinate"]
    if c == 1:
        names[1] += " (c = 1: none)"
        figure.update_yaxes(showticklabels=False)
    return _titled(figure, "Place in the subspace", *names, n_samples)


def outlier_figure(samples, outlier_map):
    """Distance within the subspace and to it; two cut-offs part four kinds of samples."""
    sd, od, sd_cut, od_cut = outlier_map
    figure = _figure(samples, sd, od)
    figure.add_vline(sd_cut, line_dash="dash", line_color=GREY, line_width=1)
    figure.add_hline(od_cut, line_dash="dash", line_color=GREY, line_width=1)
    x_range = _around(sd, sd_cut)
    y_range = _around(od, od_cut)
    for x, y in product((0, 1), (0, 1)):
        name = outlier_map.quadrant(x_range[x], y_range[y])
        across = abs(x_range[x] - sd_cut) / (x_range[1] - x_range[0])
        up = abs(y_range[y] - od_cut) / (y_range[1] - y_range[0])
        lines = [name] if len(name) <= across * LETTERS else name.split()
        if max(map(len, lines)) <= across * LETTERS and len(lines) <= up * LINES:
            _name_corner(figure, x, y, "<br>".join(lines))
    figure.update_layout(xaxis_range=x_range, yaxis_range=y_range)
    return _titled(figure, "Outlier map", "score distance", "orthogonal distance", len(sd))


def _around(values, cut):
    """The ends of an axis that has all values (n,) and the cut-off well inside."""
    low = min(values.min(), cut)
    high = max(values.max(), cut)
    margin = (high - low or 1.0) / 16
    return [float(low - margin), float(high + margin)]


def _name_corner(figure, x, y, text):
    """Write into the corner of the figure at x and y, 0 or 1 each, in the size of its type."""
    place = {"x": x, "y": y, "xref": "paper", "yref": "paper"}
    side = "right" if x else "left"
    anchors = {"xanchor": side, "yanchor": "top" if y else "bottom", "align": side}
    figure.add_annotation(text=text, **place, **anchors, showarrow=False, font_color=GREY)


def pair_figure(samples, across, up, names, measure):
    """A measure of each sample (n,) under two methods; the diagonal is where they agree."""
    figure = _figure(samples, across, up)
    ends = [float(min(across.min(), up.min())), float(max(across.max(), up.max()))]
    line = {"dash": "dash", "color": GREY, "width": 1}
    figure.add_scatter(x=ends, y=ends, mode="lines", line=line, name="equal", hoverinfo="skip")
    first, second = names
    title = f"{measure.capitalize()}: {second} against {first}"
    return _titled(figure, title, f"{first}: {measure}", f"{second}: {measure}", len(across))


def _figure(samples, x, y):
    """x, y : (n,) in the order of the ids"""
    n = len(x)
    chosen = np.isin(np.arange(n), samples.selected)
    is_activated = samples.is_activated
    active = np.zeros(n, bool) if is_activated is None else np.asarray(is_activated, bool)
    ids = np.lexsort((active, chosen))  # what is drawn last lies on top
    kinds = _kinds(samples)
    if n > MANY:
        ids = ids[(active | chosen | _is_alone(kinds, x, y))[ids]]
    drawn = [_look(samples, kind) for kind in kinds[ids]]
    dots = {  # a go.Scatter would check every dot twice, and that takes longer than all the rest
        "type": "scatter",
        "x": np.asarray(x, float)[ids].tolist(),
        "y": np.asarray(y, float)[ids].tolist(),
        "mode": "markers",
        "customdata": ids.tolist(),  # a click would return an array in another shape
        "text": [samples.names[i] for i in ids],
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
        "marker": {
            "color": [look.colour for look in drawn],
            "symbol": [look.symbol for look in drawn],
            "size": _sizes(active, chosen)[ids].tolist(),
            "opacity": _opacities(active, chosen, is_activated is None)[ids].tolist(),
            "line": {"width": 1.5 if n <= FEW else 1},
        },
    }
    return go.Figure([dots, *map(_legend, looks(samples)), _rings(dots, chosen.sum())])


def _is_alone(kinds, x, y):
    """Whether a dot (n,) is the first of its kind in its cell: those after it lie almost on it."""
    places = [
        np.floor((CELLS - 1e-9) * (values - values.min()) / max(np.ptp(values), 1e-300))
        for values in (x, y)
    ]
    _, first = np.unique(np.column_stack([kinds, *places]), axis=0, return_index=True)
    return np.isin(np.arange(len(kinds)), first)


def _rings(dots, count):
    """A ring around each of the last dots, the selected ones; clicks go through it."""
    look = {"symbol": "circle-open", "size": 20, "color": SELECTED, "line": {"width": 2.5}}
    last = slice(len(dots["x"]) - count, None)
    return go.Scatter(
        x=dots["x"][last],
        y=dots["y"][last],
        mode="markers",
        marker=look,
        hoverinfo="skip",
        showlegend=False,
    )


def _sizes(active, chosen):
    """Diameters (n,): the more there are, the smaller those that are not activated."""
    small = np.clip(9 * (FEW / len(active)) ** 0.4, 4, 8)
    return np.where(chosen, 14.0, np.where(active, 9.0, small).round(1))


def _opacities(active, chosen, is_plain):
    """Opacities (n,): many dots fade, activated ones do not; beside selected ones all do."""
    many = np.clip((FEW / len(active)) ** 0.4, 0.4, 1)
    opacity = np.where(active | is_plain, 1.0, many)
    if chosen.any():
        opacity = np.where(chosen, 1.0, np.where(active, 0.7, 0.35 * opacity))
    return opacity.round(2)


def _legend(look):
    marker = {"color": look.colour, "symbol": look.symbol, "size": 9, "line": {"width": 1.5}}
    nowhere = {"x": [None], "y": [None], "hoverinfo": "skip"}
    return go.Scatter(mode="markers", name=look.label, marker=marker, **nowhere)


def looks(samples):
    """The looks that these samples have, in the order of LOOKS."""
    found = {_look(samples, kind) for kind in np.unique(_kinds(samples))}
    return [look for look in LOOKS.values() if look in found]


def _kinds(samples):
    """(n,) 0 to 3: whether a sample is occluded, plus 2 if it is activated."""
    kinds = np.zeros(len(samples.names), int)
    if samples.is_occluded is not None:
        kinds += np.asarray(samples.is_occluded, bool)
    if samples.is_activated is not None:
        kinds += 2 * np.asarray(samples.is_activated, bool)
    return kinds


def _look(samples, kind):
    is_activated = None if samples.is_activated is None else bool(kind >= 2)
    is_occluded = None if samples.is_occluded is None else bool(kind % 2)
    return LOOKS[is_activated, is_occluded]


def _titled(figure, title, x_title, y_title, n_samples=0):
    """The figure with its titles; where some of the samples are left out, the axis says so."""
    n_drawn = len(figure.data[0].x)
    if n_drawn < n_samples:
        x_title += f" ({n_drawn:,} of {n_samples:,} images drawn)"
    return framed(
        figure, title, HEIGHT, hovermode="closest", xaxis_title=x_title, yaxis_title=y_title
    )
