"""The setting kept as A beside the present one, B."""

import math

import pandas as pd
import streamlit as st

from epca.corruption import KINDS
from epca.plots.samples import alpha_pair_figure
from epca.ui import charts, experiment
from epca.ui.settings import SETTINGS, decode, quoted, say, sigma_text


def restore():
    """The Setup kept by this visitor or in the link, which gets it again on every page; None without one."""
    text = st.session_state.setdefault("_kept", st.query_params.get("kept", ""))
    kept = None
    if text:
        try:
            kept = decode(text)
            st.query_params["kept"] = text
        except ValueError as error:
            say(
                f"What was kept beside cannot be shown. {quoted('kept', text)}: {str(error).replace('`', ' ')}"
            )
            st.session_state["_kept"] = ""
    if kept is None:
        st.query_params.pop("kept", None)
    return kept


def show(setup, now):
    """Settings, numbers, weights and faces of A, kept, and B, now; nothing where nothing is kept."""
    if setup.kept is None:
        return
    st.header("A, kept, beside B, now")
    kept = experiment.compare(setup.kept)
    st.table(table(kept, now))
    charts.show(
        alpha_pair_figure(kept.models["EPCA"].alpha_, now.models["EPCA"].alpha_), "alpha_pair"
    )
    for name, result in (("A", kept), ("B", now)):
        rows = {f"{name}: {label}": result.stages[label] for label in ("Occluded", "EPCA")}
        experiment.show_rows(rows, result.shown)
    forget = {"_kept": ""}
    st.button(
        "Keep A no longer",
        on_click=st.session_state.update,
        args=(forget,),
        help="Ends the comparison; B stays.",
    )


def table(kept, now):
    """Settings and numbers by row, A and B by column; all as text."""
    return pd.DataFrame({"A, kept": _facts(kept), "B, now": _facts(now)}).rename_axis(
        "setting or number"
    )


def _facts(result):
    scenario = result.scenario
    return {
        SETTINGS["dataset"].label: scenario.dataset,
        SETTINGS["kind"].label: KINDS[scenario.kind][0],
        SETTINGS["samples"].label: f"{scenario.samples:.0%}",
        SETTINGS["pixels"].label: f"{scenario.pixels:.0%}",
        SETTINGS["seed"].label: str(scenario.seed),
        SETTINGS["c"].label: str(scenario.n_components),
        SETTINGS["sigma"].label: sigma_text(math.log2(scenario.sigma)),
        "EPCA's error against PCA's": result.error_change,
        "Activated images": result.activated,
        "Clean among the activated": result.clean_activated,
        "The weights' share of the objective": result.weights_share,
        "Iterations": str(result.models["EPCA"].n_iter_),
    }
