"""A class in front of the dashboard: who is there, what they do, how long they wait."""

import asyncio
import itertools
import time
from collections import defaultdict
from urllib.parse import urlencode

import numpy as np

from epca.choosing import starting_rank
from epca.views.texts import sigma_text
from tests import visit
from tests.benchmarks.visitor import Visitor
from tests.files import faces_of, npy

PAPER = urlencode(visit.PAPER)

THINKING = (4, 12)  # seconds between two actions of a visitor
LONGEST = 300  # seconds an action may take
# (c, log₂ σ) that the first visitor has asked for before
KNOWN = list(itertools.product((10, 20, 30), (-4, 0, 9)))
NEW = [(c, e) for c in range(5, 61) for e in range(-20, 21) if (c, e) not in KNOWN]
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
)


class Class:
    """All visitors, what they did, how long they waited, what they saw."""

    def __init__(self, address, seed):
        self.address = address
        self.generator = np.random.default_rng(seed)
        self.new = iter(self.generator.permutation(NEW).tolist())
        self.seeds = itertools.count(100)  # of occlusion that nobody has seen, for sweeps
        self.waits = defaultdict(list)
        self.seen = []
        self.errors = []
        self.places = []

    async def meet(self, count, seconds):
        """So many visitors come, stay so long, and leave."""
        async with Visitor(self.address) as first:
            await first.open(query=PAPER)
            for c, exponent in KNOWN:
                await first.change("c", c)
                await first.change("sigma_shown", sigma_text(exponent))
        end = time.monotonic() + seconds
        await asyncio.gather(*(self.stay(number, end) for number in range(count)))

    async def stay(self, number, end):
        generator = np.random.default_rng([number, int(self.generator.integers(2**32))])
        await asyncio.sleep(generator.uniform(0, THINKING[1]))
        try:
            async with Visitor(self.address) as visitor:
                guest = Guest(self, number, visitor, generator)
                await guest.do("first page", visitor.open(query=PAPER))
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
        self.room = room
        self.number = number
        self.visitor = visitor
        self.generator = generator
        self.page = ""
        self.data = "orl"
        self.c = 30
        self.exponent = 0
        self.seed = 0

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
            if self.data == "orl":
                self.former = self.c  # which comes back with the former images
            self.data = f"upload {self.number}"
            self.c = min(self.c, starting_rank(40))
            await self.do(name, visitor.upload("upload", "mine.npy", upload_of(self.number)))
            await self.go("")
        else:
            await self.settle("orl")
            await self.go("tune")
            await visitor.change("part", "sigma")
            self.seed = next(self.room.seeds)
            await self.do("new occlusion", visitor.change("seed", self.seed))
            await self.do(name, self.sweep())
            await self.do("sweep put away", visitor.change("sweep", False))
            self.seed = 0
            await self.do("new occlusion", visitor.change("seed", 0))

    async def sweep(self):
        """Switch the sweep on, and wait for its end in the background."""
        await self.visitor.change("sweep", True)
        if not self.visitor.timers:
            self.room.errors.append(f"visitor {self.number} asked for a sweep, and none began")
        await self.visitor.wait_for_work()

    async def go(self, page, name="open a page"):
        if page != self.page or name == "open a page":
            self.page = page
            await self.do(f"open {page or 'home'}", self.visitor.open(page))

    async def settle(self, data):
        if self.data != data:
            self.data = data
            self.c = self.former
            await self.do("another data set", self.visitor.change("dataset", data))

    async def turn(self, name, c, exponent):
        """Set c and σ, one after the other as a hand does, where they change."""
        if c != self.c:
            self.c = c
            is_known = (c, self.exponent) in KNOWN
            await self.do("known σ or c" if is_known else "new σ or c", self.visitor.change("c", c))
        if exponent != self.exponent:
            self.exponent = exponent
            await self.do(name, self.visitor.change("sigma_shown", sigma_text(exponent)))


def upload_of(number):
    return npy(faces_of(1000 + number))
