"""A class at one server: visitors open pages, turn σ and c, select, upload, sweep.

After the run every number shown is compared with the library's for that visitor's own settings.

    pytest -n 0 tests/benchmarks/bench_load.py -s
    EPCA_LOAD_MINUTES=3 EPCA_MEMORY_MINUTES=30 pytest -n 0 tests/benchmarks/bench_load.py -s
"""

import asyncio
import os
import re
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from epca.data import load_dataset, read_bytes
from epca.experiment import Scenario, prepare, run
from epca.ui.jobs.memory import RESTING
from epca.views import texts
from tests.benchmarks.classroom import Class, upload_of
from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve

GOALS = {"first page": 1.0, "known σ or c": 0.5, "new σ or c": 1.5}  # seconds, median
MOST = 50  # visitors for whom they are meant
AT_REST = 2 * RESTING + 60  # seconds after which what all shared is given back


@cache
def images_of(data):
    return (
        load_dataset("orl")
        if data == "orl"
        else read_bytes("mine.npy", upload_of(int(data.split()[1])), size=32)
    )


@cache
def prepared_of(data, seed):
    return prepare(Scenario().at(seed=seed), images_of(data))


@cache
def expected(data, c, exponent, seed):
    """What the pages Home, Activated samples and Tune say of these settings, by the library."""
    scenario = Scenario(n_components=c, sigma=2.0**exponent).at(seed=seed)
    table, (_, epca) = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared_of(data, seed))
    pca, row = table.to_dict("records")
    k = epca.n_activated_
    n = len(epca.alpha_)
    change = texts.change(row["error"] / pca["error"] - 1)
    return change, f"{k} of {n}", f"{round(row['clean_among_activated'] * k)} of {k}"


def wrong(seen):
    """Numbers shown that are not the library's; and how many were right."""
    found, right = [], 0
    for settings, shown, text in seen:
        sentence = re.search(r"\*\*(\d+ of \d+) activated; (\d+ of \d+) are clean", text)
        numbers = [
            shown.get(label)
            for label in (
                "EPCA's error against PCA's",
                "Activated images",
                "Clean among the activated",
            )
        ]
        if sentence:
            numbers = [None, *sentence.groups()]
        elif "Error against PCA's (oracle)" in shown:
            numbers = [
                shown["Error against PCA's (oracle)"],
                shown["Activated images"],
                shown["Activated clean (oracle)"],
            ]
        pairs = [
            (number, value)
            for number, value in zip(numbers, expected(*settings), strict=True)
            if number is not None
        ]
        if any(number != value for number, value in pairs):
            found.append((settings, pairs))
        right += bool(pairs)
    return found, right - len(found)


def family(pid):
    """A server and its workers, as folders of /proc."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [Path("/proc", number) for path in tasks for number in path.read_text().split()] + [
        Path("/proc", str(pid))
    ]


def memory(pid):
    """Resident megabytes of a server and its workers."""
    found = [re.search(r"VmRSS:\s+(\d+)", (path / "status").read_text()) for path in family(pid)]
    return sum(int(size[1]) for size in found if size) / 1024


def cpu(pid):
    """Seconds of processor time that they have used."""
    stats = [(path / "stat").read_text().rsplit(")", 1)[1].split() for path in family(pid)]
    return sum(int(ticks) for stat in stats for ticks in stat[11:13]) / os.sysconf("SC_CLK_TCK")


async def watch(pid, sizes, every):
    while True:
        sizes.append(memory(pid))
        await asyncio.sleep(every)


def hold_class(address, count, seconds, seed=0):
    """Run it; the Class and the server's memory over time."""

    async def hold():
        room, sizes = Class(address, seed), []
        watcher = asyncio.create_task(watch(address.pid, sizes, 5))
        used, start = cpu(address.pid), time.monotonic()
        await room.meet(count, seconds)
        watcher.cancel()
        room.cores = (cpu(address.pid) - used) / (time.monotonic() - start)
        return room, sizes

    return asyncio.run(hold())


def tell(count, room, sizes):
    print(f"\n{count} visitors, seconds from the action to the end of the script:")
    print("\n".join(["| action | times | median | 95 % |", "|---|---|---|---|", *room.report()]))
    print(
        f"seen in line: {len(room.places)} times, for example {room.places[:1] + room.places[-1:]}"
    )
    print(
        f"memory: {sizes[0]:.0f} MB at the start, at most {max(sizes):.0f} MB, "
        f"{sizes[-1]:.0f} MB at the end"
    )
    print(
        f"the server had {room.cores:.2f} of {os.cpu_count()} cores; "
        f"the load of the whole machine is {os.getloadavg()[0]:.1f}"
    )
    print(f"errors: {len(room.errors)} {room.errors[:5]}")


@pytest.mark.parametrize("count", [1, 10, 50, 100])
@pytest.mark.parametrize("workers", ["0", ""], ids=["threads", "workers"])
def test_class(count, workers):
    minutes = float(os.environ.get("EPCA_LOAD_MINUTES", 3))
    with serve(log=None, EPCA_WORKERS=workers) as address:  # its tracebacks are seen
        room, sizes = hold_class(address, count, 60 * minutes)
    tell(count, room, sizes)
    assert room.errors == []
    found, right = wrong(room.seen)
    print(f"{right} answers compared with the library, {len(found)} wrong")
    assert found == []
    assert right > len(room.seen) / 4
    for name, goal in GOALS.items():
        assert count > MOST or not room.waits[name] or np.median(room.waits[name]) < goal, name
    assert count < 50 or room.places


async def come_and_go(address):
    """One visitor, who has the server load what pages need."""
    async with Visitor(address) as visitor:
        for page in ("", "activated", "glossary"):
            await visitor.open(page)


def test_memory():
    """Bounded while they are there, and given back when they have left.

    A later visitor who leaves sweeps their sessions away.
    """
    minutes = float(os.environ.get("EPCA_MEMORY_MINUTES", 30))
    with serve(log=None, EPCA_WORKERS="") as address:
        asyncio.run(come_and_go(address))
        time.sleep(10)  # until the worker has imported all
        before = memory(address.pid)
        room, sizes = hold_class(address, 50, 60 * minutes, seed=1)
        tell(50, room, sizes)
        thirds = [max(part) for part in np.array_split(sizes, 3)]
        print(f"at most, by thirds of the time: {', '.join(f'{size:.0f}' for size in thirds)} MB")
        end = memory(address.pid)
        time.sleep(AT_REST)
        rested = memory(address.pid)
        asyncio.run(come_and_go(address))
        time.sleep(10)
        left = memory(address.pid)
    print(
        f"with one visitor before {before:.0f} MB, as they leave {end:.0f} MB, "
        f"at rest {rested:.0f} MB, with the next visitor {left:.0f} MB"
    )
    assert room.errors == []
    assert minutes < 10 or thirds[2] < 1.1 * thirds[1]  # in fewer the caches are not full yet
    assert rested < 1.15 * before
