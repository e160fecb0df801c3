"""The setting pinned as A beside the present one, B."""

import pandas as pd
import streamlit as st

from epca.plots.samples import alpha_pair_figure
from epca.ui.frame.pinning import unpin
from epca.ui.frame.settings import Setup
from epca.ui.parts import charts, pictures, results
from epca.views.comparison import OCCLUDED, Comparison


def show(setup: Setup, now: Comparison) -> None:
    """Settings, numbers, weights and faces of A and B; nothing where nothing is pinned."""
    if setup.pinned is None:
        return
    st.header("A, pinned, beside B, now")
    pinned = results.compare(setup.pinned)
    st.table(table({"A, pinned": (setup.pinned, pinned), "B, now": (setup, now)}))
    alphas = [result.models["EPCA"].alpha_ for result in (pinned, now)]
    charts.show(alpha_pair_figure(*alphas), "alpha_pair")
    for name, result in (("A", pinned), ("B", now)):
        rows = {f"{name}: {label}": result.stages[label] for label in (OCCLUDED, "EPCA")}
        pictures.show_rows(rows, result.shown)
    st.button("Unpin A", on_click=unpin, help="Ends the comparison; B stays.")


def table(columns: dict[str, tuple[Setup, Comparison]]) -> pd.DataFrame:
    """Settings and numbers by row, A and B by column; all as text."""
    facts = {}
    for name, (setup, result) in columns.items():
        numbers = {label: number for label, (number, _) in result.numbers.items()}
        further = {
            "The weights' share of the objective": result.weights_share,
            "Iterations": str(result.models["EPCA"].n_iter_),
        }
        facts[name] = dict(setup.texts) | numbers | further
    return pd.DataFrame(facts).rename_axis("setting or number")
