"""How a page asks for long work: a bar that tells how far it is, a button that cancels it."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from epca.literal import literal
from epca.ui.jobs import memory
from epca.ui.jobs.executors import Cancelled
from epca.ui.jobs.gate import GATE
from epca.ui.jobs.request import Request
from epca.ui.jobs.runner import Job
from epca.ui.jobs.server import owner, runner

PATIENCE = 0.3  # seconds before the bar appears
EVERY = 0.1  # seconds between its moves
SOON = 0.2  # seconds between its moves where a preview is shown until the work ends
WAITING = 0.5  # seconds between its moves while the work stands in the line
SELDOM = 3.0  # seconds between two looks at work in the background that waits far behind
RESUMED = "_resumed"  # set in the session when the page runs again by itself
CANCELLED = "Cancelled. Change a setting, or start again."
OUT_OF_MEMORY = "there was not enough memory."


def get(request: Request) -> Any:
    """The result, awaited here; None where the user cancelled it, or where it failed.

    The page goes on when it is ready. Whatever the user does meanwhile ends the waiting.
    """
    found = request.peek()
    if found is None and not _say_if_cancelled(request):
        return _outcome(_await(request), request)
    return found


def demand(request: Request) -> Any:
    """The result, awaited here; what the work raised is raised, so that the caller can say it."""
    found = request.peek()
    return _await(request, can_cancel=False).outcome() if found is None else found


@contextmanager
def together(requests: Sequence[Request]) -> Iterator[Iterator[Any]]:
    """What `get` gives for each, in turn; all go on side by side, as far as cores are free.

    What is not finished at the end of the block ends, unless somebody else waits for it.
    """
    with ExitStack() as interest:
        jobs = [_want(request, interest) for request in requests]
        yield (
            get(request) if job is None else _outcome(_attend(job, request), request)
            for request, job in zip(requests, jobs, strict=True)
        )


def _want(request: Request, interest: ExitStack) -> Job | None:
    """The job, wanted while the interest lasts; None where it is cached or was cancelled."""
    if request.peek() is not None or _was_cancelled(request):
        return None
    return interest.enter_context(_wait_for(request))


def _wait_for(request: Request) -> AbstractContextManager[Job]:
    return runner().waiting(*request.call, visitor=id(owner()), **request.options)


def _await(request: Request, *, can_cancel: bool = True) -> Job:
    """The finished job."""
    with _wait_for(request) as job:
        return _attend(job, request, can_cancel=can_cancel)


def _attend(job: Job, request: Request, *, can_cancel: bool = True) -> Job:
    """The job once it is finished. A bar appears when it has taken a moment."""
    place = st.empty()
    with GATE.left():
        job.wait(PATIENCE)
    if not job.is_finished:
        with place.container(horizontal=True, vertical_alignment="bottom"):
            bar = st.progress(0.0)
            if can_cancel:
                _cancel_button(request)
        _watch(job, request, bar)
        place.empty()
    return job


def follow_all(requests: Sequence[Request]) -> bool:
    """Whether all results are ready; they are found in the background, as by `follow`.

    All go on side by side, as far as cores are free, with one bar, which comes at once. The page
    runs again when the last one is ready.
    """
    missing = []
    for request in requests:
        if request.peek() is None:
            missing.append(request)
        else:
            leave(request.title)
    if _say_if_cancelled(*missing):
        return False
    jobs = _follow_jobs(missing)
    if not all(job.is_finished for job in jobs):
        _show_bar(jobs, missing, SOON)
        return False
    for request in missing:
        leave(request.title)
    found = [_outcome(job, request) for job, request in zip(jobs, missing, strict=True)]
    return all(result is not None for result in found)


def follow(request: Request) -> Any:
    """The result once it is ready; None until then, while the work goes on in the background.

    The page is complete without it, shows how far it is, and runs again when it is ready. A
    session follows one piece of work per title: the next one takes its place.
    """
    found = request.peek()
    if found is not None or _say_if_cancelled(request):
        leave(request.title)
        return found
    is_new = not _is_under_way(request)
    (job,) = _follow_jobs([request])
    with GATE.left():  # coming back to the page may take longer than the work
        job.wait(PATIENCE if is_new else 0)
    if job.is_finished:
        leave(request.title)
        return _outcome(job, request)
    _show_bar([job], [request], WAITING)
    return None


def begin(requests: Sequence[Request]) -> None:
    """Have this work go on in the background, unless the user cancelled any of it."""
    if not any(_was_cancelled(request) for request in requests):
        _follow_jobs(requests)


def _follow_jobs(requests: Sequence[Request]) -> list[Job]:
    """The jobs of the requests, which the session follows from now on, if it did not before."""
    for request in requests:
        if not _is_under_way(request):
            _begin(request)
    return [st.session_state["_followed"][request.title][1] for request in requests]


def _is_under_way(request: Request) -> bool:
    """Whether the session follows the very work of the request."""
    return st.session_state.get("_followed", {}).get(request.title, (None,))[0] == request.key


def _begin(request: Request) -> None:
    """Follow the job of the request, which begins if need be, in place of others of its title."""
    leave(request.title)
    me = owner()
    job = runner().follow(me, *request.call, visitor=id(me), **request.options)
    st.session_state.setdefault("_followed", {})[request.title] = (request.key, job)


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


def _show_bar(jobs: Sequence[Job], requests: Sequence[Request], every: float) -> None:
    """A bar of the first job that is not finished, and a button that cancels all.

    The bar draws itself again and again, and runs the page again when all jobs are finished. Each
    time it takes a moment only: what the user does elsewhere on the page must not wait.
    """
    left = list(zip(jobs, requests, strict=True))

    def draw() -> None:
        memory.rest().touch()
        left[:] = [pair for pair in left if not pair[0].is_finished]
        if left:
            job, request = left[0]
            st.progress(job.share, _text(job, request))
        else:
            st.session_state[RESUMED] = True
            st.rerun()

    nearest = min((job.place for job in jobs if not job.is_finished), default=0)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.fragment(draw, run_every=min(every * (1 + nearest), SELDOM))()
        _cancel_button(*requests)


def _watch(job: Job, request: Request, bar: Any) -> None:
    """Move the bar until the work ends. Drawing is where a user's action ends the waiting."""
    while not job.is_finished:
        memory.rest().touch()
        bar.progress(job.share, _text(job, request))
        with GATE.left():
            job.wait(WAITING if job.place else EVERY)


def _text(job: Job, request: Request) -> str:
    parts = [literal(job.text)] if job.text else []
    if job.place:
        parts.append(f"waiting for a free core, number {job.place} in line")
    return f"{request.title}: {', '.join(parts)}" if parts else request.title


def _cancel_button(*requests: Request) -> None:
    with suppress(StreamlitDuplicateElementKey):  # the same work was awaited before in this run
        st.button(
            "Cancel",
            key=f"cancel {hash(requests[0].key)}",
            help="Ends this work, unless somebody else waits for it, too.",
            on_click=_cancel,
            args=requests,
        )


def _cancel(*requests: Request) -> None:
    for request in requests:
        st.session_state.setdefault("_cancelled", {})[request.key] = request.title
        leave(request.title)


def begin_again(*titles: str) -> None:
    """Let cancelled work of these titles start again; for callbacks."""
    cancelled = st.session_state.get("_cancelled", {})
    left = {key: title for key, title in cancelled.items() if title not in titles}
    st.session_state["_cancelled"] = left


def _was_cancelled(request: Request) -> bool:
    """Whether the user cancelled this very work."""
    return request.key in st.session_state.get("_cancelled", {})


def _say_if_cancelled(*requests: Request) -> bool:
    """Whether the user cancelled any of this work; then it says so and offers to start it again."""
    cancelled = [request for request in requests if _was_cancelled(request)]
    if not cancelled:
        return False
    notice = st.empty()
    with suppress(StreamlitDuplicateElementKey):  # it was said before in this run
        st.button(
            "Start again",
            key=f"again {hash(cancelled[0].key)}",
            help="Does the same work again.",
            on_click=begin_again,
            args=[request.title for request in requests],
        )
        notice.info(CANCELLED)
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
            f"{request.title} failed: {reason(error)} "
            "Change a setting, or reload the page to try again."
        )
    return None


def reason(error: Exception) -> str:
    """A sentence for visitors."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    return f"{literal(str(error)[:200]).rstrip('.') or type(error).__name__}."
