"""A class that arrives together: all open the first page in the same moment.

pytest -n 0 tests/benchmarks/bench_burst.py -s
"""

import asyncio
import os
import time

import pytest
import requests

from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve

LAST_PAGE = 6.0  # seconds until 100 visitors have their page, on 2 quiet cores
HEALTH = 3.0  # seconds until the server says meanwhile that it is well


async def arrive(address, count):
    """Seconds until each of the visitors has its page; and until each look at the health ended."""
    waits = []
    looks = []

    async def visit():
        async with Visitor(address) as visitor:
            await together.wait()
            start = time.monotonic()
            await visitor.open()
            waits.append(time.monotonic() - start)
            assert visitor.complaints == []
            await all_seen.wait()  # nobody leaves before the last has the page

    async def look():
        while len(waits) < count:
            start = time.monotonic()
            await asyncio.to_thread(requests.get, f"{address}/_stcore/health", timeout=60)
            looks.append(time.monotonic() - start)
            await asyncio.sleep(0.1)
        all_seen.set()

    together = asyncio.Barrier(count)
    all_seen = asyncio.Event()
    await asyncio.gather(look(), *(visit() for _ in range(count)))
    return waits, looks


async def open_once(address):
    async with Visitor(address) as visitor:
        await visitor.open()


@pytest.mark.parametrize("count", [30, 100, 200])
def test_burst(count):
    with serve() as address:
        asyncio.run(open_once(address))  # the teacher has tried it
        waits, looks = asyncio.run(arrive(address, count))
    print(
        f"\n{count} visitors at once: the last page after {max(waits):.1f} s; "
        f"health answers within {max(looks):.2f} s; load {os.getloadavg()[0]:.1f}"
    )
    if count <= 100:
        assert max(waits) < LAST_PAGE
        assert max(looks) < HEALTH
