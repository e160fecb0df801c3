"""A class at one server: visitors who speak Streamlit's protocol open pages, turn σ and c, select, upload, sweep.

Every number shown is compared with the library's for that visitor's own settings and images, after the run.

    pytest -n 0 tests/benchmarks/bench_load.py -s
    EPCA_LOAD_MINUTES=3 EPCA_MEMORY_MINUTES=30 pytest -n 0 tests/benchmarks/bench_load.py -s
"""

import asyncio
import itertools
import os
import re
import time
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from epca.data import load_dataset, read_bytes
from epca.experiment import Scenario, prepare, run
from epca.ui.memory import RESTING
from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve
from tests.files import npy
from tests.test_isolation import faces_of

THINKING = (4, 12)  # seconds between two actions of a visitor
LONGEST = 300  # seconds an action may take
KNOWN = list(
    itertools.product((10, 20, 30), (-4, 0, 9))
)  # (c, log₂ σ) that the first visitor has asked for before
NEW = [(c, e) for c in range(5, 61) for e in range(-20, 21) if (c, e) not in KNOWN]
GOALS = {"known σ or c": 1.0, "new σ or c": 5.0}  # seconds, median
ACTIONS = {
    "open a page": 25,
    "known σ or c": 30,
    "new σ or c": 20,
    "selection": 15,
    "upload": 8,
    "σ sweep": 2,
}  # of 100
PAGES = (
    "",
    "data",
    "activated",
    "compare",
    "tune",
    "watch",
    "framework",
    "paper",
    "learn",
    "glossary",
)
AT_REST = 2 * RESTING + 60  # seconds after which what all shared is given back


class Class:
    """All visitors, what they did, how long they waited, what they saw."""

    def __init__(self, address, seed):
        self.address, self.generator = address, np.random.default_rng(seed)
        self.new = iter(self.generator.permutation(NEW).tolist())
        self.seeds = itertools.count(100)  # of occlusion that nobody has seen, for sweeps
        self.waits, self.seen, self.errors, self.places = defaultdict(list), [], [], []

    async def meet(self, count, seconds):
        """So many visitors come, stay so long, and leave."""
        async with Visitor(self.address) as first:
            await first.open()
            for c, exponent in KNOWN:
                await first.change("c", c)
                await first.change("sigma", f"2^{exponent}")
        end = time.monotonic() + seconds
        await asyncio.gather(*(self.stay(number, end) for number in range(count)))

    async def stay(self, number, end):
        generator = np.random.default_rng([number, int(self.generator.integers(2**32))])
        await asyncio.sleep(generator.uniform(0, THINKING[1]))
        try:
            async with Visitor(self.address) as visitor:
                guest = Guest(self, number, visitor, generator)
                await guest.do("first page", visitor.open())
                session = visitor.session_id
                while time.monotonic() < end:
                    await asyncio.sleep(generator.uniform(*THINKING))
                    await guest.act(
                        generator.choice(list(ACTIONS), p=np.array(list(ACTIONS.values())) / 100)
                    )
                    if visitor.session_id != session:
                        self.errors.append(f"visitor {number} lost the session")
        except Exception as error:
            self.errors.append(f"visitor {number}: {type(error).__name__}: {error}")

    def report(self):
        rows = [
            (name, len(waits), *np.quantile(waits, [0.5, 0.95]))
            for name, waits in sorted(self.waits.items())
        ]
        return [
            f"| {name} | {count} | {median:.2f} | {high:.2f} |"
            for name, count, median, high in rows
        ]


class Guest:
    """One visitor of the class with the settings chosen so far."""

    def __init__(self, room, number, visitor, generator):
        self.room, self.number, self.visitor, self.generator = room, number, visitor, generator
        self.page, self.data, self.c, self.exponent, self.seed = "", "orl", 30, 0, 0

    async def do(self, name, action):
        """Time an action; note what is wrong and what is shown."""
        start = time.monotonic()
        try:
            await asyncio.wait_for(action, LONGEST)
        except TimeoutError:
            raise TimeoutError(f"{name} took more than {LONGEST} s") from None
        self.room.waits[name].append(time.monotonic() - start)
        self.room.places += [text for text in self.visitor.progress if "in line" in text]
        self.room.errors += [
            f"visitor {self.number}, {name}: {text}" for text in self.visitor.complaints
        ]
        self.room.seen.append(
            (
                (self.data, self.c, self.exponent, self.seed),
                dict(self.visitor.metrics),
                self.visitor.text,
            )
        )

    async def act(self, name):
        visitor, generator = self.visitor, self.generator
        if name == "open a page":
            await self.go(generator.choice(PAGES), name)
        elif name == "known σ or c":
            await self.settle("orl")
            await self.go("")
            await self.turn(name, *KNOWN[generator.integers(len(KNOWN))])
        elif name == "new σ or c":
            await self.settle("orl")
            if self.page not in ("", "activated"):
                await self.go("")
            await self.turn(name, *next(self.room.new))
        elif name == "selection":
            await self.go("activated")
            n_images = 400 if self.data == "orl" else 40
            chosen = sorted(generator.choice(n_images, 3, replace=False).tolist())
            await self.do(name, visitor.change("sel", [str(i) for i in chosen]))
            if f"3 of {n_images} selected" not in visitor.text:
                self.room.errors.append(
                    f"visitor {self.number} selected {chosen} and saw: {visitor.text[:200]}"
                )
        elif name == "upload":
            await self.go("data")
            self.data = f"upload {self.number}"
            self.c = min(self.c, 39)
            await self.do(name, visitor.upload("upload", "mine.npy", upload_of(self.number)))
            await self.go("")
        else:
            await self.settle("orl")
            await self.go("tune")
            self.seed = next(self.room.seeds)
            await self.do("new occlusion", visitor.change("seed", self.seed))
            await self.do(name, visitor.change("sweep", True))
            await self.do("sweep put away", visitor.change("sweep", False))
            self.seed = 0
            await self.do("new occlusion", visitor.change("seed", 0))

    async def go(self, page, name="open a page"):
        if page != self.page or name == "open a page":
            self.page = page
            await self.do(f"open {page or 'home'}", self.visitor.open(page))

    async def settle(self, data):
        if self.data != data:
            self.data = data
            await self.do("another data set", self.visitor.change("dataset", data))

    async def turn(self, name, c, exponent):
        """Set c and σ, one after the other as a hand does; each is an action if it changes anything."""
        if c != self.c:
            before, self.c = (self.c, self.exponent), c
            is_known = (c, self.exponent) in KNOWN
            await self.do("known σ or c" if is_known else "new σ or c", self.visitor.change("c", c))
            assert before != (c, self.exponent)
        if exponent != self.exponent:
            self.exponent = exponent
            await self.do(name, self.visitor.change("sigma", f"2^{exponent}"))


def upload_of(number):
    return npy(faces_of(1000 + number))


@cache
def images_of(data):
    return (
        load_dataset("orl")
        if data == "orl"
        else read_bytes("mine.npy", upload_of(int(data.split()[1])), size=32)
    )


@cache
def prepared_of(data, seed):
    return prepare(Scenario(seed=seed), images_of(data))


@cache
def expected(data, c, exponent, seed):
    """What the pages Home, Activated samples and Tune say of these settings, by the library."""
    scenario = Scenario(n_components=c, sigma=2.0**exponent, seed=seed)
    table, (_, epca) = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared_of(data, seed))
    pca, row = table.to_dict("records")
    k, n = epca.n_activated_, len(epca.alpha_)
    change = f"{row['error'] / pca['error'] - 1:+.1%}".replace(
        "-0.0%", "+0.0%"
    )  # none has no sign but plus
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


def memory(pid):
    """Resident megabytes of a process."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def cpu(pid):
    """Seconds of processor time a process has used."""
    return sum(
        map(int, Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])
    ) / os.sysconf("SC_CLK_TCK")


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
        f"memory: {sizes[0]:.0f} MB at the start, at most {max(sizes):.0f} MB, {sizes[-1]:.0f} MB at the end"
    )
    print(
        f"the server had {room.cores:.2f} of {os.cpu_count()} cores; the load of the whole machine is {os.getloadavg()[0]:.1f}"
    )
    print(f"errors: {len(room.errors)} {room.errors[:5]}")


@pytest.mark.parametrize("count", [1, 10, 50])
def test_class(count):
    minutes = float(os.environ.get("EPCA_LOAD_MINUTES", 3))
    with serve() as address:
        room, sizes = hold_class(address, count, 60 * minutes)
    tell(count, room, sizes)
    assert room.errors == []
    found, right = wrong(room.seen)
    print(f"{right} answers compared with the library, {len(found)} wrong")
    assert found == []
    assert right > len(room.seen) / 4
    for name, goal in GOALS.items():
        assert not room.waits[name] or np.median(room.waits[name]) < goal, name
    assert count < 50 or room.places


def test_memory():
    """Bounded while they are there, and given back when they have left; a later visitor's leave sweeps their sessions away."""
    minutes = float(os.environ.get("EPCA_MEMORY_MINUTES", 30))
    with serve() as address:
        room, sizes = hold_class(address, 50, 60 * minutes, seed=1)
        tell(50, room, sizes)
        thirds = [max(part) for part in np.array_split(sizes, 3)]
        print(f"at most, by thirds of the time: {', '.join(f'{size:.0f}' for size in thirds)} MB")
        end = memory(address.pid)
        time.sleep(AT_REST)
        rested = memory(address.pid)

        async def come_and_go():
            async with Visitor(address) as visitor:
                await visitor.open("glossary")

        asyncio.run(come_and_go())
        time.sleep(10)
        left = memory(address.pid)
    print(
        f"as they leave {end:.0f} MB, at rest {rested:.0f} MB, after the next visitor {left:.0f} MB"
    )
    assert room.errors == []
    assert thirds[2] < 1.1 * thirds[1]
    assert rested < 0.75 * max(sizes)
