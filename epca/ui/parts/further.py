"""Numbers of Compare that take longer, on request: clustering accuracy, several seeds."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from epca.experiment import Fit
from epca.metrics import why_not_clustered
from epca.ui.frame.controls import CONTROLS
from epca.ui.frame.drawing import draw
from epca.ui.frame.settings import Setup
from epca.ui.parts import results
from epca.views import measures, seeds


def cluster(
    setup: Setup, labels: Sequence[str], fits: Mapping[str, Fit]
) -> tuple[dict[str, tuple[float, float]], int]:
    """Label → clustering accuracy of each fit, and the runs of k-means, if they are asked for."""
    reason = why_not_clustered(setup.images.labels)
    is_asked = draw(CONTROLS["cluster"], disabled=bool(reason))
    if reason:
        st.caption(reason)
    if reason or not is_asked:
        return {}, 0
    runs = draw(CONTROLS["runs"])
    found = {}
    for label in labels:
        if fits[label].model is not None:
            found[label] = results.accuracy(setup, label, fits[label], runs)
            if found[label] is None:
                return {}, 0
    return found, runs


def over_seeds(setup: Setup, labels: Sequence[str]) -> tuple[pd.DataFrame | None, int]:
    """Rows of measures over several seeds and how many, if they are asked for and ready."""
    if not draw(CONTROLS["repeat"]):
        results.leave_seeds()
        return None, 0
    count = draw(CONTROLS["seeds"])
    rows = results.over_seeds(setup, measures.with_pca(labels), count)
    if rows is None:
        return None, 0
    chosen = seeds.against_pca(rows, labels, setup.images.squared_length)
    for note in seeds.hidden_by_means(chosen):
        st.warning(note)
    return chosen, count
