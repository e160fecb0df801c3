"""The runner of this server, and who asks it: every visitor's session."""

import os
from functools import cache

import streamlit as st

from epca.ui.jobs.cache import Cache, Group
from epca.ui.jobs.cluster import Cluster
from epca.ui.jobs.executors import DaemonThreads, InThreads
from epca.ui.jobs.runner import Runner
from epca.ui.jobs.workers import Workers

WORKERS = "EPCA_WORKERS"  # environment variables
SCHEDULER = "EPCA_SCHEDULER"
SHARED = 256 * 2**20  # bytes of results for all visitors
PRIVATE = 256 * 2**20  # bytes of results for one session
SESSIONS = Group(4 * PRIVATE)  # and for all sessions together


@cache
def runner() -> Runner:
    """Work in worker processes; without any, in threads on half of the cores. On a cluster, if any.

    With a thread at work on each core, pages waited for Python four times as long, and the results
    were no sooner ready.
    """
    number = n_workers()
    slots = number + 1 if number else max(1, (os.cpu_count() or 1) // 2)
    adapter = Workers(number) if number else InThreads(DaemonThreads())
    if address := os.environ.get(SCHEDULER):
        adapter = Cluster(address, adapter)
    return Runner(adapter, slots, SHARED)


def n_workers() -> int:
    """How many worker processes the environment asks for: all cores but one, at least one."""
    text = os.environ.get(WORKERS, "")
    if text and not text.isdecimal():
        raise ValueError(f"{WORKERS}={text} must be a number of processes; 0 means threads.")
    return int(text) if text else max(1, (os.cpu_count() or 1) - 1)


class Owner:
    """Stands for a session: it exists as long as the session does."""


def owner() -> Owner:
    """The Owner of the visitor who asks."""
    return st.session_state.setdefault("_owner", Owner())


def private_cache() -> Cache:
    """The results of the visitor who asks; they go with the visitor."""
    return st.session_state.setdefault("_results", Cache(PRIVATE, SESSIONS))
