"""What runs a page again when its server answers again, so that the first click counts."""

import streamlit as st

from epca.ui import assets

_component = st.components.v2.component("reconnect", js=assets.read(__package__, "reconnect.js"))


def watch() -> None:
    """Watch the browser's connection from this page."""
    with st.container(key="carrier_reconnect"):
        _component(key="reconnect", on_back_change=lambda: None)
