"""Controls for the methods' own parameters, beside rank and σ, with what each does."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from epca.registry import METHODS
from epca.ui.frame.controls import own_parameters, parameter_setting
from epca.ui.frame.drawing import draw
from epca.ui.frame.rules import Decimal
from epca.ui.frame.settings import Setup
from epca.views.methods import help_text

HELP = "Of each method, besides rank c and σ; what it minimises, and what it is in other words."


def ask(setup: Setup, labels: Sequence[str]) -> Setup:
    """Show these methods' own parameters; return the Setup with those that were changed."""
    changed = []
    with st.popover("Parameters", help=HELP):
        for label in labels:
            method = METHODS[label]
            about = [f"**{label}**: ${method.objective}$", help_text(label), method.reference]
            st.markdown("  \n".join(about))
            for name in own_parameters(label):
                setting = parameter_setting(label, name)
                is_number = isinstance(setting.rule, Decimal)
                options = {"placeholder": "chosen from the data"} if is_number else {}
                value = draw(setting, **options)
                if value != setting.default:
                    changed.append((label, name, value))
    return setup._replace(scenario=replace(setup.scenario, parameters=tuple(changed)))
