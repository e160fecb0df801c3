"""Warnings that several pages share, with what cures them."""

from typing import Any

import streamlit as st

from epca.ui.frame.settings import SETTINGS
from epca.views import texts


def warn_of_collapse(row: dict[str, Any]) -> None:
    """Warn where a fit collapsed, and offer a lower c."""
    text = texts.collapse(row)
    if not text:
        return
    st.warning(text, icon=":material/warning:")
    lower = int(row["n_components"]) // 2
    if not lower:
        return
    st.button(
        f"Lower c to {lower}",
        key="lower_c",
        on_click=st.session_state.update,
        args=({SETTINGS["c"].key: lower},),
        help="Half of the present rank; the lower it is, the fewer images can be fitted exactly.",
    )
