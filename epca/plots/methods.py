"""Methods side by side: each has one colour, dash and marker in every chart."""

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
OTHER = (GREY, "solid", "x")  # for a method without a row above


def look(label):
    """Line and marker of a method."""
    shade, dash, symbol = LOOKS.get(label, OTHER)
    return {"line": {"color": shade, "dash": dash}, "marker": {"symbol": symbol, "color": shade}}


def colour(label):
    """The colour of a method."""
    return LOOKS.get(label, OTHER)[0]


def sorted_figure(values, title, y_title):
    """Values {label: (n,)} of the samples, sorted for each method, smallest first."""
    figure = go.Figure()
    for label, heights in values.items():
        ranks = np.arange(1, len(heights) + 1)
        figure.add_scatter(
            x=ranks.tolist(), y=np.sort(heights).tolist(), name=label, mode="lines", **look(label)
        )
    return framed(figure, title, HEIGHT, xaxis_title="rank of the image", yaxis_title=y_title)
