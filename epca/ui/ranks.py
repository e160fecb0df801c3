"""The part of the page Tune that is about the rank c: scree, sweep over c, map over σ and c."""

import numpy as np
import streamlit as st

from epca.plots.tune import BEST, NOW, Mark, Panel, curves_figure, map_figure
from epca.ui import charts, tune
from epca.ui.settings import EXPONENTS, highest_rank, sigma_text

COARSE, RANKS = EXPONENTS[::4], (5, 10, 20, 30, 40, 50, 70, 100)  # of the map


def rank_axis(high):
    """About twenty ranks up to the highest."""
    step = max(1, high // 20)
    return range(step, high + 1, step)


def show_rank(view):
    """The scree with its cut-off at c, and the sweep over c."""
    high = highest_rank(view.images)
    shares = view.prepared.reduction.variances / view.prepared.reduction.variances.sum()
    x = np.arange(1, min(high, len(shares)) + 1)
    panels = [
        Panel("share of variance", shares[: len(x)], "~%"),
        Panel("kept up to c", np.cumsum(shares)[: len(x)], "~%"),
    ]
    now = Mark(view.c, "c now", NOW, "solid")
    choices = [[view.exponent, int(c)] for c in x]
    figure = curves_figure(
        "Scree of PCA: click to cut off", "rank c", x, panels, choices=choices, marks=[now]
    )
    charts.show(figure, "scree", on_select=lambda: tune.take("scree"), modes=("points",))
    st.markdown(
        f"c = {view.c} keeps {shares[: view.c].sum():.1%} of the variance, occlusion included; no clean image is needed."
    )
    ranks = rank_axis(high)
    if not tune.wish(
        "Compute the c sweep", "csweep", f"{len(ranks)} fits at the present σ. Large c take longer."
    ):
        return
    points = view.points("c sweep", (view.exponent,), ranks)
    if points is None or not points.is_fitted.any():
        return
    best = [] if points.best is None else [Mark(ranks[points.best], "lowest error", BEST, "dot")]
    tune.show_curves(view, "rank", points, "rank c", np.array(ranks), [now, *best])


def show_map(view):
    """σ × c as squares to click."""
    high = highest_rank(view.images)
    ranks = range(1, high + 1) if high < RANKS[1] else [rank for rank in RANKS if rank <= high]
    if not tune.wish(
        "Compute the map",
        "map",
        f"{len(COARSE) * len(ranks)} fits; it takes a while, and can be cancelled.",
    ):
        return
    points = view.points("σ × c map", COARSE, ranks)
    if points is None or not points.is_fitted.any():
        return
    has_error = points.best is not None
    label, values = (
        ("error (oracle)", points.table["error"])
        if has_error
        else ("activated k", points.table["n_activated"])
    )
    known = np.flatnonzero(np.isfinite(values.to_numpy(float)))
    choices = [points.choices[i] for i in known]
    options = {
        "now": [view.exponent, view.c],
        "collapsed": points.table["collapsed"].to_numpy()[known],
    }
    figure = map_figure(label, choices, values.to_numpy(float)[known], **options)
    charts.show(figure, "map_chart", on_select=lambda: tune.take("map_chart"), modes=("points",))
    st.caption(
        "The frame marks the present setting where the grid has it, ✕ a fit that collapsed."
        + ("" if has_error else f" {tune.NO_TRUTH} Colour is k.")
    )
    if has_error:
        exponent, c = points.choices[points.best]
        st.markdown(f"**Oracle**: the error is lowest at σ = {sigma_text(exponent)}, c = {c}.")
