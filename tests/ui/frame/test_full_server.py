"""A full server on real sockets: who was refused takes nobody's place."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve
from tests.ui.frame.test_classroom_server import in_a_thread

pytestmark = pytest.mark.slow  # a server of its own
REFUSED = "One moment, please"


async def come_at_once(address):
    """The titles that five see who come at once; one of the refused after one of the others left.

    A tab that is loaded again is a new session.
    """
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(Visitor(address)) for _ in range(5)]
        await asyncio.gather(*(visitor.open("learn") for visitor in visitors))
        titles = [visitor.title for visitor in visitors]
        inside = [visitor for visitor in visitors if visitor.title != REFUSED]
        await asyncio.gather(*(visitor.open("learn") for visitor in visitors))
        again = [visitor.title for visitor in visitors]
        if inside:
            await inside[0].__aexit__()
        return titles, again, await load_again(address)


async def load_again(address):
    """The title once the server has noticed that somebody left."""
    deadline = time.monotonic() + 10
    title = REFUSED
    while title == REFUSED and time.monotonic() < deadline:
        async with Visitor(address) as visitor:
            await visitor.open("learn")
            title = visitor.title
    return title


def test_a_place_is_taken_by_who_was_admitted_not_by_who_was_refused():
    with serve(EPCA_VISITORS="3", EPCA_WORKERS="0") as address:
        titles, again, after = in_a_thread(come_at_once(address))
    assert sorted(titles) == ["Learn"] * 3 + [REFUSED] * 2
    assert again == titles
    assert after == "Learn"
