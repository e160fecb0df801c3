"""The present place of the page Tune: EPCA at the chosen σ and c, and its row to take away."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from epca.choosing import estimated_error
from epca.tasks import ESTIMATED, SWEPT
from epca.ui.frame.settings import Setup
from epca.ui.parts import previews, results
from epca.views import texts
from epca.views.comparison import Comparison
from epca.views.tune import View


class Present(NamedTuple):
    """What the page shows of the present place."""

    pca_error: float  # NaN where it is not known
    pca_model: Any  # None where it could not be fitted
    epca: Comparison | None  # None where it was cancelled or failed, which is said


def fit(setup: Setup) -> Present:
    """PCA and EPCA at the chosen σ and c, or a preview of these, which says so."""
    with previews.place(setup):
        soon = previews.ahead(setup, results.COMPARED)
        pca, epca = (soon.get(label) or results.fit(setup, label) for label in results.COMPARED)
    error, model = (pca.row.get("error", np.nan), pca.model) if pca else (np.nan, None)
    if epca is not None and epca.model is None:
        st.error(texts.failure("EPCA", epca.row))
        epca = None
    now = None
    if epca is not None:
        now = previews.comparison(setup, {"EPCA": epca}, is_preview="EPCA" in soon)
    return Present(error, model, now)


def columns(view: View) -> tuple[str, ...]:
    """Those of the tables that are shown."""
    return SWEPT if view.estimate is None else (*SWEPT, *ESTIMATED)


def note(view: View, now: Comparison) -> None:
    """Put the row of the chosen σ and c first in the downloads."""
    row = dict(now.rows["EPCA"])
    if view.estimate is not None:
        reconstruction = now.models["EPCA"].reconstruct(view.prepared.occluded.X)
        row["estimated_error"] = estimated_error(view.estimate, reconstruction)
        row["no_estimate"] = view.estimate.reason
    table = pd.DataFrame([row]).reindex(columns=columns(view))
    view.parts = {"now": ([view.exponent], [view.c], table), **view.parts}
