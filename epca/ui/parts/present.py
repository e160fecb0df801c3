"""The present place of the page Tune: EPCA at the chosen σ and c, and its row to take away."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from epca.choosing import estimated_error
from epca.tasks import ESTIMATED, SWEPT
from epca.ui.frame.settings import Setup
from epca.ui.parts import results
from epca.views import texts
from epca.views.comparison import Comparison
from epca.views.tune import View


def pca(setup: Setup) -> tuple[float, Any]:
    """PCA's error at the present c, and its model; NaN and None where they are not known."""
    fit = results.fit(setup, "PCA")
    return (fit.row.get("error", np.nan), fit.model) if fit else (np.nan, None)


def fit(setup: Setup) -> Comparison | None:
    """EPCA at the chosen σ and c; None where it was cancelled or failed, which is said."""
    fit = results.fit(setup, "EPCA")
    if fit is None:
        return None
    if fit.model is None:
        st.error(texts.failure("EPCA", fit.row))
        return None
    return Comparison(setup.scenario, results.prepare(setup), {"EPCA": fit})


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
