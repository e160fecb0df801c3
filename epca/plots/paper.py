"""The paper's Figs. 2, 3 and 4, and its Table I as a picture."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from epca.palette import BLUE, GREEN, GREY, VERMILION
from epca.plots.frame import MARGIN

LINES = [(BLUE, "solid"), (VERMILION, "dash"), (GREEN, "dot")]
HEIGHT = 360


def loss_figure(x, panels):
    """Fig. 2: losses of a number; panels map a title to {name: values over x}."""
    figure = make_subplots(1, len(panels), subplot_titles=list(panels))
    for column, curves in enumerate(panels.values(), start=1):
        for (name, values), (colour, dash) in zip(curves.items(), LINES, strict=False):
            line = {"color": colour, "dash": dash}
            trace = go.Scatter(
                x=list(x),
                y=list(values),
                name=name,
                line=line,
                legendgroup=name,
                showlegend=column == 1,
            )
            figure.add_trace(trace, 1, column)
    figure.update_xaxes(title="residual")
    return _titled(figure, "Fig. 2: the σ-loss between its limits", "loss")


def sigma_figure(table):
    """Fig. 3: error over log₂ σ; table has columns dataset, exponent, mean, std."""
    return _titled(
        _curves(table, "exponent"),
        "Fig. 3: error over σ at c = 10",
        "reconstruction error",
        "log₂ σ",
    )


def rank_figure(table):
    """Fig. 4: k over c; table has columns dataset, n_components, mean, std, collapsed. Crosses: a seed collapsed."""
    figure = _curves(
        table,
        "n_components",
        symbols=["x" if share > 0 else "circle" for share in table["collapsed"]],
    )
    return _titled(figure, "Fig. 4: activated samples k over c (×: collapse)", "k", "c")


def difference_figure(table):
    """Difference from the paper's errors in percent, a dot per rank and method; table is a summary.

    Data sets that are not the paper's own crop (they have a note) are shown when their name is clicked, or if there are no others.
    """
    table = table[table["error_difference"].notna()]
    own = (table["note"] == "").any()
    figure = go.Figure()
    for i, (dataset, part) in enumerate(table.groupby("dataset", sort=False)):
        labels = [f"{row.method} {row.rule}".strip() for row in part.itertuples()]
        hover = [
            f"{dataset}, {label}, c = {c}"
            for label, c in zip(labels, part["n_components"], strict=True)
        ]
        figure.add_scatter(
            x=labels, y=list(100 * part["error_difference"]), mode="markers", marker={"symbol": i, "size": 9}, name=dataset,
            visible="legendonly" if own and part["note"].iloc[0] else True, showlegend=True,
            text=hover, hovertemplate="%{text}: %{y:+.1f}%<extra></extra>",
        )  # fmt: skip
    figure.add_hrect(-5, 5, fillcolor=GREY, opacity=0.15, line_width=0)
    return _titled(figure, "Error against the paper's Table I (band: 5%)", "difference in %")


def _curves(table, x, symbols=None):
    """One panel per data set, each with its own scale, mean and sd."""
    names = list(dict.fromkeys(table["dataset"]))
    figure = make_subplots(1, max(len(names), 1), subplot_titles=names)
    for column, name in enumerate(names, start=1):
        chosen = (table["dataset"] == name).to_numpy()
        part = table[chosen]
        own = (
            [symbol for symbol, here in zip(symbols, chosen, strict=True) if here]
            if symbols
            else "circle"
        )
        marker = {"color": BLUE, "size": 8, "symbol": own}
        error = {
            "type": "data",
            "array": list(part["std"].fillna(0)),
            "color": GREY,
            "thickness": 1,
        }
        trace = go.Scatter(
            x=list(part[x]),
            y=list(part["mean"]),
            error_y=error,
            marker=marker,
            mode="lines+markers",
            name=name,
        )
        figure.add_trace(trace, 1, column)
    figure.update_layout(showlegend=False)
    return figure


def _titled(figure, title, y_title, x_title=None):
    figure.update_layout(title=title, height=HEIGHT, margin=MARGIN | {"t": 60}, yaxis_title=y_title)
    if x_title:
        figure.update_xaxes(title=x_title)
    return figure
