"""The matrix of Compare: a line per method with faces and numbers, filled as fits get ready."""

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from epca.experiment import Fit
from epca.ui.frame.settings import Setup
from epca.ui.parts import results
from epca.ui.parts.faces import show_faces
from epca.views import compare, measures
from epca.views.comparison import Comparison

PATIENCE = 0.3  # seconds of fitting after which a matrix that is not complete yet is shown


class Choice(NamedTuple):
    """What the matrix shows: methods, the ids of images, and what is drawn of these."""

    labels: tuple[str, ...]
    ids: list[int]
    show: str


def view_of(setup: Setup, labels: Sequence[str], fits: Mapping[str, Fit]) -> compare.View:
    """What there is to see of the methods with these labels, as far as they are fitted."""
    chosen = {label: fits[label] for label in labels if label in fits}
    return compare.View(Comparison(setup.scenario, results.prepare(setup), chosen))


def fit_all(setup: Setup, choice: Choice, place: DeltaGenerator) -> dict[str, Fit]:
    """Fit PCA and the chosen methods; the matrix at the place fills as each is ready."""
    prepared = results.prepare(setup)
    fits = {}
    shown = time.monotonic()
    for label in measures.with_pca(choice.labels):
        fits[label] = results.fit(setup, label)
        if fits[label] is None:
            st.stop()
        if time.monotonic() - shown > PATIENCE:
            rows = measures.measures(choice.labels, fits, prepared)
            with place:  # a key of its own: one must not appear twice in a run
                view = view_of(setup, choice.labels, fits)
                show(setup, choice, view, rows, key=f"matrix_with_{len(fits)}")
            shown = time.monotonic()
    return fits


def show(
    setup: Setup, choice: Choice, view: compare.View, rows: pd.DataFrame, key: str = "matrix"
) -> None:
    """A line per method: its faces, or why there are none yet, and its row of measures."""
    failures = {row["method"]: row["failure"] for row in rows.to_dict("records")}
    stages = view.matrix(choice.labels, choice.ids, choice.show, failures)
    show_faces(
        stages,
        choice.ids,
        key=key,
        corner=view.scale_text(stages),
        label_width=6.6,
        lines=compare.lines(setup.scenario, rows, choice.labels),
        measures=compare.headings(rows),
        n_sticky=compare.HEADS,
    )
