"""Waiting in tests: for a moment where all is well, and never for ever."""

import time

LONG = 60  # seconds; only a failure takes them


def until(is_so, every=0.01):
    """Wait until is_so() gives something true, which is returned."""
    deadline = time.monotonic() + LONG
    while not (found := is_so()):
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(every)
    return found


def until_it_says(job, text):
    until(lambda: job.text == text)
