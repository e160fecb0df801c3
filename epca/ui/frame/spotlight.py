"""What a lesson's step speaks of: it is outlined, and scrolled to once."""

import streamlit as st

from epca import assets

_component = st.components.v2.component("spotlight", js=assets.read(__package__, "spotlight.js"))

OUTLINE = "var(--spotlight)"


def show(target: str, visit: str) -> None:
    """Outline the part of the page that has this key; scroll to it once per `visit`.

    The outline is a rule of style, so that it stays whatever Streamlit draws anew and goes with
    the lesson.
    """
    st.html(f"<style>.st-key-{target} {{ --outlined: {OUTLINE}; }}</style>")
    with st.container(key="carrier_spotlight"):
        _component(key="spotlight", data={"target": target, "visit": visit})
