"""How far a long command is, for whoever watches the terminal."""

import shutil
import time
from datetime import timedelta


class Progress:
    """On a terminal a bar with the time left; elsewhere a line at every twentieth of the way."""

    def __init__(self, stream, clock=time.monotonic):
        self.stream = stream
        self.clock = clock
        self.first = None  # how many were done at the start
        self.start = None  # when that was
        self.said = -1  # the last twentieth that had its line

    def __call__(self, done, total, text):
        if self.first is None:
            self.first = done
            self.start = self.clock()
        left = self._left(done, total)
        twentieth = 20 * done // total
        if self.stream.isatty():
            line = f"{'█' * twentieth:░<20} {done}/{total}{left}, {text}"
            self.stream.write(f"\r\x1b[K{line[: shutil.get_terminal_size().columns - 1]}")
            self.stream.flush()
        elif twentieth > self.said:
            self.said = twentieth
            print(f"{done}/{total}{left}, {text}", file=self.stream, flush=True)

    def _left(self, done, total):
        """The time left at the pace so far, in words; empty before the first fit is done."""
        if done == self.first:
            return ""
        pace = (self.clock() - self.start) / (done - self.first)
        return f", {timedelta(seconds=round(pace * (total - done)))} left"

    def close(self):
        """End the bar's line."""
        if self.first is not None and self.stream.isatty():
            self.stream.write("\n")
