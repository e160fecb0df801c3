"""What a lesson's step speaks of: it is outlined, and scrolled to once."""

import streamlit as st

from epca.ui import assets

_component = st.components.v2.component("spotlight", js=assets.read(__package__, "spotlight.js"))


def show(target: str, step: str) -> None:
    """Outline the part of the page that has this key; `step` tells when to scroll again."""
    with st.container(key="carrier_spotlight"):
        _component(key="spotlight", data={"target": target, "step": step})
