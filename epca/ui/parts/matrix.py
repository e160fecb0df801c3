"""The matrix of Compare: a line per method with faces and numbers, filled as fits get ready."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.experiment import Fit
from epca.registry import METHODS
from epca.ui.frame.settings import Setup
from epca.ui.parts import previews, results
from epca.ui.parts.faces import show_remembered, table
from epca.views import compare, measures
from epca.views.comparison import Comparison

PATIENCE = 0.3  # seconds of fitting after which a matrix that is not complete yet is shown


class Choice(NamedTuple):
    """What the matrix shows: methods, the ids of images, and what is drawn of these."""

    labels: tuple[str, ...]
    ids: list[int]
    show: str
    is_robust: bool = False


class Fits(NamedTuple):
    """Fits by label.

    distances : how far off their robust reconstructions are, where these are asked for; the
        errors in the rows of measures are then theirs
    """

    fits: dict[str, Fit]
    distances: dict[str, np.ndarray] | None = None
    is_preview: bool = False  # some fits are previews, and others may be missing

    def has_all(self, labels: Sequence[str]) -> bool:
        return all(label in self.fits for label in labels)


class Numbers(NamedTuple):
    """Rows of measures, as they are and for reading; `what` tells them from other ones.

    texts : what the settings make of them, and what is wrong with single fits, a line each
    """

    what: tuple
    rows: pd.DataFrame
    shown: pd.DataFrame
    texts: list[str]


def view_of(setup: Setup, labels: Sequence[str], found: Fits) -> compare.View:
    """What there is to see of the methods with these labels, as far as they are fitted."""
    chosen = {label: found.fits[label] for label in labels if label in found.fits}
    result = Comparison(setup.scenario, results.prepare(setup), chosen, found.is_preview)
    return compare.View(result, found.distances)


def numbers_of(
    choice: Choice,
    view: compare.View,
    found: Fits,
    accuracies: Mapping[str, tuple[float, float]] | None = None,
) -> Numbers:
    """The measures of the methods that are fitted so far, made once for all who see them.

    accuracies : see `measures.measures`
    """
    failures = tuple((label, fit.row.get("failure")) for label, fit in found.fits.items())
    what = (choice.labels, view.what, failures, *(accuracies or {}).items())

    def make() -> Numbers:
        rows = measures.measures(choice.labels, found.fits, view.prepared, accuracies)
        shown = measures.readable(rows)
        texts = [*compare.remarks(view.result, rows), *compare.notes(shown)]
        return Numbers(what, rows, shown, texts)

    return results.remember(view.result, ("numbers", what), make)


def fit_all(setup: Setup, choice: Choice) -> tuple[DeltaGenerator, Fits]:
    """Fit PCA and the chosen methods; the place of the matrix, which fills as each is ready.

    Where that takes long, previews come first, but not of robust reconstructions, which take longer
    still.
    """
    labels = measures.with_pca(choice.labels)
    has_preview = any(METHODS[label].has_preview for label in choice.labels)
    with previews.place(setup):
        soon = previews.ahead(setup, labels) if has_preview and not choice.is_robust else {}
    place = st.container(key="main_picture").empty()
    if soon:
        return place, _with_previews(setup, labels, soon)
    return place, _fit_exactly(setup, choice, place)


def _fit_exactly(setup: Setup, choice: Choice, place: DeltaGenerator) -> Fits:
    found = Fits({}, {} if choice.is_robust else None)
    shown = time.monotonic()
    labels = measures.with_pca(choice.labels)
    with results.fits(setup, labels) as fits:
        for label, fit in zip(labels, fits, strict=True):
            _add(setup, label, fit, found)
            if time.monotonic() - shown > PATIENCE:
                with place:  # a key of its own: one must not appear twice in a run
                    view = view_of(setup, choice.labels, found)
                    numbers = numbers_of(choice, view, found)
                    show(setup, choice, view, numbers, key=f"matrix_with_{len(found.fits)}")
                shown = time.monotonic()
    return found


def _with_previews(setup: Setup, labels: Sequence[str], soon: Mapping[str, Fit]) -> Fits:
    """The previews, and what else is fitted already."""
    fits = {label: results.fit_request(setup, label).peek() for label in labels}
    fits |= {label: measures.as_preview(fit) for label, fit in soon.items()}
    ready = {label: fit for label, fit in fits.items() if fit is not None}
    return Fits(ready, is_preview=True)


def _add(setup: Setup, label: str, fit: Fit | None, found: Fits) -> None:
    """Add the fit of one method; the page ends where it was cancelled."""
    if fit is None:
        st.stop()
    if found.distances is not None and fit.model is not None:
        distances = results.robust_distances(setup, label, fit)
        if distances is None:
            st.stop()
        found.distances[label] = distances
        fit = fit._replace(row=measures.robust(fit.row, distances, results.prepare(setup)))
    found.fits[label] = fit


def show(
    setup: Setup, choice: Choice, view: compare.View, numbers: Numbers, key: str = "matrix"
) -> None:
    """A line per method: its faces, or why there are none yet, and its row of measures."""

    def make() -> dict[str, Any]:
        rows = numbers.rows
        failures = {row["method"]: row["failure"] for row in rows.to_dict("records")}
        stages = view.matrix(choice.labels, choice.ids, choice.show, failures)
        return table(
            stages,
            choice.ids,
            corner=view.scale_text(stages),
            label_width=6.6,
            lines=compare.lines(setup.scenario, rows, choice.labels),
            measures=compare.headings(rows),
            n_sticky=len(view.heads(choice.ids, choice.show)),
        )

    what = ("matrix", numbers.what, choice.show, *choice.ids)
    show_remembered(view.result, what, make, key=key)


def show_components(view: compare.View) -> None:
    """A line per method with its first components."""
    st.header("Components")
    st.markdown(
        f"The first {view.n_components} directions of each method, largest weighted variance "
        "first; mid-grey is zero, one scale for all."
    )

    def make() -> dict[str, Any]:
        look = {"what": "components", "lines": view.colours(), "spare": 14, "largest": 4.5}
        return table(view.components(), view.component_numbers, **look)

    show_remembered(view.result, ("components", view.what), make, key="components")
