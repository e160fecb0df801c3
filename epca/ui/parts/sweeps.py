"""Sweeps over σ and c: asked for by a switch, computed in the background, drawn to be clicked."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.plots.tune import Axis, Mark
from epca.ui.frame import links
from epca.ui.frame.controls import CONTROLS, labelled
from epca.ui.frame.drawing import draw
from epca.ui.frame.settings import EXPONENTS, Setup, ranks_for
from epca.ui.jobs import bars
from epca.ui.parts import charts, results
from epca.ui.parts.clickable import set_button, show_chart, show_clickable
from epca.views.choice import PICKED, THUMB, Choice, FineSearch, end_warning, estimate_text
from epca.views.grids import Grid, finer, grid
from epca.views.points import Points
from epca.views.suggestion import sigma_advice
from epca.views.texts import sigma_text
from epca.views.tune import MAP_VALUES, NO_TRUTH, View, estimate_mark, lowest_mark


class Sweep(NamedTuple):
    """One of the sweeps that share the page's place."""

    switch: str  # the key of the control that asks for it
    title: str  # of the work in the background


SWEEPS = {
    "sigma": Sweep("sweep", "σ sweep"),
    "rank": Sweep("csweep", "c sweep"),
    "map": Sweep("map", "σ × c map"),
}
FINE_SEARCH = Sweep("fine", "fine search")


def show(setup: Setup, view: View, below: DeltaGenerator) -> str:
    """The sweep that is chosen, if its switch asks for it; `below` is for what else it tells.

    The switches of the others stay in the address; their fits, once computed, in the downloads.
    What is chosen is returned: a sweep's name, or "suggest".
    """
    row = st.container(key="sweep_head", horizontal=True, vertical_alignment="center")
    chosen = _choose(row)
    for name, sweep in SWEEPS.items():
        place = row if name == chosen else links.carrier(sweep.switch)
        places = _grid(name, view)
        is_wanted = _is_wanted(sweep, place)
        if name == chosen:
            points = _swept(setup, view, sweep.title, places) if is_wanted else None
            if not is_wanted:
                results.leave_estimate()
            SHOWS[name](setup, view, points, row, below)
        elif is_wanted:
            _take_along(setup, view, sweep.title, places)
    return chosen


def _take_along(setup: Setup, view: View, title: str, places: Grid) -> None:
    """Have the fits of a sweep that is not shown in the downloads, if they were computed."""
    found = results.cached_estimate(setup)
    estimate = found and found.estimate
    points = results.cached_sweep(results.sweep_request(setup, title, *places, estimate))
    if points is not None:
        view.parts[title] = (*places, points.table)
        view.estimate = estimate


def _choose(place: DeltaGenerator) -> str:
    """What is chosen: before a visitor chooses, the first thing that a switch asks for."""
    control = CONTROLS["part"]
    if not links.text_of(control.key):
        asked = [name for name, sweep in SWEEPS.items() if _is_on(sweep.switch)]
        is_asked = links.text_of("suggest") or not asked
        st.session_state[control.key] = "suggest" if is_asked else asked[0]
    return draw(control, place=place, required=True, label_visibility="collapsed")


def _is_on(switch: str) -> bool:
    """Whether the session or a new visitor's link has this switch on."""
    return str(links.text_of(switch)).lower() == "true"


def _is_wanted(sweep: Sweep, place: DeltaGenerator) -> bool:
    """Draw the sweep's switch; where it is off, nobody waits for its fits."""
    options = {"on_change": bars.begin_again, "args": (sweep.title,)}
    is_on = draw(CONTROLS[sweep.switch], place=place, **options)
    if not is_on:
        bars.leave(sweep.title)
    return is_on


def _grid(name: str, view: View) -> Grid:
    return grid(name, view.exponent, view.c, EXPONENTS, ranks_for(view.images).high)


def _show_sigma(
    setup: Setup, view: View, points: Points | None, row: DeltaGenerator, below: DeltaGenerator
) -> None:
    """The sweep over σ; below it what it proposes, its weights to drag through, a fine search."""
    if points is None:
        st.caption(f"{len(EXPONENTS)} fits at c = {view.c} show what σ does to the error and to k.")
        return
    choice = Choice(view, points)
    _show_curves(view, "sigma", points, points.sigma_axis, choice.marks, below)
    with below:
        _show_estimate(view, points, "sigma")
        _show_choice(choice)
        st.markdown(
            "Drag through σ: the weights α > 0 and their numbers (the error against PCA's) follow "
            "without a new fit."
        )
        alt = "Weights α of every σ, with a slider"
        show_chart(view, view.live_figure(points), "live", alt=alt)
        if choice.best is not None:
            _show_fine(setup, view, choice.best)


def _show_rank(
    setup: Setup, view: View, points: Points | None, row: DeltaGenerator, below: DeltaGenerator
) -> None:
    """The sweep over c, and the scree with its cut-off at c: in its place until it is there."""
    shares = results.variance_shares(setup)
    if shares is None:
        return
    scree = view.scree_figure(shares, ranks_for(view.images).high)
    below.markdown(view.scree_text(shares))
    if points is None:
        show_clickable(view, scree, "scree", fills=True)
        return
    marks = [view.c_now]
    if points.best is not None:
        best = int(points.table["n_components"].iloc[points.best])
        marks.append(lowest_mark(best))
    if points.best_estimate is not None:
        marks.append(estimate_mark(points, points.rank_axis))
    _show_curves(view, "rank", points, points.rank_axis, marks, below)
    with below:
        _show_estimate(view, points, "c")
    show_clickable(view, scree, "scree", place=below)


def _show_map(
    setup: Setup, view: View, points: Points | None, row: DeltaGenerator, below: DeltaGenerator
) -> None:
    """σ × c as cells to click."""
    if points is None:
        exponents, ranks = _grid("map", view)
        st.caption(f"{len(exponents) * len(ranks)} fits show σ and c together.")
        return
    shown = _choose_value(view.map_values(points), row)
    show_clickable(view, view.map_figure(points, shown), "map_chart", fills=True)
    text = "The frame marks the present setting where the grid has it, ✕ a fit that collapsed."
    below.caption(text if points.best is not None else f"{text} {NO_TRUTH}")
    if points.best is not None:
        at = points.names[points.best]
        below.markdown(f"**Oracle**: the error is lowest at {at}.")
    with below:
        _show_estimate(view, points, "sigma", "c")


def _choose_value(known: list[str], place: DeltaGenerator) -> str:
    """What the map shows, among what is known."""
    control = CONTROLS["map_value"]
    if links.text_of(control.key) not in ["", *known]:  # of images whose truth is known
        st.session_state[control.key] = known[0]
    rule = labelled({name: MAP_VALUES[name].label for name in known})
    return draw(control, rule=rule, place=place, required=True, label_visibility="collapsed")


SHOWS = {"sigma": _show_sigma, "rank": _show_rank, "map": _show_map}


def _swept(setup: Setup, view: View, title: str, places: Grid) -> Points | None:
    """The fits, if they are ready and did not all fail; they wait for the estimate first."""
    found = results.estimate(setup)
    if found is None and results.is_estimating():
        return None
    estimate = found and found.estimate
    points = results.sweep(results.sweep_request(setup, title, *places, estimate))
    if points is None:
        return None
    if found is not None:
        view.no_estimate = found.reason
    view.estimate = estimate
    view.parts[title] = (*places, points.table)
    for note in points.notes:
        st.warning(note)
    return points if points.is_fitted.any() else None


def _show_curves(
    view: View,
    key: str,
    points: Points,
    axis: Axis,
    marks: list[Mark],
    below: DeltaGenerator,
) -> None:
    """What needs the clean images, and what does not, side by side. A click sets σ and c."""
    if view.images.is_occluded:
        st.info(NO_TRUTH)
    place = charts.wide_row(key, least="12rem")
    for name, figure in view.curves(key, points, axis, marks).items():
        alt = f"{figure.layout.title.text}, over {axis.title}"
        if name.endswith("_weights"):
            show_clickable(view, figure, name, alt=alt, place=below)
        else:
            show_clickable(view, figure, name, alt=alt, place=place, fills=True)


def _show_estimate(view: View, points: Points, *keys: str) -> None:
    """Where the estimated error is lowest, in words, and a button that sets σ or c to it."""
    if points.best_estimate is None:
        return
    st.markdown(estimate_text(points))
    if warning := end_warning(points, view.estimate):
        st.warning(warning)
    place = dict(zip(("sigma", "c"), points.choices[points.best_estimate], strict=True))
    names = {"sigma": f"σ = {sigma_text(place['sigma'])}", "c": f"c = {place['c']}"}
    label = ", ".join(names[key] for key in keys)
    set_button(f"Set {label} (estimate)", "set_estimate", {key: place[key] for key in keys})


def _show_choice(choice: Choice) -> None:
    """What the oracle and we propose, in words; a button for each sets its σ."""
    if choice.best is not None:
        st.markdown(choice.oracle_text)
    st.markdown(choice.proposal_text)
    if choice.proposal is not None:
        st.markdown(sigma_advice())
        st.caption(PICKED)
    with st.container(horizontal=True):
        if choice.proposal is not None:
            _set_sigma(choice.proposal, f" ({THUMB})", "set_proposal")
        if choice.best is not None:
            _set_sigma(choice.best, " (oracle)", "set_best")


def _set_sigma(exponent: int, label: str, key: str) -> None:
    set_button(f"Set σ = {sigma_text(exponent)}{label}", key, {"sigma": exponent})


def _show_fine(setup: Setup, view: View, coarse: int) -> None:
    """The search between the neighbours of the best σ of the sweep."""
    if not _is_wanted(FINE_SEARCH, st.container()):
        return
    points = _swept(setup, view, FINE_SEARCH.title, (finer(coarse, EXPONENTS), [view.c]))
    if points is None or points.best is None:
        return
    found = FineSearch(points, coarse)
    show_chart(view, found.figure, "fine_curve")
    st.markdown(found.text)
    _set_sigma(found.nearest, " (nearest)", "set_fine")
