"""The server's memory: a notice where it runs out; given back once nobody is at work."""

import ctypes
import gc
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import streamlit as st
from streamlit import runtime

from epca.ui.jobs.server import runner

ARENAS = 2  # places from which threads take memory; glibc would have eight for each core
M_ARENA_MAX = -8  # glibc's number of that option
PATIENCE = 10.0  # seconds for Streamlit to end sessions
RESTING = 300  # seconds without a run of any page, after which shared results are dropped
NOTICE = (
    "There is not enough memory for this page now. "
    "Choose fewer or smaller images, or wait a moment and reload the page."
)


class Rest:
    """Calls free() once nothing was touched for so many seconds, or up to twice as late.

    It does so again after the next touch.
    """

    def __init__(self, seconds: float, free: Callable[[], None]) -> None:
        self._seconds = seconds
        self._free = free
        self._touched = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def touch(self) -> None:
        self._touched.set()

    def _watch(self) -> None:
        while self._touched.wait():
            while self._touched.is_set():
                self._touched.clear()
                time.sleep(self._seconds)
            try:
                self._free()
            except Exception:
                logging.getLogger(__name__).exception("Memory could not be given back")


def share_arenas() -> None:
    """Have all threads take memory from few places: many keep more of what was freed."""
    if option := _libc("mallopt"):
        option(M_ARENA_MAX, ARENAS)


def _libc(name: str) -> Callable[..., int] | None:
    """This function of the C library, where it has one."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


def end_sessions() -> None:
    """End the sessions of visitors who left minutes ago, with what they hold.

    Streamlit does so only when the next visitor leaves.
    """
    server = runtime.get_instance() if runtime.exists() else None
    loop = getattr(getattr(server, "_async_objs", None), "eventloop", None)
    storage = getattr(getattr(server, "_session_mgr", None), "_session_storage", None)
    if loop is None or not hasattr(storage, "_cache"):
        return
    is_done = threading.Event()

    def end() -> None:
        try:
            storage._cache.expire()
        finally:
            is_done.set()

    loop.call_soon_threadsafe(end)
    is_done.wait(PATIENCE)


def free() -> None:
    """Drop the results that all visitors share; they are computed again when asked for."""
    runner().rest()
    end_sessions()
    gc.unfreeze()  # else the session in which all was imported would stay for good
    gc.collect()
    gc.freeze()
    if trim := _libc("malloc_trim"):
        trim(0)  # else the freed pages stay with the process


@cache
def rest() -> Rest:
    return Rest(RESTING, free)


@contextmanager
def watched() -> Iterator[None]:
    """Around everything that a visitor's action runs."""
    rest().touch()
    try:
        yield
    except MemoryError:
        logging.getLogger(__name__).exception("Out of memory")
        st.error(NOTICE)
