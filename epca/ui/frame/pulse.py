"""Runs a fragment again and again, so that it looks at its room.

Streamlit's own timer asks while the page runs, too, with the controls' values of before.
"""

import streamlit as st

from epca import assets

_component = st.components.v2.component("pulse", js=assets.read(__package__, "pulse.js"))

EVERY = 0.8  # seconds between two looks
SHARE = 0.016  # seconds that each adds: a look takes 3.4 ms, so all take a fifth of a core


def every(n_present: int) -> float:
    """Seconds between two looks of a visitor: more where many are present.

    They change in steps, because each change is sent to everyone.
    """
    return max(EVERY, round(SHARE * n_present, 1))


def beat(seconds: float = EVERY) -> None:
    """Run the fragment that calls this again after so many seconds."""
    with st.container(key="carrier_pulse"):
        _component(key="pulse", data={"every": seconds}, on_beat_change=lambda: None)
