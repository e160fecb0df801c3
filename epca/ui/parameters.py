"""Controls for the methods' own parameters, beside rank and σ, with what each does."""

from dataclasses import replace

import streamlit as st

from epca.baselines.l1pca_ng import INITS
from epca.baselines.rspca import THRESHOLDS
from epca.registry import METHODS

BOUNDS = {  # (method, parameter) → options of its number field, or the choices
    ("EPCA", "gamma"): {"min_value": 1.0, "max_value": 100.0, "step": 0.5},
    ("R1PCA", "tau"): {"min_value": 0.001, "step": 10.0},
    ("L1PCA-NG", "init"): INITS,
    ("RSPCA", "n_nonzero"): {"min_value": 1, "step": 1},
    ("RSPCA", "threshold"): tuple(THRESHOLDS),
    ("LpPCA", "p"): {"min_value": 1.0, "max_value": 10.0, "step": 0.1},
    ("PCA-AN", "n_active"): {"min_value": 0.01, "max_value": 0.99, "step": 0.05},
}


def ask(setup):
    """Show the chosen methods' own parameters; return the Setup with those that differ from their defaults."""
    found = []
    with st.expander("Each method's own parameters"):
        for label in setup.methods:
            method = METHODS[label]
            st.markdown(f"**{label}**: ${method.objective}$  \n{method.reference}")
            defaults = method(1).get_params()
            for name, text in method.parameters.items():
                if (label, name) == ("EPCA", "sigma"):
                    continue  # the sidebar's
                value = _control(label, name, defaults[name], text)
                if value != defaults[name]:
                    found.append((label, name, value))
    return setup._replace(scenario=replace(setup.scenario, parameters=tuple(found)))


def _control(label, name, default, text):
    bounds = BOUNDS.get((label, name), {})
    options = {"key": f"{label}_{name}", "bind": "query-params", "help": text}
    if isinstance(bounds, tuple):
        return st.selectbox(f"{label}: {name}", bounds, index=bounds.index(default), **options)
    return st.number_input(f"{label}: {name}", value=default, placeholder="chosen from the data", **bounds, **options)
