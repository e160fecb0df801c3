"""The paper's Figs. 2, 3 and 4, and its Table I as a picture."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from epca.palette import BLUE, GREEN, GREY, VERMILION
from epca.plots.frame import MARGIN

LINES = [(BLUE, "solid"), (VERMILION, "dash"), (GREEN, "dot")]
HEIGHT = 360


def loss_figure(x, panels):
    """Fig. 2: losses of a number x. A panel is title → {name: values over x}."""
    figure = make_subplots(1, len(panels), subplot_titles=list(panels))
    for column, curves in enumerate(panels.values(), start=1):
        for (name, values), (colour, dash) in zip(curves.items(), LINES, strict=False):
            line = {"color": colour, "dash": dash}
            look = {"name": name, "line": line, "legendgroup": name, "showlegend": column == 1}
            figure.add_scatter(x=list(x), y=list(values), row=1, col=column, **look)
    figure.update_xaxes(title="residual")
    return _titled(figure, "Fig. 2: the σ-loss between its limits", "loss")


def sigma_figure(table):
    """Fig. 3: error over log₂ σ; the table has columns dataset, method, exponent, mean, std."""
    figure = _curves(table.assign(symbol="circle"), "exponent")
    return _titled(figure, "Fig. 3: error over σ at c = 10", "reconstruction error", "log₂ σ")


def rank_figure(table):
    """Fig. 4: k over c, with a cross where the fit of some seed collapsed.

    The table has columns dataset, method, n_components, mean, std, collapsed.
    """
    symbols = table["collapsed"].gt(0).map({True: "x", False: "circle"})
    figure = _curves(table.assign(symbol=symbols), "n_components")
    return _titled(figure, "Fig. 4: activated samples k over c (×: collapse)", "k", "c")


def difference_figure(table):
    """Difference of a summary's errors from the paper's in percent, a dot per rank and method.

    A data set with a note is not the paper's own. If others are there, it is hidden until its name
    is clicked.
    """
    table = table[table["error_difference"].notna()]
    has_own = (table["note"] == "").any()
    figure = go.Figure()
    for i, (dataset, part) in enumerate(table.groupby("dataset", sort=False)):
        labels = [f"{row.method} {row.rule}".strip() for row in part.itertuples()]
        hover = [
            f"{dataset}, {label}, c = {c}"
            for label, c in zip(labels, part["n_components"], strict=True)
        ]
        is_hidden = has_own and part["note"].iloc[0] != ""
        figure.add_scatter(
            x=labels,
            y=list(100 * part["error_difference"]),
            mode="markers",
            marker={"symbol": i, "size": 9},
            name=dataset,
            visible="legendonly" if is_hidden else True,
            showlegend=True,
            text=hover,
            hovertemplate="%{text}: %{y:+.1f}%<extra></extra>",
        )
    figure.add_hrect(-5, 5, fillcolor=GREY, opacity=0.15, line_width=0)
    return _titled(figure, "Error against the paper's Table I (band: 5%)", "difference in %")


def _curves(table, x):
    """Mean and sd over x: one panel for each data set and method, each with its own scale.

    Its title names the method only if there are several.
    """
    parts = dict(iter(table.groupby(["dataset", "method"], sort=False)))
    if table["method"].nunique() > 1:
        names = [f"{dataset}, {method}" for dataset, method in parts]
    else:
        names = [dataset for dataset, _ in parts]
    figure = make_subplots(1, max(len(names), 1), subplot_titles=names)
    for column, (name, part) in enumerate(zip(names, parts.values(), strict=True), start=1):
        spread = list(part["std"].fillna(0))
        figure.add_scatter(
            x=list(part[x]),
            y=list(part["mean"]),
            error_y={"type": "data", "array": spread, "color": GREY, "thickness": 1},
            marker={"color": BLUE, "size": 8, "symbol": list(part["symbol"])},
            mode="lines+markers",
            name=name,
            row=1,
            col=column,
        )
    return figure.update_layout(showlegend=False)


def _titled(figure, title, y_title, x_title=None):
    figure.update_layout(title=title, height=HEIGHT, margin=MARGIN | {"t": 60}, yaxis_title=y_title)
    if x_title:
        figure.update_xaxes(title=x_title)
    return figure
