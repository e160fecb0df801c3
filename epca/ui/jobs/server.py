"""The runner of this server, and who asks it: every visitor's session."""

import os
from functools import cache

import streamlit as st

from epca.ui.jobs.cache import Cache
from epca.ui.jobs.executors import DaemonThreads, InThreads
from epca.ui.jobs.runner import Runner

SHARED = 256 * 2**20  # bytes of results for all visitors
PRIVATE = 256 * 2**20  # bytes of results for one session


@cache
def runner() -> Runner:
    """Steps at work on half of the cores.

    With a step on each core, pages waited for Python four times as long, and the results were no
    sooner ready.
    """
    slots = max(1, (os.cpu_count() or 1) // 2)
    return Runner(InThreads(DaemonThreads()), slots, SHARED)


class Owner:
    """Stands for a session: it exists as long as the session does."""


def owner() -> Owner:
    """The Owner of the visitor who asks."""
    return st.session_state.setdefault("_owner", Owner())


def private_cache() -> Cache:
    """The results of the visitor who asks; they go with the visitor."""
    return st.session_state.setdefault("_results", Cache(PRIVATE))
