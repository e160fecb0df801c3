"""How a page asks for long work: a bar that tells how far it is, a button that cancels it."""

import logging
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from epca.literal import literal
from epca.ui.jobs import memory
from epca.ui.jobs.cache import MISSING, Cache
from epca.ui.jobs.executors import Cancelled
from epca.ui.jobs.gate import PAGES
from epca.ui.jobs.runner import Job, always
from epca.ui.jobs.server import owner, runner

PATIENCE = 0.3  # seconds before the bar appears
EVERY = 0.1  # seconds between its moves
IN_TURN = 0.2  # seconds between its moves where more work follows, which it begins
WAITING = 0.5  # seconds between its moves while the work stands in the line
SELDOM = 3.0  # seconds between two looks at work in the background that waits far behind
RESUMED = "_resumed"  # set in the session when the page runs again by itself
OUT_OF_MEMORY = "there was not enough memory."


class Request:
    """A piece of work a page asks for: its title, its key, the generator function, its arguments.

    cache : the session's own; None → the one that all visitors share
    is_cachable : says which results may be cached
    is_here : whether it must be done in the server, whose pages need the very objects it makes
    is_short : whether it may go before other work in the line
    """

    def __init__(
        self,
        title: str,
        key: Hashable,
        work: Callable,
        *arguments: Any,
        cache: Cache | None = None,
        is_cachable: Callable[[Any], bool] = always,
        is_here: bool = False,
        is_short: bool = False,
    ) -> None:
        self.title = title
        self.key = (work.__module__, work.__qualname__, key)
        self.call = (self.key, work, *arguments)
        self.options = {
            "cache": cache,
            "is_cachable": is_cachable,
            "is_here": is_here,
            "is_short": is_short,
        }

    def peek(self) -> Any:
        """The cached result, or None."""
        found = runner().peek(self.key, self.options["cache"])
        return None if found is MISSING else found


def get(request: Request) -> Any:
    """The result, awaited here; None where the user cancelled it, or where it failed.

    The page goes on when it is ready. Whatever the user does meanwhile ends the waiting.
    """
    found = request.peek()
    if found is None and not _is_cancelled(request):
        return _outcome(_await(request), request)
    return found


def demand(request: Request) -> Any:
    """The result, awaited here; what the work raised is raised, so that the caller can say it."""
    found = request.peek()
    return _await(request, can_cancel=False).outcome() if found is None else found


def _await(request: Request, *, can_cancel: bool = True) -> Job:
    """The finished job. A bar appears once it has taken a moment."""
    slot = st.empty()
    with runner().waiting(*request.call, **request.options) as job:
        with PAGES.left():
            is_finished = job.wait(PATIENCE)
        if not is_finished:
            with slot.container(horizontal=True, vertical_alignment="bottom"):
                bar = st.progress(0.0)
                if can_cancel:
                    _cancel_button(request)
            _watch(job, request, bar)
            slot.empty()
    return job


def follow_all(requests: Sequence[Request]) -> bool:
    """Whether all results are ready, which are found one after the other in the background.

    As `follow`, with one bar for all, which comes at once; the page runs again when the last one is
    ready.
    """
    for request in requests:
        leave_other(request)
    rests = (requests[i + 1 :] for i in range(len(requests)))
    return all(
        follow(request, rest, at_once=True) is not None
        for request, rest in zip(requests, rests, strict=True)
    )


def follow(request: Request, then: Sequence[Request] = (), *, at_once: bool = False) -> Any:
    """The result once it is ready; None until then, while the work goes on in the background.

    The page is complete without it, shows how far it is, and runs again when it is ready. A
    session follows one piece of work per title: the next one takes its place.

    then : work that its bar goes on with, before the page runs again
    at_once : whether the bar appears without a moment's patience
    """
    found = request.peek()
    if found is not None or _is_cancelled(request, then):
        leave(request.title)
        return found
    key, job = st.session_state.get("_followed", {}).get(request.title, (None, None))
    is_new = key != request.key
    if is_new:
        job = _begin(request)
    with PAGES.left():
        is_finished = job.wait(PATIENCE if is_new and not at_once else 0)
    if is_finished:
        leave(request.title)
        return _outcome(job, request)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _follow_bar(job, request, then)
        _cancel_button(request, then)
    return None


def _begin(request: Request) -> Job:
    """The job of the request, which the session follows from now on."""
    leave(request.title)
    job = runner().follow(owner(), *request.call, **request.options)
    st.session_state.setdefault("_followed", {})[request.title] = (request.key, job)
    return job


def leave(title: str) -> None:
    """Follow the work of this title no longer, if it is followed; it ends unless others do."""
    _, job = st.session_state.get("_followed", {}).pop(title, (None, None))
    if job is not None:
        job.leave(owner())


def leave_other(request: Request) -> None:
    """Leave the work of the request's title unless it is the request's own."""
    key, _ = st.session_state.get("_followed", {}).get(request.title, (request.key, None))
    if key != request.key:
        leave(request.title)


def is_followed(title: str) -> bool:
    """Whether work of this title is under way for this session."""
    return title in st.session_state.get("_followed", {})


def _follow_bar(job: Job, request: Request, then: Sequence[Request]) -> None:
    """A bar that draws itself again and again, and runs the page again when all work is ready.

    Each time it takes a moment only: what the user does elsewhere on the page must not wait.
    """

    def draw() -> None:
        nonlocal job, request, then
        memory.rest().touch()
        while job.is_finished and then:
            request, *then = then
            job = _begin(request)
        if job.is_finished:
            st.session_state[RESUMED] = True
            st.rerun()
        st.progress(job.share, _text(job, request))

    seconds = min((IN_TURN if then else WAITING) * (1 + job.place), SELDOM)
    st.fragment(draw, run_every=seconds)()


def _watch(job: Job, request: Request, bar: Any) -> None:
    """Move the bar until the work ends. Drawing is where a user's action ends the waiting."""
    while not job.is_finished:
        memory.rest().touch()
        bar.progress(job.share, _text(job, request))
        with PAGES.left():
            job.wait(WAITING if job.place else EVERY)


def _text(job: Job, request: Request) -> str:
    parts = [literal(job.text)] if job.text else []
    if job.place:
        parts.append(f"waiting for a free core, number {job.place} in line")
    return f"{request.title}: {', '.join(parts)}" if parts else request.title


def _cancel_button(request: Request, then: Sequence[Request] = ()) -> None:
    with suppress(StreamlitDuplicateElementKey):  # the same work was awaited before in this run
        st.button(
            "Cancel",
            key=f"cancel {hash(request.key)}",
            help="Ends this work, unless somebody else waits for it, too.",
            on_click=_cancel,
            args=(request, *then),
        )


def _cancel(*requests: Request) -> None:
    for request in requests:
        st.session_state.setdefault("_cancelled", {})[request.title] = request.key
        leave(request.title)


def begin_again(*titles: str) -> None:
    """Let cancelled work of these titles start again; for callbacks."""
    for title in titles:
        st.session_state.get("_cancelled", {}).pop(title, None)


def _is_cancelled(request: Request, then: Sequence[Request] = ()) -> bool:
    """Whether the user cancelled this very work; if so, say it and offer to start it again."""
    if st.session_state.get("_cancelled", {}).get(request.title) != request.key:
        return False
    st.info("Cancelled. Change a setting, or start again.")
    st.button(
        "Start again",
        key=f"again {hash(request.key)}",
        help="Does the same work again.",
        on_click=begin_again,
        args=[other.title for other in (request, *then)],
    )
    return True


def _outcome(job: Job, request: Request) -> Any:
    """The result, or None where the work failed, which is said."""
    try:
        return job.outcome()
    except Cancelled:
        st.info(f"{request.title} was cancelled. Reload the page to try again.")
    except Exception as error:
        logging.getLogger(__name__).exception("%s failed", request.title)
        st.error(
            f"{request.title} failed: {_reason(error)} "
            "Change a setting, or reload the page to try again."
        )
    return None


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    return f"{literal(str(error)[:200]).rstrip('.') or type(error).__name__}."
