"""Parts of a page that run again alone."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from epca.ui.frame import visitors
from epca.ui.jobs.memory import watched


def fragment(function: Callable) -> Callable:
    """st.fragment for our pages: paced, and with our own notice where memory runs out.

    Its runs do not pass through the router.
    """

    @wraps(function)
    def run(*arguments: Any, **options: Any) -> Any:
        context = get_script_run_ctx()
        if context is not None and context.fragment_ids_this_run:
            visitors.pace()
        return function(*arguments, **options)

    return st.fragment(watched()(run))
