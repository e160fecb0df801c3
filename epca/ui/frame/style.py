"""The style of every page: its sizes, its print, and larger type in projector mode."""

import streamlit as st

from epca import assets
from epca.ui.frame import settings

STYLE = "".join(  # of all pages, of single ones, of rooms
    assets.read(__package__, name) for name in ("style.css", "pages.css", "class.css")
)
PRINT = assets.read(__package__, "print.css")
PROJECTOR = assets.read(__package__, "projector.css")
BARE = assets.read(__package__, "bare.css")


def is_projected() -> bool:
    """Whether the visitor, or a new visitor's link, has switched projector mode on."""
    key = settings.PROJECTOR.key
    return st.session_state.get(key, st.query_params.get(key) == "true")


def inject(*, has_sidebar: bool) -> None:
    """Put the styles on the page."""
    sheets = [STYLE, PRINT] if has_sidebar else [STYLE, PRINT, BARE]
    if is_projected():
        sheets.append(PROJECTOR)
    st.html(f"<style>{''.join(sheets)}</style>")
