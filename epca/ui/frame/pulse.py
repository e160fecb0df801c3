"""What makes a fragment look at its room again and again.

Streamlit's own timer asks while the page runs, too, with the controls' values of before.
"""

import streamlit as st

from epca.ui import assets

_component = st.components.v2.component("pulse", js=assets.read(__package__, "pulse.js"))

EVERY = 0.8  # seconds between two looks


def beat() -> None:
    """Run the fragment that calls this again in a moment."""
    with st.container(key="carrier_pulse"):
        _component(key="pulse", data={"every": EVERY}, on_beat_change=lambda: None)
