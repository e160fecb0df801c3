"""Popovers that a choice in them closes."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def popover(label: str, name: str, text: str | None = None) -> DeltaGenerator:
    """Have a popover, which is open until `close(name)` or a click beside it.

    After each choice it has a new key: a new popover is closed, even where the page never heard
    that the server knew the old one to be open.
    """
    key = f"{name}_{st.session_state.get(_counter(name), 0)}"
    return st.popover(label, key=key, on_change="rerun", help=text)


def close(name: str) -> None:
    """Have the next run show it closed."""
    st.session_state[_counter(name)] = st.session_state.get(_counter(name), 0) + 1


def _counter(name: str) -> str:
    return f"_{name}_closed"
