"""The code that shows a deviation is found, also by a class that opens the page at once."""

import ast
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from epca.paper import shown


def test_one_thread_parses_at_a_time(monkeypatch):
    """Python 3.11 at times gives up with a SystemError where threads parse at once."""
    at_work, most = threading.Semaphore(0), []

    def parse(text):
        at_work.release()
        most.append(at_work._value)
        time.sleep(0.02)
        at_work.acquire()
        return ast.Module(body=[])

    monkeypatch.setattr(shown, "ast", SimpleNamespace(parse=parse))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(shown._find, [shown.ROOT / "app.py"] * 8, map(str, range(8))))
    assert most == [1] * 8
