"""Methods side by side: each has one colour, dash and marker in every chart."""

from zlib import crc32

import numpy as np
import plotly.graph_objects as go

from epca.palette import (
    BLUE,
    BROWN,
    GREEN,
    GREY,
    LEAF,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    VIOLET,
)
from epca.plots.frame import framed
from epca.plots.samples import HEIGHT

LOOKS = {  # label → colour, dash, marker; PCA is grey, since black is lost on a dark page
    "EPCA": (BLUE, "solid", "circle"),
    "PCA": (GREY, "dot", "square"),
    "R1PCA": (ORANGE, "dash", "diamond"),
    "L1PCA": (GREEN, "dashdot", "triangle-up"),
    "L1PCA-NG": (LEAF, "longdash", "triangle-down"),
    "RSPCA": (PURPLE, "dot", "star"),
    "LpPCA": (SKY, "dash", "cross"),
    "PCA-OM": (VERMILION, "dashdot", "hexagon"),
    "PCA-AN": (BROWN, "longdash", "pentagon"),
    "EPCA, left-out": (SKY, "solid", "circle-open"),
    "Spherical PCA": (ORANGE, "dot", "diamond-open"),
    "ROBPCA": (VERMILION, "longdash", "hexagram"),
    "PCP": (GREEN, "solid", "triangle-left"),
    "Cauchy PCA": (VIOLET, "solid", "triangle-right"),
}
OTHERS = (  # for methods without a row above: like none of these, nor like each other
    (LEAF, "solid", "x"),
    (BROWN, "dot", "bowtie"),
    (VIOLET, "dash", "hourglass"),
    (BLUE, "longdash", "star-square"),
    (PURPLE, "solid", "diamond-tall"),
    (ORANGE, "dashdot", "star-diamond"),
    (SKY, "dot", "diamond-wide"),
)
POINTS = 1000  # of a line


def _look(label):
    """Colour, dash and marker of a method, the same in every process."""
    return LOOKS.get(label, OTHERS[crc32(label.encode()) % len(OTHERS)])


def look(label):
    """Line and marker of a method."""
    shade, dash, symbol = _look(label)
    return {"line": {"color": shade, "dash": dash}, "marker": {"symbol": symbol, "color": shade}}


def colour(label):
    """The colour of a method."""
    return _look(label)[0]


def sorted_figure(values, title, y_title):
    """Values {label: (n,)} of the samples, sorted for each method, smallest first.

    Of many samples a line has every second, third, … and the last.
    """
    figure = go.Figure()
    for label, heights in values.items():
        n_samples = len(heights)
        shown = np.linspace(0, n_samples - 1, min(n_samples, POINTS)).round().astype(int)
        height = np.sort(heights)[shown]
        line = {"x": (shown + 1).tolist(), "y": height.tolist(), "mode": "lines"}
        figure.add_scatter(name=label, **line, **look(label))
    return framed(figure, title, HEIGHT, xaxis_title="rank of the image", yaxis_title=y_title)
