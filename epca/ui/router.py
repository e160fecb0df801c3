"""The list of pages, and the guard that sends every page through `app.py`."""

import streamlit as st

TITLE = "EPCA Lab"


def build():
    """Declare the pages; each one's URL is its file's stem."""
    return st.navigation([st.Page("pages/home.py", title=TITLE, icon=":material/face:", default=True)])


def run():
    """Run the page the user asked for (called by `app.py` alone)."""
    page = build()
    st.session_state["_routed"] = True
    page.run()


def guard():
    """First line of every page: a deep link to a fresh server runs the page's file alone; go back through `app.py`."""
    if not st.session_state.pop("_routed", False):
        build()
        st.rerun()
