"""The server's memory: a notice where it runs out, given back once nobody is at work."""

import ctypes
import gc
import logging
import sys
import threading
import time
from contextlib import contextmanager
from functools import cache

import streamlit as st

RESTING = 300  # seconds without a run of any page after which what all share is given back
NOTICE = "There is not enough memory for this page now. Choose fewer or smaller images, or wait a moment and reload the page."
SHARED = []  # functions that forget something all visitors share


class Rest:
    """Calls free() once nothing was touched for so many seconds, or up to twice as many; again after the next touch."""

    def __init__(self, seconds, free):
        self._seconds, self._free, self._touched = seconds, free, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def touch(self):
        self._touched.set()

    def _watch(self):
        while self._touched.wait():
            while self._touched.is_set():
                self._touched.clear()
                time.sleep(self._seconds)
            self._free()


def free():
    """Forget what all visitors share; it is computed again when asked for."""
    for forget in SHARED:
        forget()
    gc.collect()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)  # else the freed pages stay with the process


@cache
def rest():
    return Rest(RESTING, free)


@contextmanager
def watched():
    """Around everything that a visitor's action runs."""
    rest().touch()
    try:
        yield
    except MemoryError:
        logging.getLogger(__name__).exception("Out of memory")
        st.error(NOTICE)


def fragment(function):
    """st.fragment, whose runs do not pass through the router."""
    return st.fragment(watched()(function))
