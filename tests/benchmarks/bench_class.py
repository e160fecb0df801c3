"""A class that follows its teacher: how soon all see what the teacher shows.

pytest -n 0 tests/benchmarks/bench_class.py -s
"""

import asyncio
import os
import time

import numpy as np
import pytest

from epca.classroom import codes
from epca.ui.frame import pulse
from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve

SECRET = "b" * 32
CODE = codes.code_of(SECRET)
RANKS = [10, 20, 30, 15, 25]
GOAL = 2.0  # seconds in which 95% see a change, on 2 quiet cores
PAGES = ("learn", "", "activated", "compare")


async def hold(address, count, page):
    """Seconds from the end of the teacher's own run to the end of each student's, per change."""
    waits = []
    done = asyncio.Event()
    shown = {}  # rank → when the teacher had it
    last = asyncio.Barrier(count + 1)
    every = pulse.every(count)

    async def follow(number):
        async with Visitor(address) as visitor:
            await visitor.open("learn", f"room={CODE}")
            await last.wait()
            await asyncio.sleep(every * number / count)
            seen = None
            while not done.is_set():
                await asyncio.sleep(every)
                await visitor.look()
                assert visitor.complaints == []
                c = visitor.states["c"].double_array_value.data[0]
                if c != seen and c in RANKS:  # maybe before the teacher's own page is complete
                    now = time.monotonic()
                    waits.append(now - shown.get(c, now))
                seen = c

    async def teach():
        async with Visitor(address) as teacher:
            await teacher.open(page, f"room_secret={SECRET}&c=5")
            opened.set()
            await last.wait()
            for place, c in enumerate(RANKS, 1):
                await asyncio.sleep(3)
                await teacher.change("c", c)
                shown[c] = time.monotonic()
                while len(waits) < place * count and time.monotonic() - shown[c] < 30:
                    await asyncio.sleep(0.05)
            await teacher.look()
            assert f"· {count} follow" in teacher.text
            done.set()

    opened = asyncio.Event()
    lesson = asyncio.create_task(teach())
    await opened.wait()
    await asyncio.gather(lesson, *(follow(number) for number in range(count)))
    return waits


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page or "home")
@pytest.mark.parametrize("count", [10, 50])
def test_a_change_reaches_the_class(count, page):
    with serve() as address:
        waits = asyncio.run(hold(address, count, page))
    median, high = np.quantile(waits, [0.5, 0.95])
    print(
        f"\n{count} follow on {page or 'home'}: a change is seen after {median:.2f} s (median), "
        f"{high:.2f} s (95%), {max(waits):.2f} s (last); load {os.getloadavg()[0]:.1f}"
    )
    assert len(waits) == count * len(RANKS)
    assert high < GOAL
