"""Pieces of work for the tests of the runner; processes import them, too."""

import threading


def count(to):
    """Counts; every number is a step."""
    total = 0
    for i in range(to):
        yield i / to, f"number {i}"
        total += i
    return total


def fail():
    yield 0.0, "about to fail"
    raise ValueError("no")


def report(times):
    """One long step that reports from within."""
    tell = yield 0.0, "begins"
    for i in range(times):
        tell(i / times, f"part {i}")
    return times


def endless():
    """One step that never ends by itself."""
    tell = yield 0.0, "begins"
    while True:
        tell(0.5, "goes on")


class Gate:
    """Work that begins, says so, and goes on when it is let."""

    def __init__(self):
        self.begun = threading.Event()
        self.opened = threading.Event()
        self.closed = threading.Event()
        self.calls = 0

    def work(self, result="done", steps=1):
        self.calls += 1
        try:
            for i in range(steps):
                tell = yield i / steps, f"step {i}"
                self.begun.set()
                while not self.opened.wait(0.01):
                    tell(i / steps, f"within step {i}")
            return result
        finally:
            self.closed.set()
