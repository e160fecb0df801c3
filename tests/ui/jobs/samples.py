"""Pieces of work for the tests of the runner; processes import them, too."""

import os
import re
import resource
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


def endless(data=None):
    """One step that never ends by itself."""
    tell = yield 0.0, "begins"
    while True:
        tell(0.5, "goes on")


def whereabouts():
    """The process it runs in."""
    yield 0.0, ""
    return os.getpid()


def pair(first, second):
    """Two steps, in one process each time."""
    yield 0.0, "first"
    yield 0.5, "second"
    return first, second, os.getpid()


def chat():
    """Prints where messages go."""
    yield 0.0, ""
    print("a word")
    return "said"


def memory_limit():
    yield 0.0, ""
    return resource.getrlimit(resource.RLIMIT_DATA)[0]


def allocate(size):
    yield 0.0, ""
    return len(bytearray(size))


def unsendable():
    yield 0.0, ""
    return threading.Lock()


def wait_for(path, data=None):
    """One step that ends when the file is there; another file names its process."""
    tell = yield 0.0, "begins"
    path.with_name("pid").write_text(str(os.getpid()))
    while not path.exists():
        tell(0.5, "waits")
    return os.getpid()


def leave_marks(path):
    """A mark in the file for each of two steps, which report nothing."""
    for i in (1, 2):
        yield i / 2, f"mark {i}"
        with path.open("a") as file:
            file.write(str(i))


def end_process(path, times):
    """Ends its process so many times, counted in the file."""
    yield 0.0, "begins"
    yield 0.5, "goes on"
    done = len(path.read_text()) if path.exists() else 0
    path.write_text("x" * (done + 1))
    if done < times:
        os._exit(1)
    return done


def large(number):
    """What a worker caches: the number, and how many it has made."""
    made.append(number)
    return number, len(made)


made: list[int] = []


def look_at(data, folder, number):
    """Whether the array can be written, its sum, and how much memory its process maps.

    It waits until so many processes are at work.
    """
    tell = yield 0.0, ""
    (folder / str(os.getpid())).touch()
    while len([*folder.iterdir()]) < number:
        tell(0.5, "waits")
    with open("/proc/self/smaps") as file:
        blocks = file.read().split("memfd:epca")[1:]
    sizes = [int(re.search(r"Size: +(\d+) kB", block)[1]) for block in blocks]
    return data.flags.writeable, int(data.sum()), sum(sizes) * 1024


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
