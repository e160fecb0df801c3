"""Long work: one line in front of the cores, a bar that tells how far it is, a button that ends it."""

import contextvars
import logging
import os
import threading
import time
from contextlib import contextmanager

import streamlit as st

from epca.experiment import OUT_OF_MEMORY

PATIENCE, EVERY, WAITING = 0.3, 0.1, 0.5  # seconds before the bar appears, between its moves, and between those of one who waits


class Line:
    """Lets in as many at a time as there are slots, in the order they came."""

    def __init__(self, slots):
        self._slots, self._order, self._change = slots, [], threading.Condition()

    @contextmanager
    def turn(self, waiting):
        """Wait for a slot; waiting(place) is called meanwhile, place 1 being next, and may raise to leave the line."""
        ticket = object()
        with self._change:
            self._order.append(ticket)
        try:
            while place := self._place(ticket):
                waiting(place)
            yield
        finally:
            with self._change:
                self._order.remove(ticket)
                self._change.notify_all()

    def _place(self, ticket):
        """Place in line after a moment's wait; 0 for those whose turn it is."""
        with self._change:
            if self._order.index(ticket) >= self._slots:
                self._change.wait(EVERY)
            return max(self._order.index(ticket) - self._slots + 1, 0)


@st.cache_resource
def line():
    return Line(os.cpu_count() or 1)


class Progress:
    """A bar with a button “Cancel”, shown once work has taken a moment. Call it as often as you like: that is where work ends.

    It draws in the context it was made in: inside a cached function Streamlit would record the bar and replay it.
    """

    def __init__(self, task, text):
        self._task, self._text = task, text
        self._slot, self._bar = st.empty(), None
        self._context, self._next = contextvars.copy_context(), time.monotonic() + PATIENCE

    def __call__(self, done, total, text, every=EVERY):
        if time.monotonic() >= self._next:
            self._context.run(self._show, done / total, f"{self._text}: {text}")
            self._next = time.monotonic() + every

    def _show(self, share, text):
        if self._bar is None:
            with self._slot.container(horizontal=True, vertical_alignment="bottom"):
                self._bar = st.progress(0.0)
                cancel = {"_cancelled": self._task}
                st.button("Cancel", key=f"cancel {hash(self._task)}", on_click=st.session_state.update, args=(cancel,))
        self._bar.progress(share, text)

    def tick(self, iteration, *_):
        """A single fit's callback."""
        self(0, 1, f"iteration {iteration}")

    def wait(self, place, share=0, text=""):
        self(share, 1, f"{text and text + ', '}waiting for a free core, number {place} in line", WAITING)

    def end(self):
        if self._bar is not None:
            self._slot.empty()


def is_cancelled(task):
    """Whether the user ended this task; if so, say it and offer to start it again."""
    if st.session_state.get("_cancelled") != task:
        return False
    st.info("Cancelled. Change a setting, or start again.")
    st.button("Start again", key="again", on_click=st.session_state.pop, args=("_cancelled",))
    return True


class Unkept(Exception):
    """Raised in a cached function with a result to show that is not to be kept, for the next try may go better."""


def run(task, text, cached, *arguments):
    """cached(*arguments, progress); None where the user cancelled this very task, or where it fails, which is said.

    task : anything hashable that names the work; cached has to do its work within `line().turn(progress.wait)`.
    """
    if is_cancelled(task):
        return None
    progress = Progress(task, text)
    result = None
    try:
        result = cached(*arguments, progress)
    except Unkept as unkept:
        (result,) = unkept.args
    except Exception as error:
        logging.getLogger(__name__).exception("%s failed", text)
        reason = OUT_OF_MEMORY if isinstance(error, MemoryError) else f"{str(error)[:200].rstrip('.') or type(error).__name__}."
        st.error(f"{text} failed: {reason} Change a setting, or reload the page to try again.")
    progress.end()
    return result
