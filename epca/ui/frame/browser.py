"""What every page needs of its browser: a new run after a restart, one step back for one choice."""

import streamlit as st

from epca import assets

_component = st.components.v2.component("browser", js=assets.read(__package__, "browser.js"))


def watch() -> None:
    """Watch the connection and the entries for Back from this page."""
    with st.container(key="carrier_browser"):
        _component(key="browser", on_back_change=lambda: None)
