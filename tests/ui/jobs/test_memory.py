"""Shared results are dropped once nobody is at work; a page out of memory shows a notice."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from streamlit.runtime import Runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

import epca.ui
from epca.ui.jobs import memory
from epca.ui.jobs.cache import MISSING
from epca.ui.jobs.server import runner
from tests.ui.jobs.waiting import LONG, until


def test_it_frees_once_after_the_last_touch_and_again_after_the_next(monkeypatch):
    """It sleeps until the test wakes it."""
    events = SimpleQueue()
    woken = SimpleQueue()

    def sleep(seconds):
        events.put(seconds)
        woken.get(timeout=LONG)

    monkeypatch.setattr(memory, "time", SimpleNamespace(sleep=sleep))
    rest = memory.Rest(300, lambda: events.put("freed"))
    rest.touch()
    for _ in range(3):
        assert events.get(timeout=LONG) == 300
        rest.touch()  # while it sleeps
        woken.put(None)
    assert events.get(timeout=LONG) == 300
    woken.put(None)
    assert events.get(timeout=LONG) == "freed"
    rest.touch()
    assert events.get(timeout=LONG) == 300
    woken.put(None)
    assert events.get(timeout=LONG) == "freed"
    assert events.empty()


def test_shared_results_are_dropped():
    runner().cache.put("a", b"1")
    memory.free()
    assert runner().cache.get("a") is MISSING


def test_sessions_whose_visitors_left_are_ended(monkeypatch):
    """In Streamlit's own storage, on the thread of its loop."""
    storage = MemorySessionStorage(ttl_seconds=0.01)
    storage.save(SimpleNamespace(session=SimpleNamespace(id="a")))
    loop = SimpleNamespace(call_soon_threadsafe=lambda action: action())
    server = SimpleNamespace(
        _async_objs=SimpleNamespace(eventloop=loop),
        _session_mgr=SimpleNamespace(_session_storage=storage),
    )
    monkeypatch.setattr(memory.runtime, "exists", lambda: True)
    monkeypatch.setattr(memory.runtime, "get_instance", lambda: server)
    until(lambda: not storage.list())
    assert len(storage._cache._expirations) == 1  # it has it still, but does not list it
    memory.end_sessions()
    assert len(storage._cache._expirations) == 0


def test_streamlit_has_the_names_that_ending_sessions_needs():
    made = inspect.getsource(Runtime.__init__)
    assert "self._async_objs" in made
    assert "self._session_mgr" in made
    assert "self._session_storage" in inspect.getsource(WebsocketSessionManager.__init__)


@pytest.mark.parametrize(("platform", "trimmed"), [("linux", [0]), ("win32", [])])
def test_only_linux_is_asked_to_take_back_freed_pages(platform, trimmed, monkeypatch):
    calls = []
    library = SimpleNamespace(malloc_trim=calls.append)
    monkeypatch.setattr(memory, "sys", SimpleNamespace(platform=platform))
    monkeypatch.setattr(memory, "ctypes", SimpleNamespace(CDLL=lambda name: library))
    memory.free()
    assert calls == trimmed


COUNT_ARENAS = """
import ctypes, sys, threading
from epca.ui.jobs import memory

memory.share_arenas()
library = ctypes.CDLL(None)
together = threading.Barrier(8)

def take():
    together.wait()
    library.malloc(2000)
    together.wait()

threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library.fopen.restype = ctypes.c_void_p
library.malloc_info(0, ctypes.c_void_p(library.fopen(b"/dev/stdout", b"w")))
library.fflush(None)
"""


@pytest.mark.slow
@pytest.mark.skipif(not memory._libc("malloc_info"), reason="the C library is not glibc")
def test_threads_share_few_arenas():
    command = [sys.executable, "-c", COUNT_ARENAS]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert len(re.findall("<heap nr=", told)) == memory.ARENAS


def fragment_page():
    import streamlit as st

    from epca.ui.frame.fragments import fragment

    @fragment
    def part():
        if st.toggle("fail", key="fail"):
            raise MemoryError("Unable to allocate")
        st.markdown("fine")

    part()
    st.markdown("the rest")


def test_a_fragment_out_of_memory_becomes_a_notice_and_the_rest_stays():
    app = AppTest.from_function(fragment_page).run()
    assert [item.value for item in app.markdown] == ["fine", "the rest"]
    app.toggle(key="fail").set_value(True).run()
    assert not app.exception
    assert [item.value for item in app.error] == [memory.NOTICE]
    assert "the rest" in [item.value for item in app.markdown]
    app.toggle(key="fail").set_value(False).run()
    assert [item.value for item in app.markdown] == ["fine", "the rest"]


ROOT = Path(epca.ui.__file__).parents[2]
PYTHON = [*(ROOT / "epca" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_fragment_is_ours(path):
    """st.fragment itself would show Streamlit's own box where memory runs out.

    Bars draw a line of text, at their own pace.
    """
    used = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "st"
    }
    assert "fragment" not in used or path.name in ("fragments.py", "bars.py")
