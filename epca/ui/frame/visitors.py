"""A server's limits: how many visitors there may be, and how much each may ask for and bring."""

import gc
import os
import threading
import time
from collections import Counter, deque
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from epca.data import ImageSet
from epca.data.limits import MAX_BYTES, MAX_MEMBERS

VISITORS = "EPCA_VISITORS"  # the environment's name for the most visitors at a time
MOST_VISITORS = 200
MOST_RUNS = 10  # of a page, within
SPAN = 1.0  # seconds
MOST_BYTES = 2 * MAX_BYTES  # of a session's files: what is shown, and what is new
MOST_FILES = MAX_MEMBERS  # of a session: more are not read at once
MOST_IN_ALL = 2**30  # bytes of all sessions' files, and of the images read from them
FULL = (
    "EPCA Lab is full: it takes {} visitors at a time. "
    "Please come back in a few minutes and reload the page."
)
CROWDED = (
    "This server holds as many of its visitors' images as it can. Come back in a few minutes, or "
    "give fewer or smaller ones."
)
_door = threading.Lock()
_bringing = threading.Lock()
_brought: WeakValueDictionary[int, Any] = WeakValueDictionary()
_inside: set[str] = set()  # the sessions that were admitted


def most_visitors() -> int:
    return int(os.environ.get(VISITORS, MOST_VISITORS))


def admit() -> None:
    """Let the visitor in while there is a place; a page says so where the server is full.

    Whoever was admitted stays so, even if the connection was lost for a while.
    """
    most = most_visitors()
    session = _session()
    was_admitted = "_admitted" in st.session_state
    with _door:
        _inside.intersection_update([other for other in _inside if has_page(other)])
        is_in = was_admitted or session in _inside or len(_inside) < most
        if is_in:
            _inside.add(session)
    if not is_in:
        st.title("One moment, please", anchor=False)
        st.info(FULL.format(most))
        st.stop()
    st.session_state["_admitted"] = True


def has_page(session: str) -> bool:
    """Whether this session has an open page; none has where there is no server, as in tests."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def _session():
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def pace() -> None:
    """Have a visitor who asks faster than pages are read wait a moment.

    What is asked for meanwhile becomes one run: the last one counts.
    """
    runs = st.session_state.setdefault("_runs", deque(maxlen=MOST_RUNS))
    now = time.monotonic()
    if len(runs) == MOST_RUNS and now - runs[0] < SPAN:
        time.sleep(SPAN - (now - runs[0]))
    runs.append(time.monotonic())


def bring(*things: UploadedFile | ImageSet) -> bool:
    """Count what a visitor brings for as long as it is there; False where that is too much."""
    with _bringing:
        if not (is_room := _fits(things)):
            gc.collect()  # what ended sessions brought may still be there
            is_room = _fits(things)
        if is_room:
            _brought.update({id(thing): thing for thing in things})
    return is_room


def _fits(things):
    return sum(map(_size, [*_brought.values(), *things])) <= MOST_IN_ALL


def _size(thing):
    return thing.images.nbytes if isinstance(thing, ImageSet) else thing.size


def bound_uploads(manager: Any) -> None:
    """Have Streamlit drop a session's oldest files beyond MOST_BYTES and MOST_FILES.

    It would keep whatever is sent until the session ends. Beyond MOST_IN_ALL, whoever sent most
    loses the oldest. Files that a page reads are its own.
    """
    add, remove, leave = manager.add_file, manager.remove_file, manager.remove_session_files
    totals: Counter[str] = Counter()  # bytes of each session's files
    lock = threading.RLock()

    def add_bounded(session_id: str, file: Any) -> None:
        with lock:
            remove_counted(session_id, file.file_id)  # sent again, it becomes the newest
            add(session_id, file)
            totals[session_id] += len(file.data)
            files = manager.file_storage[session_id]
            while len(files) > 1 and (totals[session_id] > MOST_BYTES or len(files) > MOST_FILES):
                remove_counted(session_id, next(iter(files)))
            while totals.total() > MOST_IN_ALL:
                largest = max(totals, key=totals.__getitem__)
                remove_counted(largest, next(iter(manager.file_storage[largest])))

    def remove_counted(session_id: str, file_id: str) -> None:
        with lock:
            file = manager.file_storage.get(session_id, {}).get(file_id)
            if file is not None:
                remove(session_id, file_id)
                totals[session_id] -= len(file.data)

    def leave_counted(session_id: str) -> None:
        with lock:
            leave(session_id)
            del totals[session_id]

    manager.add_file = add_bounded
    manager.remove_file = remove_counted
    manager.remove_session_files = leave_counted
