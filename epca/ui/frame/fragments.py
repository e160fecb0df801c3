"""Parts of a page that run again alone."""

from collections.abc import Callable

import streamlit as st

from epca.ui.jobs.memory import watched


def fragment(function: Callable) -> Callable:
    """st.fragment for our pages, which has its own notice where memory runs out.

    Its runs do not pass through the router.
    """
    return st.fragment(watched()(function))
