"""Warnings that several pages share."""

from typing import Any

import streamlit as st

from epca.views import texts


def warn_of_collapse(row: dict[str, Any]) -> None:
    """Warn where a fit collapsed."""
    if text := texts.collapse(row):
        st.warning(text, icon=":material/warning:")
