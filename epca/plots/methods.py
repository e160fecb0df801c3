"""Methods beside each other: one colour, dash and marker for each, the same in every chart."""

import numpy as np
import plotly.graph_objects as go

LOOKS = {  # label → colour of Okabe and Ito's palette (grey for PCA: black is lost on dark), dash, marker
    "EPCA": ("#0072B2", "solid", "circle"),
    "PCA": ("#7F7F7F", "dot", "square"),
    "R1PCA": ("#E69F00", "dash", "diamond"),
    "L1PCA": ("#009E73", "dashdot", "triangle-up"),
    "L1PCA-NG": ("#009E73", "longdash", "triangle-down"),
    "RSPCA": ("#CC79A7", "dot", "star"),
    "LpPCA": ("#56B4E9", "dash", "cross"),
    "PCA-OM": ("#D55E00", "dashdot", "hexagon"),
    "PCA-AN": ("#CC79A7", "longdash", "pentagon"),
}
OTHER = ("#808080", "solid", "x")  # a method added since


def look(label):
    """Line and marker of a method."""
    colour, dash, symbol = LOOKS.get(label, OTHER)
    return {"line": {"color": colour, "dash": dash}, "marker": {"symbol": symbol, "color": colour}}


def sorted_figure(values, title, y_title):
    """label → values (n,) of the samples, each method's in its own order, smallest first."""
    figure = go.Figure()
    for label, heights in values.items():
        ranks = np.arange(1, len(heights) + 1)
        figure.add_scatter(x=ranks.tolist(), y=np.sort(heights).tolist(), name=label, mode="lines", **look(label))
    figure.update_layout(
        title=title, height=380, margin={"l": 60, "r": 10, "t": 40, "b": 50}, legend={"orientation": "h", "y": -0.25}
    )
    figure.update_xaxes(title="rank of the image")
    figure.update_yaxes(title=y_title)
    return figure
