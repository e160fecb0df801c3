"""Long work: one line in front of the cores, a bar that tells how far it is, a button that ends it."""

import contextvars
import logging
import os
import threading
import time
from contextlib import contextmanager

import streamlit as st

from epca.experiment import OUT_OF_MEMORY
from epca.ui import memory

PATIENCE, EVERY, WAITING = (
    0.3,
    0.1,
    0.5,
)  # seconds before the bar appears, between its moves, and between those of one who waits


class Line:
    """Lets in as many at a time as there are slots, in the order they came."""

    def __init__(self, slots):
        self._slots, self._order, self._lock = slots, [], threading.Lock()

    @contextmanager
    def turn(self, waiting):
        """Wait for a slot; waiting(place) is called meanwhile, place 1 being next, and may raise to leave the line."""
        ticket = threading.Event()  # set when it is its turn; nobody else is woken
        with self._lock:
            self._order.append(ticket)
            self._call()
        try:
            while not ticket.wait(EVERY):
                with self._lock:
                    place = self._order.index(ticket) - self._slots + 1
                waiting(max(place, 1))
            yield
        finally:
            with self._lock:
                self._order.remove(ticket)
                self._call()

    def _call(self):
        for ticket in self._order[: self._slots]:
            ticket.set()


@st.cache_resource
def line():
    """Half of the cores: with a fit on each, pages waited for Python four times as long, and the fits were no sooner ready."""
    return Line(max(1, (os.cpu_count() or 1) // 2))


class Progress:
    """A bar with a button “Cancel”, shown once work has taken a moment. Call it as often as you like: that is where work ends.

    It draws in the context it was made in: inside a cached function Streamlit would record the bar and replay it.
    """

    def __init__(self, task, text, mark):
        self._task, self._text, self._mark = task, text, mark
        self._slot, self._bar = st.empty(), None
        self._context, self._next = contextvars.copy_context(), time.monotonic() + PATIENCE

    def __call__(self, done, total, text, every=EVERY):
        if time.monotonic() >= self._next:
            memory.rest().touch()
            self._context.run(self._show, done / total, f"{self._text}: {text}")
            self._next = time.monotonic() + every

    def _show(self, share, text):
        if self._bar is None:
            with self._slot.container(horizontal=True, vertical_alignment="bottom"):
                self._bar = st.progress(0.0)
                cancel = {"_cancelled": self._task}
                st.button(
                    "Cancel",
                    help="Ends this work; what others began goes on.",
                    key=f"cancel {hash(self._task)}",
                    on_click=st.session_state.update,
                    args=(cancel,),
                )
        self._bar.progress(share, text)

    def tick(self, iteration, *_):
        """A single fit's callback."""
        self(0, 1, f"iteration {iteration}")

    @contextmanager
    def turn(self, share=0.0, text=""):
        """A turn in the line in front of the cores; the bar of one who waits stands at this share with this text."""

        def wait(place):
            self(
                share,
                1,
                f"{text and text + ', '}waiting for a free core, number {place} in line",
                WAITING,
            )

        UNDER_WAY[self._mark] = self
        with line().turn(wait):
            yield

    def end(self):
        if self._bar is not None:
            self._slot.empty()


def is_cancelled(task):
    """Whether the user ended this task; if so, say it and offer to start it again."""
    if st.session_state.get("_cancelled") != task:
        return False
    st.info("Cancelled. Change a setting, or start again.")
    st.button(
        "Start again",
        key="again",
        help="The same work with the same settings.",
        on_click=st.session_state.pop,
        args=("_cancelled",),
    )
    return True


UNDER_WAY = {}  # work that has begun, of all visitors: what `mark` gives → its Progress


def mark(task, images):
    """Names a task on these images: visitors who share a set share the object, too; an upload is its owner's."""
    return task, id(images)


class Unkept(Exception):
    """Raised in a cached function with a result to show that is not to be kept, for the next try may go better."""


def keep(result, failures):
    """The result for the cache, unless one of its fits' failures is a want of memory."""
    if OUT_OF_MEMORY in set(failures):
        raise Unkept(result)
    return result


def run(task, text, cached, images, *arguments):
    """cached(images, *arguments, progress); None where the user cancelled this very task, or where it fails, which is said.

    task : anything hashable that names the work; cached has to do its work within `progress.turn()`.
    """
    if is_cancelled(task):
        return None
    own = mark(task, images)
    progress = Progress(task, text, own)
    while own in UNDER_WAY:  # the cache would have us wait without a bar
        time.sleep(EVERY)
        progress(0, 1, "the same is being computed already, waiting for the result", WAITING)
    result = None
    try:
        result = cached(images, *arguments, progress)
    except Unkept as unkept:
        (result,) = unkept.args
    except Exception as error:
        logging.getLogger(__name__).exception("%s failed", text)
        reason = (
            OUT_OF_MEMORY
            if isinstance(error, MemoryError)
            else f"{str(error)[:200].rstrip('.') or type(error).__name__}."
        )
        st.error(f"{text} failed: {reason} Change a setting, or reload the page to try again.")
    finally:
        if UNDER_WAY.get(own) is progress:
            del UNDER_WAY[own]
    progress.end()
    return result
