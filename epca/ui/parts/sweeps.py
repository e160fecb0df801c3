"""Sweeps over σ and c: asked for by a switch, computed in the background, drawn to be clicked."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from epca.plots.tune import BEST, Mark
from epca.tasks import SWEPT as COLUMNS
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.settings import EXPONENTS, Setup, ranks_for
from epca.ui.jobs import bars
from epca.ui.parts import charts, results
from epca.views.choice import THUMB, Choice, FineSearch
from epca.views.points import Points
from epca.views.texts import sigma_text
from epca.views.tune import NO_TRUTH, View

__all__ = ["COLUMNS", "note_present", "pca_error", "present", "show_map", "show_rank", "show_sigma"]

FINE = tuple(i / 4 for i in range(-4, 5))  # from the best σ's lower neighbour to its upper one
COARSE = EXPONENTS[::4]  # of the map
RANKS = (5, 10, 20, 30, 40, 50, 70, 100)  # of the map


def pca_error(setup: Setup) -> float:
    """PCA's error at the present c; NaN where it is not known."""
    fit = results.fit(setup, "PCA")
    return fit.row.get("error", np.nan) if fit else np.nan


def present(setup: Setup, view: View) -> tuple[dict[str, Any], np.ndarray | None] | None:
    """EPCA's row and residuals (n,) at the chosen σ and c; None where the fit was cancelled.

    Where the σ sweep is on and cached, they are taken from it: moving along it fits nothing.
    """
    if st.session_state.get("sweep"):
        points = results.cached_sweep(setup, EXPONENTS, (view.c,))
        if points is not None:
            at = EXPONENTS.index(view.exponent)
            return points.table.iloc[at].to_dict(), points.residuals[:, at].astype(float)
    fit = results.fit(setup, "EPCA")
    if fit is None:
        return None
    X = view.prepared.occluded.X
    return fit.row, None if fit.model is None else fit.model.residuals(X)


def note_present(view: View, row: dict[str, Any]) -> None:
    """Add the row of the chosen σ and c to the downloads."""
    table = pd.DataFrame([row]).reindex(columns=COLUMNS)
    view.parts["now"] = ([view.exponent], [view.c], table)


def show_sigma(setup: Setup, view: View) -> None:
    """The sweep over σ, its weights to drag through, and the fine search."""
    points = _swept(setup, view, "sweep", "σ sweep", EXPONENTS, (view.c,))
    if points is None:
        return
    choice = Choice(view, points)
    _show_curves(view, "sigma", points, "log₂ σ", points.exponents, choice.marks)
    _show_choice(choice)
    st.markdown(
        "Drag through σ: the weights α > 0 and their numbers (the error against PCA's) follow "
        "without a new fit."
    )
    charts.show(view.live_figure(points), "live", alt="Weights α of every σ, with a slider")
    if choice.best is not None:
        _show_fine(setup, view, choice.best)


def show_rank(setup: Setup, view: View) -> None:
    """The scree with its cut-off at c, and the sweep over c."""
    highest = ranks_for(view.images).high
    _show_clickable(view.scree_figure(highest), "scree")
    st.markdown(view.scree_text)
    ranks = rank_axis(highest)
    points = _swept(setup, view, "csweep", "c sweep", (view.exponent,), ranks)
    if points is None:
        return
    marks = [view.c_now]
    if points.best is not None:
        marks.append(Mark(ranks[points.best], "lowest error", BEST, "dot"))
    _show_curves(view, "rank", points, "rank c", np.array(ranks), marks)


def show_map(setup: Setup, view: View) -> None:
    """σ × c as squares to click."""
    highest = ranks_for(view.images).high
    ranks = [rank for rank in RANKS if rank <= highest]
    if highest < RANKS[1]:
        ranks = range(1, highest + 1)
    points = _swept(setup, view, "map", "σ × c map", COARSE, ranks)
    if points is None:
        return
    _show_clickable(view.map_figure(points), "map_chart")
    text = "The frame marks the present setting where the grid has it, ✕ a fit that collapsed."
    if points.best is None:
        st.caption(f"{text} {NO_TRUTH} Colour is k.")
        return
    st.caption(text)
    exponent, c = points.choices[points.best]
    st.markdown(f"**Oracle**: the error is lowest at σ = {sigma_text(exponent)}, c = {c}.")


def rank_axis(highest: int) -> range:
    """About twenty ranks up to the highest."""
    step = max(1, highest // 20)
    return range(step, highest + 1, step)


def _swept(
    setup: Setup, view: View, key: str, title: str, exponents: Sequence[float], ranks: Sequence[int]
) -> Points | None:
    """The fits, if they are asked for, ready, and not all failed; notes say what did."""
    if not draw(CONTROLS[key], on_change=bars.begin_again, args=(title,)):
        bars.leave(title)
        return None
    points = results.sweep(setup, title, exponents, ranks)
    if points is None:
        return None
    view.parts[title] = (list(exponents), list(ranks), points.table)
    for note in points.notes:
        st.warning(note)
    return points if points.is_fitted.any() else None


def _take(chart: str) -> None:
    """Set σ and c to the point clicked in the chart."""
    for exponent, c in charts.chosen(chart):
        st.session_state.update(sigma=int(exponent), c=int(c))


def _show_curves(
    view: View, key: str, points: Points, x_title: str, x: np.ndarray, marks: list[Mark]
) -> None:
    """What needs the clean images, and what does not, side by side. A click sets σ and c."""
    place = charts.wide_row(key)
    if view.images.is_occluded:
        place.info(NO_TRUTH)
    for name, figure in view.curves(key, points, x_title, x, marks).items():
        alt = f"{figure.layout.title.text}, over {x_title}"
        _show_clickable(figure, name, alt=alt, place=place)


def _show_clickable(figure: go.Figure, key: str, **options: Any) -> None:
    """Show a chart whose points set σ and c when they are clicked."""
    charts.show(figure, key, on_select=lambda: _take(key), modes=("points",), **options)


def _show_choice(choice: Choice) -> None:
    """What the oracle and we propose, in words; a button for each sets its σ."""
    if choice.best is not None:
        st.markdown(choice.oracle_text)
    st.markdown(choice.proposal_text)
    if choice.proposal is not None:
        st.caption(THUMB)
    with st.container(horizontal=True):
        if choice.proposal is not None:
            _set_sigma(choice.proposal, " (proposal)", "set_proposal")
        if choice.best is not None:
            _set_sigma(choice.best, " (oracle)", "set_best")


def _set_sigma(exponent: int, label: str, key: str) -> None:
    st.button(
        f"Set σ = {sigma_text(exponent)}{label}",
        key=key,
        on_click=st.session_state.update,
        args=({"sigma": exponent},),
        help="Sets the sidebar's σ.",
    )


def _show_fine(setup: Setup, view: View, coarse: int) -> None:
    """The search between the neighbours of the best σ of the sweep."""
    steps = [coarse + step for step in FINE]
    exponents = [step for step in steps if EXPONENTS[0] <= step <= EXPONENTS[-1]]
    points = _swept(setup, view, "fine", "fine search", exponents, (view.c,))
    if points is None or points.best is None:
        return
    found = FineSearch(points, coarse)
    charts.show(found.figure, "fine_curve")
    st.markdown(found.text)
    _set_sigma(found.nearest, " (nearest)", "set_fine")
