"""The list of pages, the sidebar they share, and the guard that sends every page through `app.py`."""

import streamlit as st

from epca.images import favicon
from epca.ui import experiment, settings

TITLE = "EPCA Lab"


def build():
    """Declare the pages; each one's URL is its file's stem. The icon is our own: a page's would be fetched from another host."""
    st.set_page_config(page_title=TITLE, page_icon=favicon(), layout="wide")
    return st.navigation(
        [
            st.Page("pages/home.py", title="Home", icon=":material/home:", default=True),
            st.Page("pages/data.py", title="Data", icon=":material/photo_library:"),
            st.Page("pages/activated.py", title="Activated samples", icon=":material/bolt:"),
        ]
    )


def run():
    """Run the page the user asked for, with the sidebar (called by `app.py` alone)."""
    experiment.warm_up()
    page = build()
    st.session_state["_experiment"] = settings.sidebar()
    st.session_state["_routed"] = True
    page.run()


def enter():
    """First line of every page: return the sidebar's Scenario and images.

    A deep link to a fresh server runs the page's file alone; then go back through `app.py`.
    """
    if not st.session_state.pop("_routed", False):
        build()
        st.rerun()
    return st.session_state["_experiment"]
