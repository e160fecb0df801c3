"""Controls for the methods' own parameters, beside rank and σ, with what each does."""

from dataclasses import replace

import streamlit as st

from epca.registry import METHODS


def ask(setup):
    """Show the chosen methods' own parameters; return the Setup with those that differ from their defaults."""
    found = []
    with st.expander("Each method's own parameters"):
        for label in setup.methods:
            method = METHODS[label]
            st.markdown(f"**{label}**: ${method.objective}$  \n{method.reference}")
            defaults = method(1).get_params()
            for name, parameter in method.parameters.items():
                if (label, name) == ("EPCA", "sigma"):
                    continue  # the sidebar's
                value = _control(label, name, defaults[name], parameter)
                if value != defaults[name]:
                    found.append((label, name, value))
    return setup._replace(scenario=replace(setup.scenario, parameters=tuple(found)))


def _control(label, name, default, parameter):
    options = {"key": f"{label}_{name}", "bind": "query-params", "help": parameter.text}
    if parameter.choices:
        return st.selectbox(
            f"{label}: {name}", parameter.choices, index=parameter.choices.index(default), **options
        )
    bounds = {"min_value": parameter.low, "max_value": parameter.high, "step": parameter.step}
    return st.number_input(
        f"{label}: {name}", value=default, placeholder="chosen from the data", **bounds, **options
    )
